//! What was received, in plain types.

use std::collections::BTreeMap;

/// A typed value.
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
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Str(text.to_owned())
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Int(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::Double(value)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

/// The attributes of the sender.
pub type Resource = BTreeMap<String, Value>;

/// A received log record.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LogRecord {
    /// Who sent it.
    pub resource: Resource,
    /// The scope's name: the record's target.
    pub scope: String,
    /// Nanoseconds since 1970.
    pub time: u64,
    /// Nanoseconds since 1970.
    pub observed_time: u64,
    /// The severity's number.
    pub severity: i32,
    /// The severity as text.
    pub severity_text: String,
    /// The message.
    pub body: Value,
    /// Attributes in the order sent; duplicates are kept.
    pub attributes: Vec<(String, Value)>,
    /// The trace id in hex, if there is one.
    pub trace_id: Option<String>,
    /// The span id in hex, if there is one.
    pub span_id: Option<String>,
}

impl LogRecord {
    /// Returns the message, where it is a string.
    #[must_use]
    pub fn body_str(&self) -> &str {
        self.body.as_str().unwrap_or_default()
    }

    /// Returns an attribute.
    #[must_use]
    pub fn attr(&self, key: &str) -> Option<&Value> {
        find(&self.attributes, key)
    }
}

/// A received span.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Span {
    /// Who sent it.
    pub resource: Resource,
    /// The scope's name.
    pub scope: String,
    /// The span's name.
    pub name: String,
    /// The trace id in hex.
    pub trace_id: String,
    /// The span id in hex.
    pub span_id: String,
    /// The parent's id in hex, unless the span is a root.
    pub parent_span_id: Option<String>,
    /// Nanoseconds since 1970.
    pub start_time: u64,
    /// Nanoseconds since 1970.
    pub end_time: u64,
    /// Whether the status is an error, and its message.
    pub error: Option<String>,
    /// Attributes in the order sent; duplicates are kept.
    pub attributes: Vec<(String, Value)>,
}

impl Span {
    /// Returns an attribute.
    #[must_use]
    pub fn attr(&self, key: &str) -> Option<&Value> {
        find(&self.attributes, key)
    }
}

fn find<'a>(attributes: &'a [(String, Value)], key: &str) -> Option<&'a Value> {
    let mut found = attributes.iter().filter(|(known, _)| known == key);
    found.next().map(|(_, value)| value)
}
