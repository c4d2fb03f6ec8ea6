//! A log record, and what can be asked and asserted of it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use lens::__private::{LogLine, Style};
use lens::opentelemetry::{SpanId, TraceId};
use log::Level;

use super::{Snapshot, Span, Value};
use crate::matchers::{TextMatch, ValueMatch};
use crate::query::{Item, broken};

/// The plain data of a record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LogData {
    /// The position among all spans and records of the capture.
    pub(crate) sequence: u64,
    pub(crate) resource: Arc<BTreeMap<String, Value>>,
    pub(crate) target: String,
    /// The name of the event that it is, or nothing.
    pub(crate) event_name: String,
    /// Nanoseconds since 1970.
    pub(crate) time: u64,
    pub(crate) observed_time: u64,
    pub(crate) severity: i32,
    pub(crate) severity_text: String,
    pub(crate) body: Value,
    pub(crate) attributes: Vec<(String, Value)>,
    pub(crate) dropped_attributes: u32,
    pub(crate) ids: Option<(TraceId, SpanId)>,
    /// The name of the thread it was made on; empty where it came over the wire.
    pub(crate) thread: String,
}

/// A log record that was captured or received.
///
/// The `has_…` and `in_…` methods assert and return the record for the next one; a failure
/// prints the record and everything that was captured.
#[derive(Clone)]
pub struct LogRecord {
    pub(crate) data: Arc<LogData>,
    pub(crate) all: Arc<Snapshot>,
}

impl LogData {
    pub(crate) fn level(&self) -> Option<Level> {
        Level::iter().find(|level| (0..4).contains(&(self.severity - least_severity(*level))))
    }

    pub(crate) fn attr(&self, key: &str) -> Option<&Value> {
        find(&self.attributes, key)
    }

    pub(crate) fn body_text(&self) -> String {
        match &self.body {
            Value::Str(text) => text.clone(),
            other => other.to_string(),
        }
    }
}

/// The smallest of the four severity numbers of a level.
///
/// <https://opentelemetry.io/docs/specs/otel/logs/data-model/#field-severitynumber>
pub(crate) fn least_severity(level: Level) -> i32 {
    match level {
        Level::Trace => 1,
        Level::Debug => 5,
        Level::Info => 9,
        Level::Warn => 13,
        Level::Error => 17,
    }
}

impl Item for LogData {
    const NAME: &'static str = "log";

    fn line(&self) -> String {
        Style::default().log(LogLine {
            severity: &self.severity_text,
            target: &self.target,
            body: match &self.body {
                Value::Empty => None,
                Value::Str(text) => Some(format!("{text:?}")),
                other => Some(other.to_string()),
            },
            attributes: rendered(&self.attributes),
        })
    }

    fn sequence(&self) -> u64 {
        self.sequence
    }
}

impl LogRecord {
    /// Returns the name of the event that the record is, if it is one.
    #[must_use]
    pub fn event_name(&self) -> Option<&str> {
        Some(self.data.event_name.as_str()).filter(|name| !name.is_empty())
    }

    /// Returns the level; `None` for a severity `log` has no level for, such as FATAL.
    #[must_use]
    pub fn level(&self) -> Option<Level> {
        self.data.level()
    }

    /// Returns the number and the text of the severity.
    #[must_use]
    pub fn severity(&self) -> (i32, &str) {
        (self.data.severity, &self.data.severity_text)
    }

    /// Returns the target, which is the name of the scope.
    #[must_use]
    pub fn target(&self) -> &str {
        &self.data.target
    }

    /// Returns the message.
    #[must_use]
    pub fn body(&self) -> &Value {
        &self.data.body
    }

    /// Returns the message as text.
    #[must_use]
    pub fn body_str(&self) -> &str {
        self.data.body.as_str().unwrap_or_default()
    }

    /// Returns an attribute.
    #[must_use]
    pub fn attr(&self, key: &str) -> Option<&Value> {
        self.data.attr(key)
    }

    /// Returns all attributes in the order they were given.
    #[must_use]
    pub fn attrs(&self) -> &[(String, Value)] {
        &self.data.attributes
    }

    /// Returns how many attributes were dropped for a limit.
    #[must_use]
    pub fn dropped_attrs(&self) -> u32 {
        self.data.dropped_attributes
    }

