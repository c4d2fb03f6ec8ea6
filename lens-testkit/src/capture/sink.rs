//! The providers of one capture: processors that keep what they get.

use std::sync::{Arc, Weak};
use std::time::Duration;

use lens::__testkit::{Redactor, Sink, TrackOpen};
use lens::opentelemetry::{Context, InstrumentationScope, KeyValue};
use lens::opentelemetry_sdk::Resource as SdkResource;
use lens::opentelemetry_sdk::error::OTelSdkResult;
use lens::opentelemetry_sdk::logs::{LogProcessor, SdkLogRecord, SdkLoggerProvider};
use lens::opentelemetry_sdk::trace::{
    Sampler, SdkTracerProvider, Span, SpanData as SdkSpan, SpanProcessor,
};

use super::registry;
use super::store::{Resource, Store};
use super::{convert, settings::Tracing};
use crate::model::Orphan;

/// Makes the providers of one capture.
///
/// They outlive it (lens never frees a start), so they hold its store weakly: what comes late
/// goes to the orphans.
#[derive(Debug)]
pub(super) struct StoreSink {
    pub(super) id: u64,
    pub(super) destination: Destination,
    pub(super) tracing: Tracing,
    pub(super) resource: Vec<KeyValue>,
}

impl StoreSink {
    /// The resource lens made, and what the test adds.
    fn with_own(&self, resource: &SdkResource) -> SdkResource {
        let of_lens = resource.iter();
        let of_lens = of_lens.map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
        let own = self.resource.iter().cloned();
        SdkResource::builder_empty()
            .with_attributes(of_lens.chain(own))
            .build()
    }
}

impl Sink for StoreSink {
    fn logs(&self, resource: SdkResource) -> SdkLoggerProvider {
        let resource = self.with_own(&resource);
        let processor = KeepLogs {
            destination: self.destination.clone(),
            resource: plain(&resource),
        };
        SdkLoggerProvider::builder()
            .with_resource(resource)
            .with_log_processor(processor)
            .build()
    }

    fn traces(&self, resource: SdkResource, open: TrackOpen) -> SdkTracerProvider {
        let resource = self.with_own(&resource);
        let processor = KeepSpans {
            id: self.id,
            destination: self.destination.clone(),
            resource: plain(&resource),
            redactor: open.redactor(),
        };
        let mut builder = SdkTracerProvider::builder()
            .with_resource(resource)
            // Both explicitly: the SDK would look at the real environment.
            .with_span_limits(self.tracing.limits.unwrap_or_default())
            .with_sampler(
                self.tracing
                    .sampler
                    .clone()
                    .unwrap_or_else(parent_or_always),
            )
            .with_span_processor(processor)
            .with_span_processor(open);
        if let Some(ids) = &self.tracing.counting_ids {
            builder = builder.with_id_generator(ids.clone());
        }
        builder.build()
    }
}

fn parent_or_always() -> Sampler {
    Sampler::ParentBased(Box::new(Sampler::AlwaysOn))
}

fn plain(resource: &SdkResource) -> Resource {
    let attributes = resource.iter();
    Arc::new(
        attributes
            .map(|(key, value)| (key.to_string(), value.into()))
            .collect(),
    )
}

/// Where something is kept.
#[derive(Clone, Debug)]
pub(super) enum Destination {
    Store(Weak<Store>),
    Orphans,
}

impl Destination {
    fn store(&self) -> Option<Arc<Store>> {
        match self {
            Destination::Store(store) => store.upgrade(),
            Destination::Orphans => None,
        }
    }
}

#[derive(Debug)]
struct KeepLogs {
    destination: Destination,
    resource: Resource,
}

impl LogProcessor for KeepLogs {
    fn emit(&self, record: &mut SdkLogRecord, scope: &InstrumentationScope) {
        let log = convert::log(record, scope, &self.resource);
        match self.destination.store() {
            Some(store) => store.log(log),
            None => registry::orphan(Orphan::Log(Arc::new(log))),
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

#[derive(Debug)]
struct KeepSpans {
    id: u64,
    destination: Destination,
    resource: Resource,
    redactor: Redactor,
}

impl SpanProcessor for KeepSpans {
    fn on_start(&self, span: &mut Span, _: &Context) {
        let (Some(store), Some(mut data)) = (self.destination.store(), span.exported_data()) else {
            return;
        };
        self.redactor.span(&mut data);
        registry::own_trace(data.span_context.trace_id(), self.id);
        store.span_started(convert::span(&data, false, &self.resource));
    }

    fn on_end(&self, mut span: SdkSpan) {
        self.redactor.span(&mut span);
        let span = convert::span(&span, true, &self.resource);
        let late = match self.destination.store() {
            Some(store) => store.span_ended(span),
            None => Some(span),
        };
        if let Some(span) = late {
            registry::orphan(Orphan::Span(Arc::new(span)));
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}
