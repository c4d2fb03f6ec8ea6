//! Values in the forms that the specification gives them.

use std::fmt;
use std::time::Duration;

pub(super) const MILLIS: &str = "a number of milliseconds";

/// A duration in whole milliseconds, up to what the specification expects of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Millis(pub(super) Duration);

impl Millis {
    pub(super) fn parse(text: &str) -> Option<Self> {
        whole_number(text).map(|millis| Self(Duration::from_millis(millis.into())))
    }
}

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0.as_millis())
    }
}

/// A number as the specification expects it.
///
/// <https://opentelemetry.io/docs/specs/otel/configuration/common/#numeric>
pub(super) fn whole_number(text: &str) -> Option<u32> {
    let number: i32 = text.parse().ok()?;
    u32::try_from(number).ok()
}

/// Only `true` is true, in any case.
///
/// <https://opentelemetry.io/docs/specs/otel/configuration/common/#boolean>
pub(super) fn otel_bool(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}
