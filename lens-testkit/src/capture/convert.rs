//! From the SDK's types to plain data.

use std::sync::Arc;
use std::time::SystemTime;

use lens::__private::kind_name;
use lens::opentelemetry::logs::AnyValue;
use lens::opentelemetry::trace::{SpanId, Status as SdkStatus, TraceId};
use lens::opentelemetry::{InstrumentationScope, KeyValue};
use lens::opentelemetry_sdk::logs::SdkLogRecord;
use lens::opentelemetry_sdk::trace::SpanData as SdkSpan;

use super::store::{Resource, next_sequence};
use crate::model::{Event, Link, LogData, SpanData, Status};
use crate::{Value, thread_name};

pub(super) fn log(
    record: &SdkLogRecord,
    scope: &InstrumentationScope,
    resource: &Resource,
) -> LogData {
    let time = record.timestamp().map_or(0, nanos);
    LogData {
        sequence: next_sequence(),
        resource: Arc::clone(resource),
        target: (record.target())
            .map_or(scope.name(), |target| target.as_ref())
            .to_owned(),
        event_name: record.event_name().unwrap_or_default().to_owned(),
        time,
        observed_time: record.observed_timestamp().map_or(0, nanos),
        severity: record
            .severity_number()
            .map_or(0, |severity| severity as i32),
        severity_text: record.severity_text().unwrap_or_default().to_owned(),
        body: record.body().map_or(Value::Empty, Value::from),
        attributes: (record.attributes_iter())
            .map(|(key, value)| (key.to_string(), Value::from(value)))
            .collect(),
        // The SDK's record has no count of its own; lens tells it in an attribute.
        dropped_attributes: (record.attributes_iter())
            .find(|(key, _)| key.as_str() == "otel.dropped_attributes_count")
            .map_or(0, |(_, value)| match value {
                AnyValue::Int(count) => u32::try_from(*count).unwrap_or(u32::MAX),
                _ => 0,
            }),
        ids: (record.trace_context())
            .filter(|context| context.trace_id != TraceId::INVALID)
            .map(|context| (context.trace_id, context.span_id)),
        thread: thread_name(),
    }
}

/// A span as it is now; open or ended.
pub(super) fn span(span: &SdkSpan, ended: bool, resource: &Resource) -> SpanData {
    SpanData {
        sequence: next_sequence(),
        resource: Arc::clone(resource),
        scope: span.instrumentation_scope.name().to_owned(),
        name: span.name.to_string(),
        kind: kind_name(&span.span_kind),
        trace_id: span.span_context.trace_id(),
        span_id: span.span_context.span_id(),
        parent: Some(span.parent_span_id).filter(|id| *id != SpanId::INVALID),
        is_parent_remote: span.parent_span_is_remote,
        start: nanos(span.start_time),
        end: ended.then(|| nanos(span.end_time)),
        status: match &span.status {
            SdkStatus::Unset => Status::Unset,
            SdkStatus::Ok => Status::Ok,
            SdkStatus::Error { description } => Status::Error(description.to_string()),
        },
        attributes: attributes(&span.attributes),
        dropped_attributes: span.dropped_attributes_count,
        events: (span.events.iter())
            .map(|event| Event {
                name: event.name.to_string(),
                time: nanos(event.timestamp),
                attributes: attributes(&event.attributes),
            })
            .collect(),
        links: (span.links.iter())
            .map(|link| Link {
                trace_id: link.span_context.trace_id(),
                span_id: link.span_context.span_id(),
            })
            .collect(),
        thread: thread_name(),
    }
}

fn attributes(attributes: &[KeyValue]) -> Vec<(String, Value)> {
    (attributes.iter())
        .map(|attribute| (attribute.key.to_string(), Value::from(&attribute.value)))
        .collect()
}

fn nanos(time: SystemTime) -> u64 {
    let since = time
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
