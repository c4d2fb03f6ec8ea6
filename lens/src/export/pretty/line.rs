//! One span or record as one line, in colour where the terminal takes it.

use std::fmt::Write;

use opentelemetry::logs::AnyValue;
use opentelemetry::trace::{Event, SpanKind, Status};
use opentelemetry_sdk::trace::SpanData;

use crate::diag::one_line;
use crate::export::Log;
use crate::export::text::{duration, kind, logged, spanned};
use crate::semconv::{code, exception};

/// How lines look.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) color: bool,
}

impl Style {
    pub(super) fn span(&self, span: &SpanData, ended: bool) -> String {
        let mut text = self.bold(&span.name);
        if span.span_kind != SpanKind::Internal {
            let _ = write!(text, " ({})", kind(&span.span_kind));
        }
        match &span.status {
            Status::Unset => {}
            Status::Ok => text.push_str(" ok"),
            Status::Error { description } => {
                let error = format!(" error {description:?}");
                text.push_str(&self.colored(RED, &error));
            }
        }
        if ended {
            let took = span
                .end_time
                .duration_since(span.start_time)
                .unwrap_or_default();
            let _ = write!(text, "  {}", self.dim(&duration(took)));
        } else {
            text.push_str(" (open)");
        }
        let attributes = (span.attributes.iter())
            .map(|attribute| (attribute.key.as_str(), spanned(&attribute.value)));
        attribute_text(&mut text, "  ", attributes.collect());
        if span.dropped_attributes_count > 0 {
            let _ = write!(text, " (+{} dropped)", span.dropped_attributes_count);
        }
        text
    }

    pub(super) fn event(event: &Event) -> String {
        let mut text = format!("event {}", one_line(&event.name));
        let attributes = (event.attributes.iter())
            .map(|attribute| (attribute.key.as_str(), spanned(&attribute.value)));
        attribute_text(&mut text, " ", attributes.collect());
        text
    }

    pub(super) fn log(&self, log: &Log) -> String {
        let severity = log.record.severity_text().unwrap_or("INFO");
        let mut text = format!(
            "{} {}",
            self.colored(severity_color(severity), severity),
            one_line(log.target())
        );
        if let Some(body) = log.record.body() {
            let body = match body {
                AnyValue::String(body) => format!("{:?}", body.as_str()),
                body => logged(body),
            };
            let _ = write!(text, " {body}");
        }
        let mut attributes = Vec::new();
        let (mut kind, mut message) = (None, None);
        for (key, value) in log.record.attributes_iter() {
            match key.as_str() {
                code::FILE_PATH | code::LINE_NUMBER | exception::STACKTRACE => {}
                exception::TYPE => kind = Some(logged(value)),
                exception::MESSAGE => message = Some(logged(value)),
                key => attributes.push((key, logged(value))),
            }
        }
        attribute_text(&mut text, " ", attributes);
        if kind.is_some() || message.is_some() {
            let _ = write!(
                text,
                " !{}: {}",
                kind.as_deref().unwrap_or("error"),
                message.as_deref().unwrap_or_default()
            );
        }
        text
    }

    fn colored(&self, color: &str, text: &str) -> String {
        if self.color {
            format!("\x1b[{color}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    pub(super) fn dim(&self, text: &str) -> String {
        self.colored("2", text)
    }

    /// A span's name is the program's own text and may hold anything.
    fn bold(&self, name: &str) -> String {
        self.colored("1", &one_line(name))
    }
}

const RED: &str = "31";

fn severity_color(severity: &str) -> &'static str {
    match severity {
        "ERROR" | "FATAL" => RED,
        "WARN" => "33",
        "INFO" => "32",
        _ => "36",
    }
}

fn attribute_text(text: &mut String, separator: &str, mut attributes: Vec<(&str, String)>) {
    attributes.sort_unstable();
    let mut separator = separator;
    let mut before = None;
    for (key, value) in attributes {
        let dup = if before == Some(key) { " !dup" } else { "" };
        let _ = write!(text, "{separator}{}={value}{dup}", one_line(key));
        (separator, before) = (" ", Some(key));
    }
}
