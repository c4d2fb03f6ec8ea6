//! An error as `exception.*` attributes.
//!
//! <https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-logs/>

use std::error::Error;
use std::fmt::Write;

/// A `source()` chain may be a circle.
const MAX_SOURCES: usize = 16;

/// An error, taken down in text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// What the error says.
    pub(crate) message: String,
    /// The concrete type, where it is known.
    pub(crate) kind: Option<&'static str>,
    /// Its causes or its backtrace, one a line.
    pub(crate) trace: Option<String>,
}

impl Failure {
    pub(crate) fn new(error: &(dyn Error + 'static)) -> Self {
        let mut trace = String::new();
        let mut source = error.source();
        for _ in 0..MAX_SOURCES {
            let Some(cause) = source else { break };
            let newline = if trace.is_empty() { "" } else { "\n" };
            // An error whose `Display` fails costs its own text only.
            let _ = write!(trace, "{newline}Caused by: {cause}");
            source = cause.source();
        }
        let mut message = String::new();
        let _ = write!(message, "{error}");
        Self {
            message,
            kind: None,
            trace: (!trace.is_empty()).then_some(trace),
        }
    }
}
