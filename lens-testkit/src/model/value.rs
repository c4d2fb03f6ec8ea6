//! Typed values.

use std::fmt;

use lens::__private::text_value;
use lens::opentelemetry::logs::AnyValue;
use lens::opentelemetry::{Array, Value as SpanValue};

/// A typed value of an attribute or a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// No value.
    Empty,
    /// A string.
    Str(String),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Double(f64),
    /// A boolean.
    Bool(bool),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A list.
    List(Vec<Value>),
    /// A map.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// Returns the string, if it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The value with its type, for a message that compares two of them.
    pub(crate) fn typed(&self) -> String {
        match self {
            Value::Empty => "nothing".to_owned(),
            Value::Str(text) => format!("Str({text:?})"),
            Value::Int(value) => format!("Int({value})"),
            Value::Double(value) => format!("Double({value:?})"),
            Value::Bool(value) => format!("Bool({value})"),
            other => other.to_string(),
        }
    }
}

/// As in a tree: strings bare where that is unambiguous.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Empty => f.write_str("()"),
            Value::Str(text) => f.write_str(&text_value(text)),
            Value::Int(value) => write!(f, "{value}"),
            Value::Double(value) => write!(f, "{value:?}"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Bytes(bytes) => write!(f, "{bytes:?}"),
            Value::List(values) => {
                let values: Vec<_> = values.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", values.join(", "))
            }
            Value::Map(entries) => {
                let mut entries: Vec<_> = (entries.iter())
                    .map(|(key, value)| format!("{key}: {value}"))
                    .collect();
                entries.sort_unstable();
                write!(f, "{{{}}}", entries.join(", "))
            }
        }
    }
}

macro_rules! from {
    ($($type:ty => $variant:ident($convert:expr)),* $(,)?) => {$(
        impl From<$type> for Value {
            fn from(value: $type) -> Self {
                Value::$variant($convert(value))
            }
        }
    )*};
}

from! {
    &str => Str(str::to_owned),
    String => Str(std::convert::identity),
    i32 => Int(i64::from),
    i64 => Int(std::convert::identity),
    u32 => Int(i64::from),
    f64 => Double(std::convert::identity),
    bool => Bool(std::convert::identity),
}

/// As lens sends them: an integer that does not fit `i64` is its decimal text.
impl From<u64> for Value {
    fn from(value: u64) -> Self {
        match i64::try_from(value) {
            Ok(value) => Value::Int(value),
            Err(_) => Value::Str(value.to_string()),
        }
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Value::from(value as u64)
    }
}

impl From<&AnyValue> for Value {
    fn from(value: &AnyValue) -> Self {
        match value {
            AnyValue::Int(value) => Value::Int(*value),
            AnyValue::Double(value) => Value::Double(*value),
            AnyValue::String(text) => Value::Str(text.as_str().to_owned()),
            AnyValue::Boolean(value) => Value::Bool(*value),
            AnyValue::Bytes(bytes) => Value::Bytes(bytes.to_vec()),
            AnyValue::ListAny(values) => Value::List(values.iter().map(Value::from).collect()),
            AnyValue::Map(entries) => Value::Map(
                (entries.iter())
                    .map(|(key, value)| (key.to_string(), Value::from(value)))
                    .collect(),
            ),
            other => Value::Str(format!("{other:?}")),
        }
    }
}

impl From<&SpanValue> for Value {
    fn from(value: &SpanValue) -> Self {
        match value {
            SpanValue::Bool(value) => Value::Bool(*value),
            SpanValue::I64(value) => Value::Int(*value),
            SpanValue::F64(value) => Value::Double(*value),
            SpanValue::String(text) => Value::Str(text.as_str().to_owned()),
            SpanValue::Array(Array::Bool(list)) => list.iter().map(|v| Value::Bool(*v)).collect(),
            SpanValue::Array(Array::I64(list)) => list.iter().map(|v| Value::Int(*v)).collect(),
            SpanValue::Array(Array::F64(list)) => list.iter().map(|v| Value::Double(*v)).collect(),
            SpanValue::Array(Array::String(list)) => {
                list.iter().map(|v| Value::from(v.as_str())).collect()
            }
            other => Value::Str(other.to_string()),
        }
    }
}

impl FromIterator<Value> for Value {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        Value::List(values.into_iter().collect())
    }
}
