//! What the bridge knows of a record beside what the program says, which wins.

use super::limit::cut_text;
use super::value::Attributes;
use crate::config::{LogLimits, REDACTED, Redact};
use crate::encode::{self, Scalar};
use crate::failure::Failure;
use crate::semconv::{code, exception, otel};

/// Attributes of the bridge's own, in their order.
#[derive(Clone, Copy)]
pub(super) struct Own<'a> {
    pub(super) failure: Option<&'a Failure>,
    pub(super) file: Option<&'a str>,
    pub(super) line: Option<u32>,
    pub(super) dropped: u32,
    /// What the program says.
    pub(super) given: Option<&'a Attributes<'a>>,
    pub(super) redact: &'a Redact,
    pub(super) limits: LogLimits,
}

impl<'a> Own<'a> {
    /// None.
    pub(super) fn new(redact: &'a Redact, limits: LogLimits) -> Self {
        Self {
            failure: None,
            file: None,
            line: None,
            dropped: 0,
            given: None,
            redact,
            limits,
        }
    }

    /// Calls `put` for each attribute that the program does not give itself.
    pub(super) fn each(&self, mut put: impl FnMut(&'static str, &Scalar<'_>)) {
        let mut add = |key, value: Scalar<'_>| {
            if self.given.is_some_and(|given| given.contains(key)) {
                return;
            }
            if self.redact.hides(key) {
                put(key, &Scalar::Text(REDACTED));
            } else {
                put(key, &value);
            }
        };
        if let Some(file) = self.file {
            add(code::FILE_PATH, Scalar::Text(file));
        }
        if let Some(line) = self.line {
            add(code::LINE_NUMBER, Scalar::Int(line.into()));
        }
        if let Some(failure) = self.failure {
            let cut = |text| Scalar::Text(cut_text(text, self.limits.value_length));
            if let Some(kind) = failure.kind {
                add(exception::TYPE, Scalar::Text(kind));
            }
            add(exception::MESSAGE, cut(&failure.message));
            if let Some(trace) = &failure.trace {
                add(exception::STACKTRACE, cut(trace));
            }
        }
        if self.dropped > 0 {
            add(
                otel::DROPPED_ATTRIBUTES_COUNT,
                Scalar::Int(self.dropped.into()),
            );
        }
    }
}

impl encode::Attributes for Own<'_> {
    fn each(&self, mut put: impl FnMut(&str, &Scalar<'_>)) {
        Own::each(self, |key, value| put(key, value));
    }
}
