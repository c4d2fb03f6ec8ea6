//! In which headers the active span goes from one process to the next.
//!
//! <https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration>

use std::fmt;

use super::read::{Or, Origin, Reader, code_or};
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

impl Propagator {
    fn name(self) -> &'static str {
        match self {
            Self::TraceContext => "tracecontext",
            Self::Baggage => "baggage",
            Self::B3 => "b3",
            Self::B3Multi => "b3multi",
        }
    }
}

struct Propagators(Vec<Propagator>);

impl fmt::Display for Propagators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.iter().map(|propagator| propagator.name()).collect();
        f.write_str(match names[..] {
            [] => "none",
            _ => return f.write_str(&names.join(",")),
        })
    }
}

/// Settles the formats, each of which is tried.
pub(super) fn propagators(builder: &Builder, read: &mut Reader<'_>) -> Vec<Propagator> {
    let default = Propagators(vec![Propagator::TraceContext, Propagator::Baggage]);
    let code = builder.propagators.as_deref();
    let code = code.and_then(|text| Propagators::parse(text, ("propagators", &default), read));
    let mut settled = code_or(code, default);
    if let Some(found) = read.find(vars::PROPAGATORS)
        && let Some(value) = Propagators::parse(found.text, (&found.var, &settled.value), read)
    {
        let origin = Origin::Variable(found.var);
        settled = Or { value, origin };
    }
    read.settle(vars::PROPAGATORS, &settled.value, settled.origin);
    settled.value.0
}

impl Propagators {
    /// Reads a list that was said at `place`; what is none, or nobody here speaks, is told and
    /// left out, and of a list of nothing else comes nothing, and what is used `otherwise`.
    fn parse(text: &str, (place, otherwise): (&str, &Self), read: &mut Reader<'_>) -> Option<Self> {
        const KNOWN: [Propagator; 4] = [
            Propagator::TraceContext,
            Propagator::Baggage,
            Propagator::B3,
            Propagator::B3Multi,
        ];
        let (mut found, mut bad, mut has_none) = (Vec::new(), Vec::new(), false);
        let words = text.split(',').map(str::trim);
        for word in words.filter(|word| !word.is_empty()) {
            let mut known = KNOWN.into_iter();
            match known.find(|known| known.name().eq_ignore_ascii_case(word)) {
                Some(propagator) if found.contains(&propagator) => {}
                Some(propagator) => found.push(propagator),
                None if word.eq_ignore_ascii_case("none") => has_none = true,
                None => bad.push(word),
            }
        }
        let instead = match (has_none, &found[..]) {
            (false, []) => format!("using {otherwise}"),
            _ => "it is left out".to_owned(),
        };
        for word in bad {
            let fault = match word.to_ascii_lowercase().as_str() {
                "jaeger" | "xray" | "ottrace" => "unsupported",
                _ => "invalid",
            };
            read.say(format!(
                "{fault} propagator {word:?} in {place}, expected {PROPAGATORS}; {instead}"
            ));
        }
        if has_none && !found.is_empty() {
            read.say(format!(
                "{place} has none beside other propagators; nothing is propagated"
            ));
            found.clear();
        }
        (has_none || !found.is_empty()).then_some(Self(found))
    }
}
