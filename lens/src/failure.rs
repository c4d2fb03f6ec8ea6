//! An error as `exception.*` attributes.
//!
//! <https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-logs/>

use std::error::Error;
use std::fmt;

use crate::text::text;

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
    pub(crate) fn new(error: &dyn Error) -> Self {
        let mut causes = Vec::new();
        let mut source = error.source();
        while let Some(cause) = source.filter(|_| causes.len() < MAX_SOURCES) {
            causes.push(text(format_args!("Caused by: {cause}")));
            source = cause.source();
        }
        Self {
            message: text(format_args!("{error}")),
            kind: None,
            trace: (!causes.is_empty()).then(|| causes.join("\n")),
        }
    }

    /// Of something that is no [`Error`] and can only be formatted.
    pub(crate) fn said(args: fmt::Arguments<'_>) -> Self {
        Self {
            message: text(args),
            ..Self::default()
        }
    }
}
