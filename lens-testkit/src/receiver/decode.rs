//! From protobuf to plain types.

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value};
use opentelemetry_proto::tonic::resource::v1::Resource as ProtoResource;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use prost::{DecodeError, Message};

use super::{LogRecord, Resource, Signal, Span, Value};

/// The items of one request.
#[derive(Default)]
pub(super) struct Decoded {
    pub(super) logs: Vec<LogRecord>,
    pub(super) spans: Vec<Span>,
}

pub(super) fn decode(signal: Signal, message: &[u8]) -> Result<Decoded, DecodeError> {
    let mut decoded = Decoded::default();
    match signal {
        Signal::Logs => logs(
            ExportLogsServiceRequest::decode(message)?,
            &mut decoded.logs,
        ),
        Signal::Traces => spans(
            ExportTraceServiceRequest::decode(message)?,
            &mut decoded.spans,
        ),
    }
    Ok(decoded)
}

fn logs(request: ExportLogsServiceRequest, out: &mut Vec<LogRecord>) {
    for of_resource in request.resource_logs {
        let resource = resource(of_resource.resource);
        for of_scope in of_resource.scope_logs {
            let scope = of_scope.scope.map(|scope| scope.name).unwrap_or_default();
            out.extend(of_scope.log_records.into_iter().map(|record| LogRecord {
                resource: resource.clone(),
                scope: scope.clone(),
                time: record.time_unix_nano,
                observed_time: record.observed_time_unix_nano,
                severity: record.severity_number,
                severity_text: record.severity_text,
                body: value(record.body),
                attributes: attributes(record.attributes),
                trace_id: hex(&record.trace_id),
                span_id: hex(&record.span_id),
            }));
        }
    }
}

fn spans(request: ExportTraceServiceRequest, out: &mut Vec<Span>) {
    for of_resource in request.resource_spans {
        let resource = resource(of_resource.resource);
        for of_scope in of_resource.scope_spans {
            let scope = of_scope.scope.map(|scope| scope.name).unwrap_or_default();
            out.extend(of_scope.spans.into_iter().map(|span| {
                Span {
                    resource: resource.clone(),
                    scope: scope.clone(),
                    name: span.name,
                    trace_id: hex(&span.trace_id).unwrap_or_default(),
                    span_id: hex(&span.span_id).unwrap_or_default(),
                    parent_span_id: hex(&span.parent_span_id),
                    start_time: span.start_time_unix_nano,
                    end_time: span.end_time_unix_nano,
                    error: (span.status)
                        .filter(|status| status.code == StatusCode::Error as i32)
                        .map(|status| status.message),
                    attributes: attributes(span.attributes),
                }
            }));
        }
    }
}

fn resource(resource: Option<ProtoResource>) -> Resource {
    let attributes = resource
        .map(|resource| resource.attributes)
        .unwrap_or_default();
    self::attributes(attributes).into_iter().collect()
}

fn attributes(attributes: Vec<KeyValue>) -> Vec<(String, Value)> {
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

fn hex(bytes: &[u8]) -> Option<String> {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    (!hex.is_empty()).then_some(hex)
}
