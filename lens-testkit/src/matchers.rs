//! What a text, a value or a span is compared with.

use std::fmt;

use lens::opentelemetry::SpanId;

use crate::model::{Span, Value};

/// What a text must be like; made from a `&str` for exactly that text.
#[derive(Clone, Debug)]
pub struct TextMatch(TextRule);

#[derive(Clone, Debug)]
enum TextRule {
    Exact(String),
    Prefix(String),
    Suffix(String),
    Contains(String),
}

/// A text that begins like this.
#[must_use]
pub fn prefix(text: &str) -> TextMatch {
    TextMatch(TextRule::Prefix(text.to_owned()))
}

/// A text that ends like this.
#[must_use]
pub fn suffix(text: &str) -> TextMatch {
    TextMatch(TextRule::Suffix(text.to_owned()))
}

/// A text with this in it.
#[must_use]
pub fn contains(text: &str) -> TextMatch {
    TextMatch(TextRule::Contains(text.to_owned()))
}

impl From<&str> for TextMatch {
    fn from(text: &str) -> Self {
        Self(TextRule::Exact(text.to_owned()))
    }
}

impl From<String> for TextMatch {
    fn from(text: String) -> Self {
        Self(TextRule::Exact(text))
    }
}

impl From<&String> for TextMatch {
    fn from(text: &String) -> Self {
        Self(TextRule::Exact(text.clone()))
    }
}

impl TextMatch {
    pub(crate) fn matches(&self, text: &str) -> bool {
        match &self.0 {
            TextRule::Exact(exact) => text == exact,
            TextRule::Prefix(prefix) => text.starts_with(prefix.as_str()),
            TextRule::Suffix(suffix) => text.ends_with(suffix.as_str()),
            TextRule::Contains(part) => text.contains(part.as_str()),
        }
    }

    pub(crate) fn check(&self, what: &str, text: &str) -> Result<(), String> {
        if self.matches(text) {
            Ok(())
        } else {
            Err(format!("{what}: expected {self}, found {text:?}"))
        }
    }
}

impl fmt::Display for TextMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            TextRule::Exact(text) => write!(f, "{text:?}"),
            TextRule::Prefix(text) => write!(f, "prefix {text:?}"),
            TextRule::Suffix(text) => write!(f, "suffix {text:?}"),
            TextRule::Contains(text) => write!(f, "contains {text:?}"),
        }
    }
}

/// What a value must be like; made from a value for exactly that value and type: `7` is
/// not `"7"`.
#[derive(Clone, Debug)]
pub struct ValueMatch(ValueRule);

#[derive(Clone, Debug)]
enum ValueRule {
    Exact(Value),
    Loose(String),
    Text(TextMatch),
    Any,
}

/// Any value at all.
#[must_use]
pub fn any() -> ValueMatch {
    ValueMatch(ValueRule::Any)
}

/// A value that reads like this, whatever its type: `loose(7)` is also `"7"`.
#[must_use]
pub fn loose(value: impl fmt::Display) -> ValueMatch {
    ValueMatch(ValueRule::Loose(value.to_string()))
}

impl<V: Into<Value>> From<V> for ValueMatch {
    fn from(value: V) -> Self {
        Self(ValueRule::Exact(value.into()))
    }
}

impl From<TextMatch> for ValueMatch {
    fn from(text: TextMatch) -> Self {
        Self(ValueRule::Text(text))
    }
}

impl ValueMatch {
    pub(crate) fn check(&self, key: &str, value: Option<&Value>) -> Result<(), String> {
        let matches = match (&self.0, value) {
            (_, None) => false,
            (ValueRule::Any, Some(_)) => true,
            (ValueRule::Exact(exact), Some(value)) => value == exact,
            (ValueRule::Loose(text), Some(Value::Str(value))) => value == text,
            (ValueRule::Loose(text), Some(value)) => value.to_string() == *text,
            (ValueRule::Text(rule), Some(Value::Str(value))) => rule.matches(value),
            (ValueRule::Text(_), Some(_)) => false,
        };
        if matches {
            return Ok(());
        }
        let found = value.map_or("no such attribute".to_owned(), Value::typed);
        Err(format!("{key}: expected {self}, found {found}"))
    }
}

impl fmt::Display for ValueMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            ValueRule::Exact(value) => f.write_str(&value.typed()),
            ValueRule::Loose(text) => write!(f, "{text} of any type"),
            ValueRule::Text(text) => write!(f, "{text}"),
            ValueRule::Any => f.write_str("any value"),
        }
    }
}

/// Which span is meant; made from a name or from a span.
#[derive(Clone, Debug)]
pub struct SpanMatch(SpanRule);

#[derive(Clone, Debug)]
enum SpanRule {
    Named(TextMatch),
    Is(SpanId, String),
}

impl From<&Span> for SpanMatch {
    fn from(span: &Span) -> Self {
        Self(SpanRule::Is(span.span_id(), span.name().to_owned()))
    }
}

impl<T: Into<TextMatch>> From<T> for SpanMatch {
    fn from(name: T) -> Self {
        Self(SpanRule::Named(name.into()))
    }
}

impl SpanMatch {
    pub(crate) fn matches(&self, id: SpanId, name: &str) -> bool {
        match &self.0 {
            SpanRule::Named(rule) => rule.matches(name),
            SpanRule::Is(span, _) => *span == id,
        }
    }

    /// The one span meant, where one is.
    pub(crate) fn id(&self) -> Option<SpanId> {
        match &self.0 {
            SpanRule::Named(_) => None,
            SpanRule::Is(id, _) => Some(*id),
        }
    }
}

impl fmt::Display for SpanMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            SpanRule::Named(rule) => write!(f, "{rule}"),
            SpanRule::Is(_, name) => write!(f, "{name:?}"),
        }
    }
}
