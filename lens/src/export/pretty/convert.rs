//! From the SDK's types to lines.

use std::fmt::Write as _;

use opentelemetry::KeyValue;
use opentelemetry::logs::AnyValue;
use opentelemetry::trace::{Event, Status};
use opentelemetry_sdk::trace::SpanData;

use super::line::{LogLine, SpanLine, SpanStatus, Style};
use crate::diag::one_line;
use crate::export::Log;
use crate::export::points::Point;
use crate::export::text::{kind, logged, spanned, string};

/// A span that has ended, or that is still open.
pub(super) fn span(style: Style, span: &SpanData, ended: bool) -> String {
    let took = span
        .end_time
        .duration_since(span.start_time)
        .unwrap_or_default();
    style.span(SpanLine {
        name: &span.name,
        kind: kind(&span.span_kind),
        status: match &span.status {
            Status::Unset => SpanStatus::Unset,
            Status::Ok => SpanStatus::Ok,
            Status::Error { description } => SpanStatus::Error(description),
        },
        took: ended.then_some(took),
        open: !ended,
        attributes: attributes(&span.attributes),
        dropped: span.dropped_attributes_count,
    })
}

pub(super) fn event(event: &Event) -> String {
    Style::event(&event.name, attributes(&event.attributes))
}

pub(super) fn log(style: Style, log: &Log) -> String {
    style.log(LogLine {
        severity: log.record.severity_text().unwrap_or("INFO"),
        target: log.target(),
        body: log.record.body().map(|body| match body {
            AnyValue::String(body) => format!("{:?}", body.as_str()),
            body => logged(body),
        }),
        attributes: (log.record.attributes_iter())
            .map(|(key, value)| (key.as_str(), logged(value)))
            .collect(),
    })
}

fn attributes(attributes: &[KeyValue]) -> Vec<(&str, String)> {
    (attributes.iter())
        .map(|attribute| (attribute.key.as_str(), spanned(&attribute.value)))
        .collect()
}

/// A data point: `steps sum value=12 {step} optimizer=sgd`.
pub(super) fn point(point: &Point<'_>) -> String {
    let mut line = format!("{} {}", one_line(point.name), point.kind);
    for (name, value) in &point.values {
        let _ = write!(line, " {name}={value}");
    }
    if !point.unit.is_empty() {
        let _ = write!(line, " {}", one_line(point.unit));
    }
    for (key, value) in &point.attributes {
        let value = match value.as_str() {
            Some(text) => string(text),
            None => value.to_string(),
        };
        let _ = write!(line, " {}={value}", one_line(key));
    }
    line
}
