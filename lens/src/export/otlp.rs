//! A batch as the protobuf message of one OTLP request.

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::transform::common::tonic::ResourceAttributesWithSchema;
use opentelemetry_proto::transform::trace::tonic::group_spans_by_resource_and_scope;
use opentelemetry_sdk::Resource;
use prost::Message;

use super::Item;
use crate::encode::{self, EncodedResource};
use crate::stats::Signal;

/// Makes requests of one sender.
pub(crate) struct Encoder {
    resource: ResourceAttributesWithSchema,
    /// The same for log records, encoded once.
    encoded: EncodedResource,
}

impl Encoder {
    pub(crate) fn new(resource: &Resource) -> Self {
        let resource = ResourceAttributesWithSchema::from(resource);
        Self {
            encoded: EncodedResource::new(&resource),
            resource,
        }
    }

    /// Encodes the items of `signal`; log records are encoded already, and metrics have the
    /// resource.
    pub(crate) fn encode(&self, signal: Signal, items: Vec<Item>) -> Vec<u8> {
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
            Signal::Logs => encode::request(&self.encoded, &runs),
            Signal::Traces => ExportTraceServiceRequest {
                resource_spans: group_spans_by_resource_and_scope(spans, &self.resource),
            }
            .encode_to_vec(),
            Signal::Metrics => metrics,
        }
    }
}
