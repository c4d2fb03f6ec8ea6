//! One JSON object a line, on stdout; the keys are documented in the README.

use std::io::Write;
use std::time::SystemTime;

use opentelemetry::logs::AnyValue;
use opentelemetry::trace::{Event, Link, SpanId, Status};
use opentelemetry::{Array, KeyValue, Value};
use opentelemetry_sdk::trace::SpanData;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::points::{Point, each_point};
use super::text::{kind, rfc3339};
use super::{Item, Log};

/// Writes each item as one line of JSON.
pub(crate) struct Console {
    service: String,
}

impl Console {
    pub(crate) fn new(service: String) -> Self {
        Self { service }
    }

    /// Writes the items; `false` when stdout is gone.
    pub(crate) fn write(&mut self, items: &[Item]) -> bool {
        let mut lines = Vec::new();
        let mut put = |line: Line<'_>| {
            // Serialising to memory cannot fail: every value below is a JSON value.
            let _ = serde_json::to_writer(&mut lines, &line);
            lines.push(b'\n');
        };
        let service = &self.service;
        for item in items {
            match item {
                Item::Log(log) => put(Line::Log(service, log)),
                Item::Span(span) => put(Line::Span(service, span)),
                Item::Metrics(collected) => {
                    each_point(collected, |point| put(Line::Point(service, point)));
                }
                // News, and what is for a receiver only.
                Item::Start(_) | Item::Run(_) => {}
            }
        }
        let mut stdout = std::io::stdout().lock();
        (stdout.write_all(&lines).and_then(|()| stdout.flush())).is_ok()
    }
}

/// An item, after the service it is of.
enum Line<'a> {
    Log(&'a str, &'a Log),
    Span(&'a str, &'a SpanData),
    Point(&'a str, Point<'a>),
}

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut line = serializer.serialize_map(None)?;
        let service = match self {
            Self::Log(service, log) => {
                log_entries(&mut line, log)?;
                service
            }
            Self::Span(service, span) => {
                span_entries(&mut line, span)?;
                service
            }
            Self::Point(service, point) => {
                point_entries(&mut line, point)?;
                service
            }
        };
        line.serialize_entry("service", service)?;
        line.end()
    }
}

fn point_entries<M: SerializeMap>(line: &mut M, point: &Point<'_>) -> Result<(), M::Error> {
    line.serialize_entry("type", "metric")?;
    line.serialize_entry("name", point.name)?;
    line.serialize_entry("kind", point.kind)?;
    if !point.unit.is_empty() {
        line.serialize_entry("unit", point.unit)?;
    }
    line.serialize_entry("time", &rfc3339(point.time))?;
    for (name, value) in &point.values {
        line.serialize_entry(name, value)?;
    }
    line.serialize_entry("attributes", &point.attributes)
}

fn log_entries<M: SerializeMap>(line: &mut M, log: &Log) -> Result<(), M::Error> {
    line.serialize_entry("type", "log")?;
    let time = log.record.timestamp().unwrap_or(SystemTime::UNIX_EPOCH);
    line.serialize_entry("time", &rfc3339(time))?;
    line.serialize_entry("severity", log.record.severity_text().unwrap_or_default())?;
    line.serialize_entry("target", log.target())?;
    if let Some(name) = log.record.event_name() {
        line.serialize_entry("event_name", name)?;
    }
    line.serialize_entry("body", &log.record.body().map(Logged))?;
    line.serialize_entry("attributes", &LogAttributes(log))?;
    if let Some((trace_id, span_id)) = log.ids() {
        line.serialize_entry("trace_id", &trace_id.to_string())?;
        line.serialize_entry("span_id", &span_id.to_string())?;
    }
    Ok(())
}