    /// Returns the id of the trace the record was made in.
    #[must_use]
    pub fn trace_id(&self) -> Option<TraceId> {
        self.data.ids.map(|(trace_id, _)| trace_id)
    }

    /// Returns the id of the span the record was made in.
    #[must_use]
    pub fn span_id(&self) -> Option<SpanId> {
        self.data.ids.map(|(_, span_id)| span_id)
    }

    /// Returns the span the record was made in, if that was captured too.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        Span::find(&self.all, self.span_id()?)
    }

    /// Returns the sender's attribute.
    #[must_use]
    pub fn resource(&self, key: &str) -> Option<&Value> {
        self.data.resource.get(key)
    }

    /// Returns the time of the call, in nanoseconds since 1970.
    #[must_use]
    pub fn time(&self) -> u64 {
        self.data.time
    }

    /// Returns the observed time, in nanoseconds since 1970.
    #[must_use]
    pub fn observed_time(&self) -> u64 {
        self.data.observed_time
    }

    /// Returns the file and line of the call.
    #[must_use]
    pub fn location(&self) -> Option<(&str, i64)> {
        match (self.attr("code.file.path")?, self.attr("code.line.number")?) {
            (Value::Str(file), Value::Int(line)) => Some((file, *line)),
            _ => None,
        }
    }

    /// Returns the name of the thread; empty for a record that came over the wire.
    #[must_use]
    pub fn thread(&self) -> &str {
        &self.data.thread
    }

    /// Asserts the level.
    ///
    /// # Panics
    ///
    /// When it is another one.
    #[track_caller]
    pub fn has_level(&self, level: Level) -> &Self {
        if self.level() != Some(level) {
            let found = &self.data.severity_text;
            self.fail(&format!("level: expected {level}, found {found}"));
        }
        self
    }

    /// Asserts the message.
    ///
    /// # Panics
    ///
    /// When it does not match.
    #[track_caller]
    pub fn has_body(&self, body: impl Into<TextMatch>) -> &Self {
        if let Err(why) = body.into().check("body", &self.data.body_text()) {
            self.fail(&why);
        }
        self
    }

    /// Asserts an attribute, by value and type.
    ///
    /// # Panics
    ///
    /// When it is missing or does not match.
    #[track_caller]
    pub fn has_attr(&self, key: &str, value: impl Into<ValueMatch>) -> &Self {
        if let Err(why) = value.into().check(key, self.attr(key)) {
            self.fail(&why);
        }
        self
    }

    /// Asserts that an attribute is not there.
    ///
    /// # Panics
    ///
    /// When it is.
    #[track_caller]
    pub fn has_no_attr(&self, key: &str) -> &Self {
        if let Some(value) = self.attr(key) {
            self.fail(&format!(
                "{key}: expected no attribute, found {}",
                value.typed()
            ));
        }
        self
    }

    /// Asserts that the record was made in `span`, and carries its ids.
    ///
    /// # Panics
    ///
    /// When it was made in another span, or in none.
    #[track_caller]
    pub fn in_span(&self, span: &Span) -> &Self {
        if self.data.ids != Some((span.trace_id(), span.span_id())) {
            let found = match (self.span_id(), self.span()) {
                (None, _) => "no span".to_owned(),
                (_, Some(span)) => format!("span {:?}", span.name()),
                (Some(_), None) => "a span that was not captured".to_owned(),
            };
            self.fail(&format!("span: expected {:?}, found {found}", span.name()));
        }
        self
    }

    #[track_caller]
    fn fail(&self, why: &str) -> ! {
        broken(&*self.data, why, &self.all)
    }
}

/// One line, as in a tree.
impl fmt::Display for LogRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.data.line())
    }
}

impl fmt::Debug for LogRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.data.fmt(f)
    }
}

impl PartialEq for LogRecord {
    fn eq(&self, other: &Self) -> bool {
        self.data == other.data
    }
}

/// The value of a key; of one that is there twice the last, as for OpenTelemetry.
pub(crate) fn find<'a>(attributes: &'a [(String, Value)], key: &str) -> Option<&'a Value> {
    let mut found = attributes.iter().rev().filter(|(known, _)| known == key);
    found.next().map(|(_, value)| value)
}

pub(crate) fn rendered(attributes: &[(String, Value)]) -> Vec<(&str, String)> {
    (attributes.iter())
        .map(|(key, value)| (key.as_str(), value.to_string()))
        .collect()
}
