//! Everything that was captured at one moment.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use lens::opentelemetry::SpanId;

use super::{LogData, Point, SpanData};
use crate::query::Item;

/// Everything that was captured at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    /// What it was captured for: a test's name.
    pub(crate) title: String,
    pub(crate) logs: Vec<Arc<LogData>>,
    pub(crate) spans: Vec<Arc<SpanData>>,
    /// Data points of metrics, where somebody asked for them.
    pub(crate) points: Vec<Arc<Point>>,
    /// What came while this capture ran and belongs to none.
    pub(crate) orphans: Vec<Orphan>,
    /// Whether something came from another thread than the capture's own, so that its place
    /// among the others is an accident.
    pub(crate) off_home: bool,
    /// Where each span is, made when it is asked for.
    pub(crate) index: OnceLock<HashMap<SpanId, usize>>,
}

/// Something that belongs to no capture.
#[derive(Clone, Debug)]
pub(crate) enum Orphan {
    Log(Arc<LogData>),
    Span(Arc<SpanData>),
}

impl Orphan {
    pub(crate) fn sequence(&self) -> u64 {
        match self {
            Orphan::Log(log) => log.sequence,
            Orphan::Span(span) => span.sequence,
        }
    }

    /// The line, and the thread it came from.
    pub(crate) fn shown(&self) -> (String, &str) {
        match self {
            Orphan::Log(log) => (log.line(), &log.thread),
            Orphan::Span(span) => (span.line(), &span.thread),
        }
    }
}

impl Snapshot {
    /// The span of that id.
    pub(crate) fn span(&self, id: SpanId) -> Option<&Arc<SpanData>> {
        let index = self.index.get_or_init(|| {
            // Of two with one id the first counts, as everywhere.
            let spans = self.spans.iter().enumerate().rev();
            spans.map(|(at, span)| (span.span_id, at)).collect()
        });
        self.spans.get(*index.get(&id)?)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.logs.is_empty() && self.spans.is_empty() && self.points.is_empty()
    }
}
