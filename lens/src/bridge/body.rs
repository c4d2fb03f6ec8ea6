//! The message of a record, formatted once for everybody who wants it.

use log::Record;
use opentelemetry::logs::AnyValue;

use crate::text::{Scratch, write};

/// The message of a record.
#[derive(Clone, Copy)]
pub(super) enum Body<'t> {
    Static(&'static str),
    Text(&'t str),
    /// A `Display` failed or panicked; this is what can be said.
    Broken(&'t str),
}

impl<'t> Body<'t> {
    /// Formats the message, into `scratch` where that is needed.
    #[inline]
    pub(super) fn of(record: &Record<'_>, scratch: &'t mut Scratch) -> Self {
        if let Some(text) = record.args().as_str() {
            return Self::Static(text);
        }
        if write(scratch, *record.args()) {
            Self::Text(scratch.as_str())
        } else {
            Self::Broken(scratch.as_str())
        }
    }

    #[inline]
    pub(super) fn as_str(self) -> &'t str {
        match self {
            Self::Static(text) => text,
            Self::Text(text) | Self::Broken(text) => text,
        }
    }

    /// The message, where formatting it cost something.
    #[inline]
    pub(super) fn formatted(self) -> Option<&'t str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Static(_) | Self::Broken(_) => None,
        }
    }
}

impl From<Body<'_>> for AnyValue {
    fn from(body: Body<'_>) -> Self {
        match body {
            Body::Static(text) => text.into(),
            Body::Text(text) | Body::Broken(text) => text.to_owned().into(),
        }
    }
}
