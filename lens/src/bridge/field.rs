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

/// Calls a function for each field.
pub(crate) struct Each<F>(pub(crate) F);

/// What to call a field that is called like a keyword.
pub(crate) fn name(field: &Field) -> &'static str {
    let name = field.name();
    name.strip_prefix("r#").unwrap_or(name)
}

impl<F: FnMut(&Field, Given<'_>)> Visit for Each<F> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        (self.0)(field, Given::Shown(value));
    }

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        (self.0)(field, Given::Error(value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        (self.0)(field, Given::Text(value));
    }

    fn record_bytes(&mut self, field: &Field, value: &[u8]) {
        (self.0)(field, Given::Bytes(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        (self.0)(field, Given::Int(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        (self.0)(field, Given::Unsigned(value.into()));
    }

    fn record_i128(&mut self, field: &Field, value: i128) {
        (self.0)(field, Given::Signed(value));
    }

    fn record_u128(&mut self, field: &Field, value: u128) {
        (self.0)(field, Given::Unsigned(value));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        (self.0)(field, Given::Float(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        (self.0)(field, Given::Bool(value));
    }
}
