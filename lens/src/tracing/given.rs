//! The fields of a span as lens hands them on: formatted once, with nothing locked, and never
//! panicking.

use opentelemetry::Key;
use opentelemetry::logs::AnyValue;
use tracing_core::Metadata;
use tracing_core::field::{Value, ValueSet, Visit};

use crate::bridge::{Each, Given};
use crate::reentry::quietly;
use crate::text::text;

/// The fields that were given, by name.
pub(super) struct Fields(Vec<(&'static str, Own)>);

/// A value of its own. Whole numbers have the one type that OpenTelemetry has for them.
enum Own {
    Int(i64),
    Float(f64),
    Bool(bool),
    Text(String),
}

impl Fields {
    /// Asks for them.
    pub(super) fn of(record: impl FnOnce(&mut dyn Visit)) -> Self {
        let mut fields = Vec::new();
        let _ = quietly(|| {
            record(&mut Each(
                |field: &tracing_core::Field, value: Given<'_>| {
                    fields.push((field.name(), Own::from(value)));
                },
            ));
        });
        Self(fields)
    }

    /// Does something with them as a set of values of the fields that `metadata` has.
    pub(super) fn with<R>(&self, metadata: &Metadata<'_>, f: impl FnOnce(&ValueSet<'_>) -> R) -> R {
        let fields = metadata.fields();
        let values: Vec<Option<&dyn Value>> = (fields.iter())
            .map(|field| {
                let given = self.0.iter().find(|(name, _)| *name == field.name());
                given.map(|(_, value)| value.as_field())
            })
            .collect();
        f(&fields.value_set_all(&values))
    }

    /// Those that have these names, for log records.
    pub(super) fn named(&self, names: &[String]) -> Vec<(Key, AnyValue)> {
        let is_asked = |(name, _): &&(&str, Own)| names.iter().any(|asked| asked == name);
        let asked = self.0.iter().filter(is_asked);
        asked
            .map(|(name, value)| (Key::from_static_str(name), value.into()))
            .collect()
    }
}

impl Own {
    fn as_field(&self) -> &dyn Value {
        match self {
            Self::Int(value) => value,
            Self::Float(value) => value,
            Self::Bool(value) => value,
            Self::Text(value) => value,
        }
    }
}

impl From<Given<'_>> for Own {
    fn from(value: Given<'_>) -> Self {
        let number = match value {
            Given::Int(value) => Some(value),
            Given::Signed(value) => value.try_into().ok(),
            Given::Unsigned(value) => value.try_into().ok(),
            _ => None,
        };
        match (number, value) {
            (Some(number), _) => Self::Int(number),
            (None, Given::Float(value)) => Self::Float(value),
            (None, Given::Bool(value)) => Self::Bool(value),
            (None, value) => Self::Text(text(format_args!("{value}"))),
        }
    }
}

impl From<&Own> for AnyValue {
    fn from(value: &Own) -> Self {
        match value {
            Own::Int(value) => (*value).into(),
            Own::Float(value) => (*value).into(),
            Own::Bool(value) => (*value).into(),
            Own::Text(value) => value.clone().into(),
        }
    }
}
