//! Turns a borrowed log record into one the exporter may keep.
//!
//! In: `log::Record`, alive for one call. Out: an owned OpenTelemetry record. The only copy
//! on the path.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::SystemTime;

use log::{Level, Record};
use opentelemetry::logs::{AnyValue, LogRecord as _, Logger as _, Severity};
use opentelemetry::trace::TraceContextExt;
use opentelemetry::{Context, Key};
use opentelemetry_sdk::logs::{SdkLogRecord, SdkLogger};

use super::limit::cut_text;
use super::value::Attributes;
use crate::admission::HeldBack;
use crate::config::{REDACTED, Redact};
use crate::failure::Failure;
use crate::semconv::{code, exception, held_back as held_back_keys, otel};
use crate::state::Bridge;
use crate::text::format;

/// The message of a record.
pub(super) enum Body {
    Static(&'static str),
    Text(String),
    /// A `Display` failed or panicked; this is what can be said.
    Broken(String),
}

impl Body {
    /// The message, where formatting it cost something.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Body::Text(text) => Some(text),
            Body::Static(_) | Body::Broken(_) => None,
        }
    }
}

/// A record that lacks its body.
pub(super) struct Bodiless(SdkLogRecord);

impl Bodiless {
    pub(super) fn with_body(mut self, body: Body) -> SdkLogRecord {
        self.0.set_body(match body {
            Body::Static(text) => text.into(),
            Body::Text(text) | Body::Broken(text) => text.into(),
        });
        self.0
    }
}

/// Formats the message of a `log` record.
pub(super) fn body(record: &Record<'_>) -> Body {
    match record.args().as_str() {
        Some(text) => Body::Static(text),
        None => match format(*record.args()) {
            Ok(text) => Body::Text(text),
            Err(text) => Body::Broken(text),
        },
    }
}

/// The OpenTelemetry record of a `log` record that was made at `time`.
pub(super) fn record(bridge: &Bridge, record: &Record<'_>, time: SystemTime) -> Bodiless {
    let mut converted = started(&bridge.logger, severity(record.level()), time);
    match record.module_path_static() {
        // Free of an allocation for every macro call that names no target of its own.
        Some(module) if module == record.target() => converted.set_target(module),
        _ => converted.set_target(record.target().to_owned()),
    }
    let attributes = attributes(record, bridge);
    if let Some(name) = attributes.event_name {
        converted.set_event_name(name);
    }
    // The bridge's own attributes are beside those that a limit counts.
    let mut own = Own {
        record: &mut converted,
        given: Some(&attributes),
        redact: &bridge.redact,
        length: bridge.limits.value_length,
    };
    if let Some(failure) = &attributes.failure {
        own.failure(failure);
    }
    if let Some(file) = record.file_static() {
        own.add(code::FILE_PATH, file);
    } else if let Some(file) = record.file() {
        own.add(code::FILE_PATH, file.to_owned());
    }
    if let Some(line) = record.line() {
        own.add(code::LINE_NUMBER, i64::from(line));
    }
    if attributes.dropped > 0 {
        let dropped = i64::from(attributes.dropped);
        converted.add_attribute(otel::DROPPED_ATTRIBUTES_COUNT, dropped);
    }
    for (key, value) in attributes.into_pairs() {
        converted.add_attribute(key, value);
    }
    Bodiless(converted)
}

/// A record about the program itself: its main returned an error, or it panics.
pub(crate) fn about_main(
    bridge: &Bridge,
    module: &'static str,
    failure: &Failure,
    location: Option<(&str, u32)>,
) -> SdkLogRecord {
    let severity = (Severity::Error, "ERROR");
    let mut record = started(&bridge.logger, severity, SystemTime::now());
    record.set_target(module);
    record.set_body(failure.message.clone().into());
    let mut own = Own {
        record: &mut record,
        given: None,
        redact: &bridge.redact,
        length: bridge.limits.value_length,
    };
    own.failure(failure);
    if let Some((file, line)) = location {
        own.add(code::FILE_PATH, file.to_owned());
        own.add(code::LINE_NUMBER, i64::from(line));
    }
    record
}

/// A record about what the scope of `module` held back.
pub(super) fn about_scope(
    logger: &SdkLogger,
    module: &'static str,
    held_back: HeldBack,
    time: SystemTime,
) -> SdkLogRecord {
    let mut record = started(logger, (Severity::Info, "INFO"), time);
    record.set_target(module);
    record.set_body(format!("held back {} log records", held_back.total()).into());
    for (key, count) in [
        (held_back_keys::OVER_RATE, held_back.over_rate),
        (held_back_keys::NOT_SAMPLED, held_back.not_sampled),
    ] {
        if count > 0 {
            record.add_attribute(key, i64::try_from(count).unwrap_or(i64::MAX));
        }
    }
    record
}

fn started(
    logger: &SdkLogger,
    (number, text): (Severity, &'static str),
    time: SystemTime,
) -> SdkLogRecord {
    let mut record = logger.create_log_record();
    // Both are the time of the call. Some viewers show a missing one as 1970.
    record.set_timestamp(time);
    record.set_observed_timestamp(time);
    record.set_severity_number(number);
    record.set_severity_text(text);
    Context::map_current(|context| {
        let span = context.span();
        let span = span.span_context();
        if span.is_valid() {
            let flags = Some(span.trace_flags());
            record.set_trace_context(span.trace_id(), span.span_id(), flags);
        }
    });
    record
}

fn severity(level: Level) -> (Severity, &'static str) {
    match level {
        Level::Error => (Severity::Error, "ERROR"),
        Level::Warn => (Severity::Warn, "WARN"),
        Level::Info => (Severity::Info, "INFO"),
        Level::Debug => (Severity::Debug, "DEBUG"),
        Level::Trace => (Severity::Trace, "TRACE"),
    }
}

fn attributes<'b>(record: &Record<'_>, bridge: &'b Bridge) -> Attributes<'b> {
    let mut attributes = Attributes::new(&bridge.redact, bridge.limits);
    // A value that panics costs those that come after it in the same record.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let _ = record.key_values().visit(&mut attributes);
    }));
    attributes
}

/// What the bridge knows of a record beside what the caller says, which wins.
struct Own<'a> {
    record: &'a mut SdkLogRecord,
    given: Option<&'a Attributes<'a>>,
    redact: &'a Redact,
    /// How long a text may be.
    length: Option<usize>,
}

impl Own<'_> {
    fn add(&mut self, key: &'static str, value: impl Into<AnyValue>) {
        if self.given.is_some_and(|given| given.contains(key)) {
            return;
        }
        let value = if self.redact.hides(key) {
            REDACTED.into()
        } else {
            value.into()
        };
        self.record.add_attribute(Key::from_static_str(key), value);
    }

    fn failure(&mut self, failure: &Failure) {
        let length = self.length;
        let text = |text: &str| cut_text(text, length).to_owned();
        if let Some(kind) = failure.kind {
            self.add(exception::TYPE, kind);
        }
        self.add(exception::MESSAGE, text(&failure.message));
        if let Some(trace) = &failure.trace {
            self.add(exception::STACKTRACE, text(trace));
        }
    }
}
