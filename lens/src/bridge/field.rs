//! Fields of `tracing`, whatever their types.

use std::error::Error;
use std::fmt::{self, Debug, Display};

use opentelemetry::logs::AnyValue;
use tracing_core::field::{Field, Visit};

use super::value::integer;
use crate::text::text;

/// The value of a field. A `Debug` of the program's has not run yet.
pub(crate) enum Given<'a> {
    Shown(&'a dyn Debug),
    Error(&'a (dyn Error + 'static)),
    Text(&'a str),
    Bytes(&'a [u8]),
    Int(i64),
    Signed(i128),
    Unsigned(u128),
    Float(f64),
    Bool(bool),
}

impl Given<'_> {
    /// The value, if it is a whole number that others would make a text of.
    pub(crate) fn number_in_words(&self) -> Option<i64> {
        match self {
            Self::Signed(value) => (*value).try_into().ok(),
            Self::Unsigned(value) => (*value).try_into().ok(),
            _ => None,
        }
    }
}

impl Display for Given<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shown(value) => Debug::fmt(value, f),
            Self::Error(value) => Display::fmt(value, f),
            Self::Text(value) => f.write_str(value),
            Self::Bytes(value) => Debug::fmt(value, f),
            Self::Int(value) => Display::fmt(value, f),
            Self::Signed(value) => Display::fmt(value, f),
            Self::Unsigned(value) => Display::fmt(value, f),
            Self::Float(value) => Display::fmt(value, f),
            Self::Bool(value) => Display::fmt(value, f),
        }
    }
}

impl From<Given<'_>> for AnyValue {
    fn from(value: Given<'_>) -> Self {
        match value {
            Given::Text(value) => value.to_owned().into(),
            Given::Bytes(value) => value.into(),
            Given::Int(value) => value.into(),
            Given::Signed(value) => integer(value),
            Given::Unsigned(value) => integer(value),
            Given::Float(value) => value.into(),
            Given::Bool(value) => value.into(),
            Given::Shown(_) | Given::Error(_) => text(format_args!("{value}")).into(),
        }
    }
}

/// Calls a function for each field, with its name.
pub(crate) struct Each<F>(pub(crate) F);

impl<F: FnMut(&'static str, Given<'_>)> Each<F> {
    fn put(&mut self, field: &Field, value: Given<'_>) {
        // As a field comes that is called like a keyword.
        let name = field.name();
        (self.0)(name.strip_prefix("r#").unwrap_or(name), value);
    }
}

impl<F: FnMut(&'static str, Given<'_>)> Visit for Each<F> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.put(field, Given::Shown(value));
    }

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        self.put(field, Given::Error(value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, Given::Text(value));
    }

    fn record_bytes(&mut self, field: &Field, value: &[u8]) {
        self.put(field, Given::Bytes(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, Given::Int(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, Given::Unsigned(value.into()));
    }

    fn record_i128(&mut self, field: &Field, value: i128) {
        self.put(field, Given::Signed(value));
    }

    fn record_u128(&mut self, field: &Field, value: u128) {
        self.put(field, Given::Unsigned(value));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, Given::Float(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, Given::Bool(value));
    }
}
