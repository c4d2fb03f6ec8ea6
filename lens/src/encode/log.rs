//! A log record as a field of `ScopeLogs`.
//!
//! <https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/logs/v1/logs.proto>

use std::time::{SystemTime, UNIX_EPOCH};

use opentelemetry::logs::{AnyValue, Severity};
use opentelemetry::trace::{SpanContext, TraceId};
use opentelemetry_sdk::logs::{SdkLogRecord, TraceContext};

use super::proto::{Message, Out};
use crate::semconv::otel;

/// What a log record says, borrowed from wherever it is.
pub(crate) struct LogFields<'a, A> {
    /// Nanoseconds since 1970; none where it is 0.
    pub(crate) time: u64,
    pub(crate) observed: u64,
    /// Fields that are encoded already.
    pub(crate) common: &'a [u8],
    /// Its number and its text.
    pub(crate) severity: (Option<Severity>, &'a str),
    pub(crate) event_name: &'a str,
    pub(crate) body: Option<Scalar<'a>>,
    pub(crate) attributes: A,
    pub(crate) dropped: u32,
    /// Trace id, span id and flags.
    pub(crate) ids: Option<([u8; 16], [u8; 8], u8)>,
}

impl<A: Attributes> LogFields<'_, A> {
    /// Appends the record to those of its `ScopeLogs`.
    #[inline]
    pub(crate) fn append(&self, out: &mut Vec<u8>) {
        // Exact for the commonest: two times, a message and an active span or none.
        let message = match &self.body {
            Some(Scalar::Text(text)) => text.len() + 4,
            _ => 0,
        };
        let ids = if self.ids.is_some() { 33 } else { 0 };
        let length = 18 + self.common.len() + message + ids;
        out.message_of(length, 2, self);
    }

    /// Attributes only.
    pub(crate) fn of(attributes: A) -> Self {
        Self {
            time: 0,
            observed: 0,
            common: &[],
            severity: (None, ""),
            event_name: "",
            body: None,
            attributes,
            dropped: 0,
            ids: None,
        }
    }
}

/// The attributes of a record, in their order.
pub(crate) trait Attributes {
    fn each(&self, put: impl FnMut(&str, &Scalar<'_>));
}

/// A value.
pub(crate) enum Scalar<'a> {
    Text(&'a str),
    Int(i64),
    Any(&'a AnyValue),
}

impl From<&Scalar<'_>> for AnyValue {
    fn from(value: &Scalar<'_>) -> Self {
        match value {
            Scalar::Text(text) => (*text).to_owned().into(),
            Scalar::Int(number) => Self::Int(*number),
            Scalar::Any(value) => (*value).clone(),
        }
    }
}

/// The ids of a span as bytes.
#[inline]
pub(crate) fn ids(span: &SpanContext) -> Option<([u8; 16], [u8; 8], u8)> {
    span.is_valid().then(|| {
        let flags = span.trace_flags().to_u8();
        (span.trace_id().to_bytes(), span.span_id().to_bytes(), flags)
    })
}

impl<A: Attributes> Message for LogFields<'_, A> {
    fn write(&self, out: &mut Vec<u8>) {
        if self.time != 0 {
            out.fixed64_field(1, self.time);
        }
        out.extend_from_slice(self.common);
        if let (Some(number), _) = self.severity {
            out.varint_field(2, number as u64);
        }
        out.text_field(3, self.severity.1);
        if let Some(body) = &self.body {
            out.message(5, body);
        }
        self.attributes
            .each(|key, value| out.message(6, &Pair(key, value)));
        if self.dropped > 0 {
            out.varint_field(7, self.dropped.into());
        }
        if let Some((trace_id, span_id, flags)) = &self.ids {
            if *flags != 0 {
                out.fixed32_field(8, (*flags).into());
            }
            out.bytes_field(9, trace_id);
            out.bytes_field(10, span_id);
        }
        if self.observed != 0 {
            out.fixed64_field(11, self.observed);
        }
        out.text_field(12, self.event_name);
    }
}

/// Nanoseconds since 1970, as OTLP counts.
#[inline]
pub(crate) fn nanos(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs().saturating_mul(1_000_000_000);
    seconds.saturating_add(since.subsec_nanos().into())
}

/// A `KeyValue`.
struct Pair<'a, 'v>(&'a str, &'a Scalar<'v>);

impl Message for Pair<'_, '_> {
    fn write(&self, out: &mut Vec<u8>) {
        out.text_field(1, self.0);
        out.message(2, self.1);
    }
}

/// An `AnyValue`.
impl Message for Scalar<'_> {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            // Of the values of a `oneof` a default one is written, too.
            Self::Text(text) => out.bytes_field(1, text.as_bytes()),
            Self::Int(number) => out.varint_field(3, number.cast_unsigned()),
            Self::Any(value) => any_value(value, out),
        }
    }
}

