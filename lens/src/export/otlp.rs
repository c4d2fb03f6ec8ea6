//! A batch as the protobuf message of one OTLP request.

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::transform::common::tonic::ResourceAttributesWithSchema;
use opentelemetry_proto::transform::trace::tonic::group_spans_by_resource_and_scope;
use opentelemetry_sdk::Resource;
use prost::Message;

use super::Item;
use crate::encode;
use crate::stats::Signal;

/// Encodes the items of `signal`; log records are encoded already, and metrics have the resource.
pub(crate) fn encode(signal: Signal, items: Vec<Item>, resource: &Resource) -> Vec<u8> {
    let resource = &ResourceAttributesWithSchema::from(resource);
    let (mut runs, mut spans, mut metrics) = (Vec::new(), Vec::new(), Vec::new());
    for item in items {
        match item {
            Item::Run(run) => runs.push(run),
            Item::Span(span) => spans.push(*span),
            // One message behind another is both in one.
            Item::Metrics(collected) => metrics.extend(collected.0.encode_to_vec()),
            Item::Log(_) | Item::Start(_) => {}
        }
    }
    match signal {
        Signal::Logs => encode::request(resource, &runs),
        Signal::Traces => ExportTraceServiceRequest {
            resource_spans: group_spans_by_resource_and_scope(spans, resource),
        }
        .encode_to_vec(),
        Signal::Metrics => metrics,
    }
}
