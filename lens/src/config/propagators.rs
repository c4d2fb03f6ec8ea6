//! In which headers the active span goes from one process to the next.
//!
//! <https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration>

use std::fmt;

use super::list::{Listed, list};
use super::read::Reader;
use super::{Builder, vars};

const PROPAGATORS: &str = "tracecontext, baggage, b3, b3multi or none";

/// A format of headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Propagator {
    TraceContext,
    Baggage,
    B3,
    B3Multi,
}

/// Settles the formats, each of which is tried.
pub(super) fn propagators(builder: &Builder, read: &mut Reader<'_>) -> Vec<Propagator> {
    let code = ("propagators", builder.propagators.as_deref());
    let default = vec![Propagator::TraceContext, Propagator::Baggage];
    list(&[vars::PROPAGATORS], code, default, read)
}

impl Listed for Propagator {
    const KIND: &'static str = "propagator";
    const EXPECTED: &'static str = PROPAGATORS;
    const NOTHING: &'static str = "nothing is propagated";

    fn parse(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "tracecontext" => Some(Self::TraceContext),
            "baggage" => Some(Self::Baggage),
            "b3" => Some(Self::B3),
            "b3multi" => Some(Self::B3Multi),
            _ => None,
        }
    }

    fn fault(word: &str) -> &'static str {
        match word.to_ascii_lowercase().as_str() {
            "jaeger" | "xray" | "ottrace" => "unsupported",
            _ => "invalid",
        }
    }
}

impl fmt::Display for Propagator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TraceContext => "tracecontext",
            Self::Baggage => "baggage",
            Self::B3 => "b3",
            Self::B3Multi => "b3multi",
        })
    }
}
