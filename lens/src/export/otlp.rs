//! A batch as the protobuf message of one OTLP request.

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::transform::common::tonic::ResourceAttributesWithSchema;
use opentelemetry_proto::transform::trace::tonic::group_spans_by_resource_and_scope;
use opentelemetry_sdk::Resource;
use prost::Message;

use super::Item;

/// Encodes spans; log records are encoded already, one request at a time.
pub(crate) fn encode(items: Vec<Item>, resource: &Resource) -> Vec<u8> {
    let mut spans = Vec::with_capacity(items.len());
    for item in items {
        match item {
            Item::Encoded(request) => return request.body,
            Item::Span(span) => spans.push(*span),
            Item::Log(_) | Item::Start(_) => {}
        }
    }
    let resource = &ResourceAttributesWithSchema::from(resource);
    ExportTraceServiceRequest {
        resource_spans: group_spans_by_resource_and_scope(spans, resource),
    }
    .encode_to_vec()
}