fn any_value(value: &AnyValue, out: &mut Vec<u8>) {
    match value {
        AnyValue::String(text) => out.bytes_field(1, text.as_str().as_bytes()),
        AnyValue::Boolean(flag) => out.varint_field(2, u64::from(*flag)),
        AnyValue::Int(number) => out.varint_field(3, number.cast_unsigned()),
        AnyValue::Double(number) => out.fixed64_field(4, number.to_bits()),
        AnyValue::ListAny(list) => out.message(5, &List(list)),
        AnyValue::Map(map) => out.message(6, &Map(map)),
        AnyValue::Bytes(bytes) => out.bytes_field(7, bytes),
        // A kind of value that a later OpenTelemetry may have: the attribute stays, empty.
        _ => {}
    }
}

struct List<'a>(&'a [AnyValue]);

impl Message for List<'_> {
    fn write(&self, out: &mut Vec<u8>) {
        for value in self.0 {
            out.message(1, &Scalar::Any(value));
        }
    }
}

struct Map<'a>(&'a std::collections::HashMap<opentelemetry::Key, AnyValue>);

impl Message for Map<'_> {
    fn write(&self, out: &mut Vec<u8>) {
        for (key, value) in self.0 {
            out.message(1, &Pair(key.as_str(), &Scalar::Any(value)));
        }
    }
}

/// The attributes of an SDK's record.
pub(crate) struct SdkRecord<'a>(&'a SdkLogRecord);

impl Attributes for SdkRecord<'_> {
    fn each(&self, mut put: impl FnMut(&str, &Scalar<'_>)) {
        for (key, value) in self.0.attributes_iter() {
            put(key.as_str(), &Scalar::Any(value));
        }
    }
}

/// The trace and span an SDK's record was made in, if any.
pub(crate) fn correlation(record: &SdkLogRecord) -> Option<&TraceContext> {
    // A context without valid ids, from a no-op tracer, is no correlation.
    (record.trace_context()).filter(|context| context.trace_id != TraceId::INVALID)
}

/// What an SDK's record says.
pub(crate) fn sdk_fields(record: &SdkLogRecord) -> LogFields<'_, SdkRecord<'_>> {
    let mut attributes = record.attributes_iter();
    // The SDK's record has no count of its own.
    let dropped = attributes.find(|(key, _)| key.as_str() == otel::DROPPED_ATTRIBUTES_COUNT);
    LogFields {
        time: record.timestamp().map_or(0, nanos),
        observed: record.observed_timestamp().map_or(0, nanos),
        severity: (
            record.severity_number(),
            record.severity_text().unwrap_or_default(),
        ),
        event_name: record.event_name().unwrap_or_default(),
        body: record.body().map(Scalar::Any),
        dropped: match dropped {
            Some((_, AnyValue::Int(count))) => u32::try_from(*count).unwrap_or(u32::MAX),
            _ => 0,
        },
        ids: correlation(record).map(|context| {
            let flags = context.trace_flags.map_or(0, |flags| flags.to_u8());
            (
                context.trace_id.to_bytes(),
                context.span_id.to_bytes(),
                flags,
            )
        }),
        ..LogFields::of(SdkRecord(record))
    }
}

#[cfg(test)]
#[path = "log_tests.rs"]
mod tests;
