//! What the code asked for, where that is no argument of `#[lens::main]`.

use std::sync::Arc;
use std::time::Duration;

use opentelemetry_sdk::logs::{LogExporter, LogProcessor, LoggerProviderBuilder};
use opentelemetry_sdk::metrics::exporter::PushMetricExporter;
use opentelemetry_sdk::metrics::{
    Instrument, MeterProviderBuilder, PeriodicReader, Stream, Temporality,
};
use opentelemetry_sdk::trace::{ShouldSample, SpanExporter, SpanProcessor, TracerProviderBuilder};

use super::{Batch, Builder, Export, Limits};
use crate::stats::{FOR_EVER, Signal};

impl Builder {
    /// Sets where all signals go, and how. What was set before stays where this says nothing.
    pub fn export(mut self, export: Export) -> Self {
        self.export = self.export.with(export);
        self
    }

    /// Sets where log records go, and how.
    pub fn log_export(mut self, export: Export) -> Self {
        self.log_export = self.log_export.with(export);
        self
    }

    /// Sets where spans go, and how.
    pub fn span_export(mut self, export: Export) -> Self {
        self.span_export = self.span_export.with(export);
        self
    }

    /// Sets where metrics go, and how.
    pub fn metric_export(mut self, export: Export) -> Self {
        self.metric_export = self.metric_export.with(export);
        self
    }

    /// What code says of where `signal` goes, beside all signals.
    pub(super) fn export_of(&self, signal: Signal) -> &Export {
        match signal {
            Signal::Logs => &self.log_export,
            Signal::Traces => &self.span_export,
            Signal::Metrics => &self.metric_export,
        }
    }

    /// Sets how log records wait to be exported, where that is not to a terminal.
    pub fn log_batch(mut self, batch: Batch) -> Self {
        self.log_batch = batch;
        self
    }

    /// Sets how spans wait to be exported, where that is not to a terminal.
    pub fn span_batch(mut self, batch: Batch) -> Self {
        self.span_batch = batch;
        self
    }

    /// Sets how much log records and spans may hold.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets how much log records may hold.
    pub fn log_limits(mut self, limits: Limits) -> Self {
        self.log_limits = limits;
        self
    }

    /// Sets how much spans may hold.
    pub fn span_limits(mut self, limits: Limits) -> Self {
        self.span_limits = limits;
        self
    }

    /// Chooses which traces are recorded.
    ///
    /// Default: those of a recorded parent, and all that begin here. Variables:
    /// `OTEL_TRACES_SAMPLER`, `OTEL_TRACES_SAMPLER_ARG`.
    ///
    /// ```
    /// use lens::opentelemetry_sdk::trace::Sampler;
    ///
    /// let tenth = Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(0.1)));
    /// let builder = lens::Builder::new().sampler(tenth);
    /// # let _ = builder;
    /// ```
    pub fn sampler(mut self, sampler: impl ShouldSample + 'static) -> Self {
        self.sampler = Some(Box::new(sampler));
        self
    }

    /// Begins traces only on the part of a job's ranks that
    /// [`export_sample_rate`](Self::export_sample_rate) says; on the others only what another
    /// process began goes on. Default `false`. Variable: `NEMO_LENS_SAMPLER_ENABLED`.
    pub fn rank_sampler(mut self, by_rank: bool) -> Self {
        self.rank_sampler = Some(by_rank);
        self
    }

    /// Sets which rank exports where the [strategy](Self::strategy) is `"single_rank"`.
    ///
    /// Default: the last. Variable: `NEMO_LENS_EXPORT_RANK`, where -1 is the last.
    pub fn export_rank(mut self, rank: u64) -> Self {
        self.export_rank = Some(rank);
        self
    }

    /// Sets which part of a job's ranks exports where the [strategy](Self::strategy) is
    /// `"sampled"`, from 0 to 1. Default 1. Variable: `NEMO_LENS_EXPORT_SAMPLE_RATE`.
    pub fn export_sample_rate(mut self, part: f64) -> Self {
        self.export_sample_rate = Some(part);
        self
    }

    /// Names the run, the same for all processes of a job: `nemo.run.id`.
    ///
    /// Default: the job's id where SLURM or torchrun tell one. Variable: `NEMO_LENS_RUN_ID`.
    pub fn run_id(mut self, id: impl Into<String>) -> Self {
        self.run_id = Some(id.into());
        self
    }

    /// Names the user or team that runs this: `nemo.user.id`. Variable: `NEMO_LENS_USER_ID`.
    pub fn user_id(mut self, id: impl Into<String>) -> Self {
        self.user_id = Some(id.into());
        self
    }