fn span_entries<M: SerializeMap>(line: &mut M, span: &SpanData) -> Result<(), M::Error> {
    line.serialize_entry("type", "span")?;
    line.serialize_entry("name", &span.name)?;
    line.serialize_entry("kind", kind(&span.span_kind))?;
    line.serialize_entry("start_time", &rfc3339(span.start_time))?;
    line.serialize_entry("end_time", &rfc3339(span.end_time))?;
    match &span.status {
        Status::Unset => line.serialize_entry("status", "unset")?,
        Status::Ok => line.serialize_entry("status", "ok")?,
        Status::Error { description } => {
            line.serialize_entry("status", "error")?;
            line.serialize_entry("status_message", description)?;
        }
    }
    line.serialize_entry("attributes", &SpanAttributes(&span.attributes))?;
    if span.dropped_attributes_count > 0 {
        line.serialize_entry("dropped_attributes_count", &span.dropped_attributes_count)?;
    }
    if !span.events.events.is_empty() {
        line.serialize_entry("events", &Events(&span.events.events))?;
    }
    if !span.links.links.is_empty() {
        line.serialize_entry("links", &Links(&span.links.links))?;
    }
    line.serialize_entry("trace_id", &span.span_context.trace_id().to_string())?;
    line.serialize_entry("span_id", &span.span_context.span_id().to_string())?;
    if span.parent_span_id != SpanId::INVALID {
        line.serialize_entry("parent_span_id", &span.parent_span_id.to_string())?;
    }
    Ok(())
}

struct LogAttributes<'a>(&'a Log);

impl Serialize for LogAttributes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in self.0.record.attributes_iter() {
            map.serialize_entry(key.as_str(), &Logged(value))?;
        }
        map.end()
    }
}

struct SpanAttributes<'a>(&'a [KeyValue]);

impl Serialize for SpanAttributes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for attribute in self.0 {
            map.serialize_entry(attribute.key.as_str(), &Spanned(&attribute.value))?;
        }
        map.end()
    }
}

struct Events<'a>(&'a [Event]);

impl Serialize for Events<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(EventEntry))
    }
}

struct EventEntry<'a>(&'a Event);

impl Serialize for EventEntry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.0.name)?;
        map.serialize_entry("time", &rfc3339(self.0.timestamp))?;
        map.serialize_entry("attributes", &SpanAttributes(&self.0.attributes))?;
        map.end()
    }
}

struct Links<'a>(&'a [Link]);

impl Serialize for Links<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(LinkEntry))
    }
}

struct LinkEntry<'a>(&'a Link);

impl Serialize for LinkEntry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("trace_id", &self.0.span_context.trace_id().to_string())?;
        map.serialize_entry("span_id", &self.0.span_context.span_id().to_string())?;
        map.serialize_entry("attributes", &SpanAttributes(&self.0.attributes))?;
        map.end()
    }
}

/// A value on a log record.
struct Logged<'a>(&'a AnyValue);

impl Serialize for Logged<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            AnyValue::Int(value) => serializer.serialize_i64(*value),
            AnyValue::Double(value) => double(*value, serializer),
            AnyValue::String(value) => serializer.serialize_str(value.as_str()),
            AnyValue::Boolean(value) => serializer.serialize_bool(*value),
            AnyValue::Bytes(value) => serializer.collect_seq(value.iter()),
            AnyValue::ListAny(values) => {
                let mut list = serializer.serialize_seq(Some(values.len()))?;
                for value in values.iter() {
                    list.serialize_element(&Logged(value))?;
                }
                list.end()
            }
            AnyValue::Map(values) => {
                let mut map = serializer.serialize_map(Some(values.len()))?;
                for (key, value) in values.iter() {
                    map.serialize_entry(key.as_str(), &Logged(value))?;
                }
                map.end()
            }
            other => serializer.collect_str(&format_args!("{other:?}")),
        }
    }
}

/// A value on a span.
struct Spanned<'a>(&'a Value);

impl Serialize for Spanned<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::I64(value) => serializer.serialize_i64(*value),
            Value::F64(value) => double(*value, serializer),
            Value::String(value) => serializer.serialize_str(value.as_str()),
            Value::Array(Array::Bool(values)) => serializer.collect_seq(values),
            Value::Array(Array::I64(values)) => serializer.collect_seq(values),
            Value::Array(Array::F64(values)) => serializer.collect_seq(values),
            Value::Array(Array::String(values)) => {
                serializer.collect_seq(values.iter().map(|value| value.as_str()))
            }
            other => serializer.serialize_str(&other.as_str()),
        }
    }
}

/// JSON has no NaN and no infinity; they are written as strings, as in OTLP's own JSON.
fn double<S: Serializer>(value: f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_nan() {
        serializer.serialize_str("NaN")
    } else if value.is_infinite() {
        serializer.serialize_str(if value > 0.0 { "Infinity" } else { "-Infinity" })
    } else {
        serializer.serialize_f64(value)
    }
}
