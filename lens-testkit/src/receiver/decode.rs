//! From protobuf to plain types.

use std::collections::BTreeMap;
use std::sync::Arc;

use lens::opentelemetry::{SpanId, TraceId};
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value};
use opentelemetry_proto::tonic::resource::v1::Resource as ProtoResource;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use prost::Message;
use serde::de::DeserializeOwned;

use super::Signal;
use super::points::points;
use crate::Value;
use crate::model::{Event, Link, LogData, Point, SpanData, Status};

/// The items of one request.
#[derive(Default)]
pub(super) struct Decoded {
    pub(super) logs: Vec<LogData>,
    pub(super) spans: Vec<SpanData>,
    pub(super) points: Vec<Point>,
}

/// Decodes protobuf or OTLP's JSON.
pub(super) fn decode(signal: Signal, message: &[u8], is_json: bool) -> Result<Decoded, String> {
    let mut decoded = Decoded::default();
    match signal {
        Signal::Logs => logs(request(message, is_json)?, &mut decoded.logs),
        Signal::Traces => spans(request(message, is_json)?, &mut decoded.spans),
        Signal::Metrics => points(request(message, is_json)?, &mut decoded.points),
    }
    Ok(decoded)
}

fn request<M: Message + Default + DeserializeOwned>(
    message: &[u8],
    is_json: bool,
) -> Result<M, String> {
    if is_json {
        serde_json::from_slice(message).map_err(|error| error.to_string())
    } else {
        M::decode(message).map_err(|error| error.to_string())
    }
}

fn logs(request: ExportLogsServiceRequest, out: &mut Vec<LogData>) {
    for of_resource in request.resource_logs {
        let resource = resource(of_resource.resource);
        for of_scope in of_resource.scope_logs {
            let scope = of_scope.scope.map(|scope| scope.name).unwrap_or_default();
            out.extend(of_scope.log_records.into_iter().map(|record| LogData {
                sequence: record.time_unix_nano,
                resource: Arc::clone(&resource),
                target: scope.clone(),
                event_name: record.event_name,
                time: record.time_unix_nano,
                observed_time: record.observed_time_unix_nano,
                severity: record.severity_number,
                severity_text: record.severity_text,
                body: value(record.body),
                attributes: attributes(record.attributes),
                dropped_attributes: record.dropped_attributes_count,
                ids: trace_id(&record.trace_id).zip(span_id(&record.span_id)),
                thread: String::new(),
            }));
        }
    }
}

fn spans(request: ExportTraceServiceRequest, out: &mut Vec<SpanData>) {
    for of_resource in request.resource_spans {
        let resource = resource(of_resource.resource);
        for of_scope in of_resource.scope_spans {
            let scope = of_scope.scope.map(|scope| scope.name).unwrap_or_default();
            out.extend(of_scope.spans.into_iter().map(|span| {
                SpanData {
                    sequence: span.start_time_unix_nano,
                    resource: Arc::clone(&resource),
                    scope: scope.clone(),
                    kind: kind(span.kind()),
                    trace_id: trace_id(&span.trace_id).unwrap_or(TraceId::INVALID),
                    span_id: span_id(&span.span_id).unwrap_or(SpanId::INVALID),
                    parent: span_id(&span.parent_span_id),
                    is_parent_remote: span.flags & IS_REMOTE == IS_REMOTE,
                    name: span.name,
                    start: span.start_time_unix_nano,
                    end: Some(span.end_time_unix_nano),
                    status: match span.status {
                        Some(status) if status.code == StatusCode::Error as i32 => {
                            Status::Error(status.message)
                        }
                        Some(status) if status.code == StatusCode::Ok as i32 => Status::Ok,
                        _ => Status::Unset,
                    },
                    attributes: attributes(span.attributes),
                    dropped_attributes: span.dropped_attributes_count,
                    events: (span.events.into_iter())
                        .map(|event| Event {
                            name: event.name,
                            time: event.time_unix_nano,
                            attributes: attributes(event.attributes),
                        })
                        .collect(),
                    links: (span.links.iter())
                        .filter_map(|link| {
                            Some(Link {
                                trace_id: trace_id(&link.trace_id)?,
                                span_id: span_id(&link.span_id)?,
                            })
                        })
                        .collect(),
                    thread: String::new(),
                }
            }));
        }
    }
}

/// Two bits of a span's flags: that the next one counts, and that the parent is remote.
const IS_REMOTE: u32 = 0x300;

fn kind(kind: SpanKind) -> &'static str {
    match kind {
        SpanKind::Server => "server",
        SpanKind::Client => "client",
        SpanKind::Producer => "producer",
        SpanKind::Consumer => "consumer",
        SpanKind::Internal | SpanKind::Unspecified => "internal",
    }
}

pub(super) fn resource(resource: Option<ProtoResource>) -> Arc<BTreeMap<String, Value>> {
    let attributes = resource
        .map(|resource| resource.attributes)
        .unwrap_or_default();
    Arc::new(self::attributes(attributes).into_iter().collect())
}

pub(super) fn attributes(attributes: Vec<KeyValue>) -> Vec<(String, Value)> {
    (attributes.into_iter())
        .map(|attribute| (attribute.key, value(attribute.value)))
        .collect()
}

fn value(any: Option<AnyValue>) -> Value {
    match any.and_then(|any| any.value) {
        None => Value::Empty,
        Some(any_value::Value::StringValue(text)) => Value::Str(text),
        Some(any_value::Value::IntValue(value)) => Value::Int(value),
        Some(any_value::Value::DoubleValue(value)) => Value::Double(value),
        Some(any_value::Value::BoolValue(value)) => Value::Bool(value),
        Some(any_value::Value::BytesValue(bytes)) => Value::Bytes(bytes),
        Some(any_value::Value::ArrayValue(list)) => Value::List(
            (list.values.into_iter())
                .map(|item| value(Some(item)))
                .collect(),
        ),
        Some(any_value::Value::KvlistValue(map)) => Value::Map(attributes(map.values)),
        Some(other) => Value::Str(format!("{other:?}")),
    }
}

fn trace_id(bytes: &[u8]) -> Option<TraceId> {
    let id = TraceId::from_bytes(bytes.try_into().ok()?);
    (id != TraceId::INVALID).then_some(id)
}

fn span_id(bytes: &[u8]) -> Option<SpanId> {
    let id = SpanId::from_bytes(bytes.try_into().ok()?);
    (id != SpanId::INVALID).then_some(id)
}
