//! What travels from the calling thread to the exporters.

use opentelemetry::InstrumentationScope;
use opentelemetry::trace::{SpanId, TraceId};
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_sdk::logs::SdkLogRecord;
use opentelemetry_sdk::metrics::data::ResourceMetrics;
use opentelemetry_sdk::trace::SpanData;

use super::request::Request;
use crate::encode::{Run, correlation};
use crate::stats::Signal;

/// A finished piece of telemetry, or the news that one began.
#[derive(Debug)]
pub(crate) enum Item {
    Log(Box<Log>),
    Span(Box<SpanData>),
    /// A span as it starts, for a sink that shows parents before they end.
    Start(Box<SpanData>),
    /// Log records that are encoded.
    Run(Run),
    Metrics(Box<Collected>),
}

/// The data points of one collection, which may be none.
#[derive(Clone, Debug)]
pub(crate) struct Collected(pub(crate) ExportMetricsServiceRequest);

impl From<&ResourceMetrics> for Collected {
    fn from(metrics: &ResourceMetrics) -> Self {
        Self(metrics.into())
    }
}

impl Collected {
    /// Whether there is no data point.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.count() == 0
    }
}

/// How much a batch stands for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Units {
    pub(crate) count: u64,
    /// In bytes.
    pub(crate) buffered: usize,
}

impl Units {
    pub(crate) fn of(items: &[Item]) -> Self {
        let mut all = Self::default();
        items.iter().for_each(|item| all.add(item));
        all
    }

    pub(crate) fn add(&mut self, item: &Item) {
        self.count += item.count();
        self.buffered += item.buffered();
    }
}

/// A log record and where it came from.
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) record: SdkLogRecord,
    pub(crate) scope: InstrumentationScope,
}

impl Item {
    /// What the item counts as; news counts as nothing.
    pub(crate) fn signal(&self) -> Option<Signal> {
        match self {
            Item::Log(_) | Item::Run(_) => Some(Signal::Logs),
            Item::Span(_) => Some(Signal::Traces),
            Item::Metrics(_) => Some(Signal::Metrics),
            Item::Start(_) => None,
        }
    }

    /// How many records, spans or data points it is, news included.
    pub(crate) fn count(&self) -> u64 {
        match self {
            Item::Run(run) => run.count,
            Item::Metrics(collected) => collected.0.count() as u64,
            Item::Log(_) | Item::Span(_) | Item::Start(_) => 1,
        }
    }

    /// How many bytes it took where threads leave what is encoded.
    pub(crate) fn buffered(&self) -> usize {
        match self {
            Item::Run(run) => run.size(),
            Item::Log(_) | Item::Span(_) | Item::Start(_) | Item::Metrics(_) => 0,
        }
    }
}

impl Log {
    /// The logger's name.
    pub(crate) fn target(&self) -> &str {
        (self.record.target()).map_or(self.scope.name(), |target| target.as_ref())
    }

    /// The trace and span the record was made in, if any.
    pub(crate) fn ids(&self) -> Option<(TraceId, SpanId)> {
        let context = correlation(&self.record)?;
        Some((context.trace_id, context.span_id))
    }
}
