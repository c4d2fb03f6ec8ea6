//! A batch as the protobuf message of one OTLP request.

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value::IntValue;
use opentelemetry_proto::tonic::logs::v1::ResourceLogs;
use opentelemetry_proto::transform::common::tonic::ResourceAttributesWithSchema;
use opentelemetry_proto::transform::logs::tonic::group_logs_by_resource_and_scope;
use opentelemetry_proto::transform::trace::tonic::group_spans_by_resource_and_scope;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::logs::LogBatch;
use prost::Message;

use super::{Item, Log};
use crate::semconv::otel;
use crate::stats::Signal;

/// Encodes the items of `signal`.
pub(crate) fn encode(signal: Signal, items: Vec<Item>, resource: &Resource) -> Vec<u8> {
    let resource = &ResourceAttributesWithSchema::from(resource);
    match signal {
        Signal::Logs => {
            let logs: Vec<Box<Log>> = (items.into_iter())
                .filter_map(|item| match item {
                    Item::Log(log) => Some(log),
                    Item::Span(_) | Item::Start(_) => None,
                })
                .collect();
            encode_logs(&logs, resource)
        }
        Signal::Traces => {
            let spans = (items.into_iter())
                .filter_map(|item| match item {
                    Item::Span(span) => Some(*span),
                    Item::Log(_) | Item::Start(_) => None,
                })
                .collect();
            ExportTraceServiceRequest {
                resource_spans: group_spans_by_resource_and_scope(spans, resource),
            }
            .encode_to_vec()
        }
    }
}

fn encode_logs(logs: &[Box<Log>], resource: &ResourceAttributesWithSchema) -> Vec<u8> {
    let records: Vec<_> = logs.iter().map(|log| (&log.record, &log.scope)).collect();
    let mut resource_logs = group_logs_by_resource_and_scope(&LogBatch::new(&records), resource);
    resource_logs.iter_mut().for_each(corrected);
    ExportLogsServiceRequest { resource_logs }.encode_to_vec()
}

/// Ids are present when a span is active, absent otherwise, never zero; and what a limit
/// dropped is told in the field for that, too.
fn corrected(logs: &mut ResourceLogs) {
    for scope in &mut logs.scope_logs {
        for record in &mut scope.log_records {
            if record.trace_id.iter().all(|byte| *byte == 0) {
                record.trace_id.clear();
                record.span_id.clear();
            }
            let mut attributes = record.attributes.iter();
            let dropped = attributes.find(|pair| pair.key == otel::DROPPED_ATTRIBUTES_COUNT);
            if let Some(IntValue(count)) =
                dropped.and_then(|pair| pair.value.as_ref()?.value.as_ref())
            {
                record.dropped_attributes_count = u32::try_from(*count).unwrap_or(u32::MAX);
            }
        }
    }
}
