//! What one capture has got so far.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::Waker;
use std::thread::ThreadId;
use std::time::Instant;

use super::registry;
use crate::Value;
use crate::model::{LogData, Snapshot, SpanData};
use crate::query::Live;
use crate::watched::Watched;

/// A total order over the spans and records of all captures.
static SEQUENCE: AtomicU64 = AtomicU64::new(1);

pub(super) fn next_sequence() -> u64 {
    SEQUENCE.fetch_add(1, Relaxed)
}

pub(super) type Resource = Arc<BTreeMap<String, Value>>;

/// What one capture has got so far.
#[derive(Debug)]
pub(super) struct Store {
    title: String,
    /// Where the capture began, and on which thread.
    since: u64,
    home: ThreadId,
    items: Watched<Items>,
}

#[derive(Debug, Default)]
struct Items {
    logs: Vec<Arc<LogData>>,
    spans: Vec<Arc<SpanData>>,
    /// Whether something came from another thread than the capture's own.
    off_home: bool,
}

impl Store {
    pub(super) fn new(title: String) -> Self {
        Self {
            title,
            since: next_sequence(),
            home: std::thread::current().id(),
            items: Watched::default(),
        }
    }

    pub(super) fn log(&self, log: LogData) {
        let off_home = self.is_off_home();
        self.items.change(|items| {
            items.off_home |= off_home;
            items.logs.push(Arc::new(log));
        });
    }

    pub(super) fn span_started(&self, span: SpanData) {
        let off_home = self.is_off_home();
        self.items.change(|items| {
            items.off_home |= off_home;
            items.spans.push(Arc::new(span));
        });
    }

    /// Puts the ended span where the started one was; gives it back when it never started here.
    pub(super) fn span_ended(&self, mut span: SpanData) -> Option<SpanData> {
        self.items.change(|items| {
            // The newest first: a span ends soon after it started more often than not.
            let mut slots = items.spans.iter_mut().rev();
            let slot =
                slots.find(|slot| slot.span_id == span.span_id && slot.trace_id == span.trace_id);
            let Some(slot) = slot else {
                return Some(span);
            };
            span.sequence = slot.sequence;
            span.thread.clone_from(&slot.thread);
            *slot = Arc::new(span);
            None
        })
    }

    /// Forgets everything but spans that are still open.
    pub(super) fn clear(&self) {
        self.items.change(|items| {
            items.logs.clear();
            items.spans.retain(|span| span.end.is_none());
        });
    }

    fn is_off_home(&self) -> bool {
        std::thread::current().id() != self.home
    }
}

impl Live for Store {
    fn snapshot(&self) -> (Arc<Snapshot>, u64) {
        let (items, version) = self
            .items
            .look(|items| (items.logs.clone(), items.spans.clone(), items.off_home));
        let (logs, spans, off_home) = items;
        let snapshot = Snapshot {
            title: self.title.clone(),
            logs,
            spans,
            orphans: registry::orphans_since(self.since),
            off_home,
            ..Snapshot::default()
        };
        (Arc::new(snapshot), version)
    }

    fn register(&self, waker: &Waker) {
        self.items.register(waker);
    }

    fn wait(&self, seen: u64, deadline: Instant) {
        self.items.wait(seen, deadline);
    }

    fn touch(&self) {
        self.items.change(|_| ());
    }
}
