//! Everything that was captured at one moment.

use std::sync::Arc;

use super::{LogData, SpanData};

/// Everything that was captured at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    /// What it was captured for: a test's name.
    pub(crate) title: String,
    pub(crate) logs: Vec<Arc<LogData>>,
    pub(crate) spans: Vec<Arc<SpanData>>,
    /// What no capture could be found for while this one ran.
    pub(crate) orphans: Vec<Orphan>,
}

/// Something that belongs to no capture.
#[derive(Clone, Debug)]
pub(crate) struct Orphan {
    pub(crate) line: String,
    pub(crate) thread: String,
}

impl Snapshot {
    pub(crate) fn is_empty(&self) -> bool {
        self.logs.is_empty() && self.spans.is_empty()
    }
}
