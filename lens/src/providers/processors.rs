//! Where the SDK hands over: each finished record and span goes to its lane.

use std::sync::Arc;
use std::time::{Duration, Instant};

use opentelemetry::{Context, InstrumentationScope};
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::logs::{LogProcessor, SdkLogRecord};
use opentelemetry_sdk::trace::{Span, SpanData, SpanProcessor};

use super::spans::keep_to;
use crate::config::{Redact, SpanLimits};
use crate::encode::{ScopeKey, sdk_fields};
use crate::export::{Item, Log};
use crate::open_spans::OpenSpans;
use crate::os;
use crate::pipeline::{Lane, Scope};

/// What a provider's own `force_flush`, which takes no time limit, waits at most.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(5);

/// Queues log records.
#[derive(Debug)]
pub(super) struct QueueLogs(pub(super) Arc<Lane>);

impl LogProcessor for QueueLogs {
    fn emit(&self, record: &mut SdkLogRecord, scope: &InstrumentationScope) {
        if self.0.takes_encoded() {
            let key = ScopeKey::of(record.target(), scope);
            let fields = sdk_fields(record);
            self.0.push_log(&Scope::Key(key), |out| fields.append(out));
        } else {
            self.0.push(Item::Log(Box::new(Log {
                record: record.clone(),
                scope: scope.clone(),
            })));
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        flush(&self.0)
    }

    /// Delivery has one owner, [`Providers::stop`](super::Providers::stop).
    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

/// Queues spans, and knows which are open.
#[derive(Clone, Debug)]
pub(super) struct QueueSpans {
    pub(super) lanes: Vec<Arc<Lane>>,
    /// Where somebody wants to hear of spans when they start.
    pub(super) announced: Option<Arc<Lane>>,
    pub(super) open: Arc<OpenSpans>,
    pub(super) redact: Redact,
    pub(super) limits: SpanLimits,
}

impl QueueSpans {
    /// Queues a span, after what the SDK leaves to do on it.
    pub(super) fn push(&self, mut span: SpanData) {
        let Some((last, others)) = self.lanes.split_last() else {
            return;
        };
        keep_to(&self.limits, &mut span);
        self.redact.span(&mut span);
        for lane in others {
            lane.push(Item::Span(Box::new(span.clone())));
        }
        last.push(Item::Span(Box::new(span)));
    }
}

impl SpanProcessor for QueueSpans {
    fn on_start(&self, span: &mut Span, _: &Context) {
        let Some(mut data) = span.exported_data() else {
            return;
        };
        self.redact.span(&mut data);
        if let Some(lane) = &self.announced {
            lane.push(Item::Start(Box::new(data.clone())));
        }
        self.open.started(data);
    }

    fn on_end(&self, span: SpanData) {
        let id = span.span_context.span_id();
        if span.span_context.is_sampled() {
            self.push(span);
        }
        self.open.ended(id);
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.lanes.iter().try_for_each(|lane| flush(lane))
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

/// Knows which spans are open, for providers that somebody else builds.
#[cfg(feature = "__testkit")]
#[derive(Debug)]
pub struct TrackOpen(QueueSpans);

#[cfg(feature = "__testkit")]
impl TrackOpen {
    pub(crate) fn new(open: Arc<OpenSpans>, redact: Redact) -> Self {
        Self(QueueSpans {
            redact,
            lanes: Vec::new(),
            announced: None,
            open,
            limits: SpanLimits::default(),
        })
    }
}

#[cfg(feature = "__testkit")]
impl TrackOpen {
    /// What replaces the secrets of spans.
    #[must_use]
    pub fn redactor(&self) -> Redactor {
        Redactor(self.0.redact.clone())
    }
}

/// Replaces secrets, for providers that somebody else builds.
#[cfg(feature = "__testkit")]
#[derive(Clone, Debug)]
pub struct Redactor(Redact);

#[cfg(feature = "__testkit")]
impl Redactor {
    /// Replaces the secrets of a span.
    pub fn span(&self, span: &mut SpanData) {
        self.0.span(span);
    }
}

#[cfg(feature = "__testkit")]
impl SpanProcessor for TrackOpen {
    fn on_start(&self, span: &mut Span, context: &Context) {
        self.0.on_start(span, context);
    }

    fn on_end(&self, span: SpanData) {
        self.0.on_end(span);
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }
}

fn flush(lane: &Lane) -> OTelSdkResult {
    if os::is_forked_child() {
        let stranded = "a forked child has nobody who exports";
        return Err(OTelSdkError::InternalFailure(stranded.to_owned()));
    }
    let asked = lane.ask_flush();
    if lane.flushed(asked, Instant::now() + FLUSH_TIMEOUT) {
        Ok(())
    } else {
        Err(OTelSdkError::Timeout(FLUSH_TIMEOUT))
    }
}