    /// Chooses the headers in which the active span goes from one process to the next:
    /// `"tracecontext"`, `"baggage"`, `"b3"`, `"b3multi"`, with commas between them, or `"none"`.
    ///
    /// They are set for OpenTelemetry's global propagator, whether telemetry is on or off.
    /// Default `"tracecontext,baggage"`. Variable: `OTEL_PROPAGATORS`.
    pub fn propagators(mut self, propagators: impl Into<String>) -> Self {
        self.propagators = Some(propagators.into());
        self
    }

    /// Silences lens's own lines on stderr. Default `false`. Variable: `OTEL_LOG_LEVEL=off`.
    pub fn silent(mut self, silent: bool) -> Self {
        self.silent = Some(silent);
        self
    }

    /// Sets how long it is from one collection of metrics to the next.
    ///
    /// Default: 60 s. Variable: `OTEL_METRIC_EXPORT_INTERVAL`, in milliseconds.
    pub fn metric_interval(mut self, interval: Duration) -> Self {
        self.metric_interval = Some(interval);
        self
    }

    /// Sets how long one collection is tried to be exported; zero is for ever.
    ///
    /// Default: 30 s. Variable: `OTEL_METRIC_EXPORT_TIMEOUT`, in milliseconds.
    pub fn metric_timeout(mut self, timeout: Duration) -> Self {
        self.metric_timeout = Some(timeout);
        self
    }

    /// Says what becomes of metrics, in entries with commas between them; a `*` in a name is for
    /// any characters, a `?` for one:
    ///
    /// * `train.loss=off`: it does not leave.
    /// * `http.*=keys http.route http.request.method`: no other attributes, so that its series
    ///   are fewer.
    /// * `*=limit 500`: so many series for each instrument; what is more becomes
    ///   [one](https://opentelemetry.io/docs/specs/otel/metrics/sdk/#overflow-attribute). Else 2,000.
    /// * `step.duration=buckets 0.01 0.1 1`: the bounds of its buckets, if it is a histogram.
    ///
    /// Of each of these the first entry for an instrument counts. An instrument that has one is for
    /// no [`metric_view`](Self::metric_view) of the program's. Default: none. Variable:
    /// `NEMO_LENS_METRIC_VIEWS`, in place of what code says.
    ///
    /// ```
    /// let builder = lens::Builder::new().metric_views("http.*=keys http.route,*=limit 500");
    /// # let _ = builder;
    /// ```
    pub fn metric_views(mut self, views: impl Into<String>) -> Self {
        self.metric_views = Some(views.into());
        self
    }

    /// Chooses whether sums go on from the start, which is the default, or begin anew with each
    /// collection. Variable: `OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE`.
    pub fn temporality(mut self, temporality: Temporality) -> Self {
        self.temporality = Some(temporality);
        self
    }

    /// Gives histograms exponential buckets where no view says which.
    ///
    /// Default `false`. Variable: `OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION`.
    pub fn exponential_histograms(mut self, exponential: bool) -> Self {
        self.exponential_histograms = Some(exponential);
        self
    }

    /// Adds a log processor, which sees each bridged record before it is queued.
    ///
    /// Costs the caller an SDK record for each. What panics in it costs a line, not the program.
    pub fn log_processor(mut self, processor: impl LogProcessor + 'static) -> Self {
        let add =
            Box::new(|provider: LoggerProviderBuilder| provider.with_log_processor(processor));
        self.own.log_processors.push(add);
        self
    }

    /// Adds a span processor.
    pub fn span_processor(mut self, processor: impl SpanProcessor + 'static) -> Self {
        let add =
            Box::new(|provider: TracerProviderBuilder| provider.with_span_processor(processor));
        self.own.span_processors.push(add);
        self
    }

    /// Adds an exporter of log records, beside those that [`exporter`](Self::exporter) names; it is
    /// `"none"` to have no other.
    ///
    /// lens queues for it, counts what becomes of each record, and calls it where it may block.
    pub fn log_exporter(mut self, exporter: impl LogExporter + 'static) -> Self {
        self.own.log_exporters.push(Box::new(exporter));
        self
    }

    /// Adds an exporter of spans, as [`log_exporter`](Self::log_exporter) does for log records.
    pub fn span_exporter(mut self, exporter: impl SpanExporter + 'static) -> Self {
        self.own.span_exporters.push(Box::new(exporter));
        self
    }

    /// Adds an exporter of metrics, which the SDK calls on a thread of its own.
    pub fn metric_exporter(mut self, exporter: impl PushMetricExporter) -> Self {
        let add = Box::new(|provider: MeterProviderBuilder| {
            // lens says when to collect.
            let reader = PeriodicReader::builder(exporter).with_interval(FOR_EVER);
            provider.with_reader(reader.build())
        });
        self.own.metric_exporters.push(add);
        self
    }

    /// Adds a view, which says what becomes of an instrument's measurements.
    pub fn metric_view(
        mut self,
        view: impl Fn(&Instrument) -> Option<Stream> + Send + Sync + 'static,
    ) -> Self {
        self.own.views.push(Arc::new(view));
        self
    }
}
