//! One span or record as one line, in colour where the terminal takes it.
//!
//! In: what a line shows, from whichever types. Out: text without a newline.

use std::fmt::Write;
use std::time::Duration;

use crate::diag::one_line;
use crate::export::text::duration;
use crate::semconv::{code, exception};

/// How lines look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// With the escape sequences of a terminal.
    pub color: bool,
}

/// What the line of a span shows.
#[derive(Debug, Default)]
pub struct SpanLine<'a> {
    /// The span's name.
    pub name: &'a str,
    /// Not shown when empty or `internal`.
    pub kind: &'a str,
    /// How it ended.
    pub status: SpanStatus<'a>,
    /// How long it took, if that is shown.
    pub took: Option<Duration>,
    /// Whether it has not ended.
    pub open: bool,
    /// Keys and rendered values.
    pub attributes: Vec<(&'a str, String)>,
    /// How many attributes were over a limit.
    pub dropped: u32,
}

/// How a span ended.
#[derive(Debug, Default)]
pub enum SpanStatus<'a> {
    /// Nobody said.
    #[default]
    Unset,
    /// Well, explicitly.
    Ok,
    /// Badly, and why.
    Error(&'a str),
}

/// What the line of a log record shows.
#[derive(Debug, Default)]
pub struct LogLine<'a> {
    /// The severity's text.
    pub severity: &'a str,
    /// The logger's name.
    pub target: &'a str,
    /// The rendered message.
    pub body: Option<String>,
    /// Keys and rendered values; those of code and exceptions are recognised.
    pub attributes: Vec<(&'a str, String)>,
}

impl Style {
    /// The line of a span.
    pub fn span(self, span: SpanLine<'_>) -> String {
        let mut text = self.bold(span.name);
        if !matches!(span.kind, "" | "internal") {
            let _ = write!(text, " ({})", span.kind);
        }
        match span.status {
            SpanStatus::Unset => {}
            SpanStatus::Ok => text.push_str(" ok"),
            SpanStatus::Error(description) => {
                text.push_str(&self.colored(RED, &format!(" error {description:?}")));
            }
        }
        if let Some(took) = span.took {
            let _ = write!(text, "  {}", self.dim(&duration(took)));
        }
        if span.open {
            text.push_str(" (open)");
        }
        let mut attributes = span.attributes;
        attributes.retain(|(key, _)| !code::ALL.contains(key));
        attribute_text(&mut text, "  ", attributes);
        if span.dropped > 0 {
            let _ = write!(text, " (+{} dropped)", span.dropped);
        }
        text
    }

    /// The line of a span event.
    pub fn event(name: &str, attributes: Vec<(&str, String)>) -> String {
        let mut text = format!("event {}", one_line(name));
        attribute_text(&mut text, " ", attributes);
        text
    }

    /// The line of a log record.
    pub fn log(self, log: LogLine<'_>) -> String {
        let severity = self.colored(severity_color(log.severity), log.severity);
        let mut text = format!("{severity} {}", one_line(log.target));
        if let Some(body) = log.body {
            let _ = write!(text, " {body}");
        }
        let mut attributes = Vec::new();
        let (mut kind, mut message) = (None, None);
        for (key, value) in log.attributes {
            match key {
                exception::STACKTRACE => {}
                key if code::ALL.contains(&key) => {}
                exception::TYPE => kind = Some(value),
                exception::MESSAGE => message = Some(value),
                key => attributes.push((key, value)),
            }
        }
        attribute_text(&mut text, " ", attributes);
        if kind.is_some() || message.is_some() {
            let kind = kind.as_deref().unwrap_or("error");
            let _ = write!(text, " !{kind}: {}", message.unwrap_or_default());
        }
        text
    }

    /// Less prominent.
    pub fn dim(self, text: &str) -> String {
        self.colored("2", text)
    }

    /// A span's name is the program's own text and may hold anything.
    fn bold(self, name: &str) -> String {
        self.colored("1", &one_line(name))
    }

    fn colored(self, color: &str, text: &str) -> String {
        if self.color {
            format!("\x1b[{color}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
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
