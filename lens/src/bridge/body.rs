//! The message of a record, formatted once for everybody who wants it.

use log::Record;
use opentelemetry::logs::AnyValue;

use crate::text::format;

/// The message of a record.
pub(super) enum Body {
    Static(&'static str),
    Text(String),
    /// A `Display` failed or panicked; this is what can be said.
    Broken(String),
}

/// None.
impl Default for Body {
    fn default() -> Self {
        Self::Static("")
    }
}

impl Body {
    /// Formats the message.
    pub(super) fn of(record: &Record<'_>) -> Self {
        match record.args().as_str() {
            Some(text) => Self::Static(text),
            None => match format(*record.args()) {
                Ok(text) => Self::Text(text),
                Err(text) => Self::Broken(text),
            },
        }
    }

    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Static(text) => text,
            Self::Text(text) | Self::Broken(text) => text,
        }
    }

    /// The message, where formatting it cost something.
    pub(super) fn formatted(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Static(_) | Self::Broken(_) => None,
        }
    }
}

impl From<Body> for AnyValue {
    fn from(body: Body) -> Self {
        match body {
            Body::Static(text) => text.into(),
            Body::Text(text) | Body::Broken(text) => text.into(),
        }
    }
}
