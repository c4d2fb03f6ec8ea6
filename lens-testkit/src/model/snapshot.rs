//! Everything that was captured at one moment.

use std::sync::Arc;

use super::{LogData, SpanData};
use crate::query::Item;

/// Everything that was captured at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    /// What it was captured for: a test's name.
    pub(crate) title: String,
    pub(crate) logs: Vec<Arc<LogData>>,
    pub(crate) spans: Vec<Arc<SpanData>>,
    /// What came while this capture ran and belongs to none.
    pub(crate) orphans: Vec<Orphan>,
    /// Whether something came from another thread than the capture's own, so that its place
    /// among the others is an accident.
    pub(crate) off_home: bool,
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
    pub(crate) fn is_empty(&self) -> bool {
        self.logs.is_empty() && self.spans.is_empty()
    }
}
