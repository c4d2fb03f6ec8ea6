//! Processors, exporters and views of the program's own, whatever their types.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use opentelemetry::InstrumentationScope;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::logs::{LogBatch, LogExporter, LoggerProviderBuilder, SdkLogRecord};
use opentelemetry_sdk::metrics::{Instrument, MeterProviderBuilder, Stream};
use opentelemetry_sdk::trace::{SpanData, SpanExporter, TracerProviderBuilder};
use tokio::runtime::Handle;

/// What a builder of a provider gets added.
type Addition<B> = Box<dyn FnOnce(B) -> B + Send>;

/// A view.
pub(crate) type OwnView = Arc<dyn Fn(&Instrument) -> Option<Stream> + Send + Sync>;

/// What the program adds to the providers.
#[derive(Default)]
pub(crate) struct Own {
    pub(crate) log_processors: Vec<Addition<LoggerProviderBuilder>>,
    pub(crate) span_processors: Vec<Addition<TracerProviderBuilder>>,
    pub(crate) views: Vec<OwnView>,
    pub(crate) metric_exporters: Vec<Addition<MeterProviderBuilder>>,
    pub(crate) log_exporters: Vec<Box<dyn LogSink>>,
    pub(crate) span_exporters: Vec<Box<dyn SpanSink>>,
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |count: usize, what: &str| (count > 0).then(|| format!("{count} {what}"));
        let counts = [
            count(self.log_processors.len(), "log processors"),
            count(self.span_processors.len(), "span processors"),
            count(self.views.len(), "views"),
            count(self.metric_exporters.len(), "metric exporters"),
            count(self.log_exporters.len(), "log exporters"),
            count(self.span_exporters.len(), "span exporters"),
        ];
        f.debug_list()
            .entries(counts.into_iter().flatten())
            .finish()
    }
}

/// A log exporter. Called where it may block.
pub(crate) trait LogSink: Send + Sync {
    fn export(
        &self,
        records: &[(&SdkLogRecord, &InstrumentationScope)],
        runtime: &Handle,
    ) -> OTelSdkResult;
    fn shutdown(&self, timeout: Duration) -> OTelSdkResult;
    fn set_resource(&mut self, resource: &Resource);
}

impl<E: LogExporter> LogSink for E {
    fn export(
        &self,
        records: &[(&SdkLogRecord, &InstrumentationScope)],
        runtime: &Handle,
    ) -> OTelSdkResult {
        runtime.block_on(LogExporter::export(self, LogBatch::new(records)))
    }

    fn shutdown(&self, timeout: Duration) -> OTelSdkResult {
        self.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        LogExporter::set_resource(self, resource);
    }
}

/// A span exporter. Called where it may block.
pub(crate) trait SpanSink: Send + Sync {
    fn export(&self, spans: Vec<SpanData>, runtime: &Handle) -> OTelSdkResult;
    fn shutdown(&self, timeout: Duration) -> OTelSdkResult;
    fn set_resource(&mut self, resource: &Resource);
}

impl<E: SpanExporter> SpanSink for E {
    fn export(&self, spans: Vec<SpanData>, runtime: &Handle) -> OTelSdkResult {
        runtime.block_on(SpanExporter::export(self, spans))
    }

    fn shutdown(&self, timeout: Duration) -> OTelSdkResult {
        self.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        SpanExporter::set_resource(self, resource);
    }
}
