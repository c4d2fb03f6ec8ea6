//! What one capture has got so far.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Instant;

use super::registry;
use crate::Value;
use crate::model::{LogData, Snapshot, SpanData};
use crate::query::{Live, alarm};

/// A total order over the spans and records of all captures.
static SEQUENCE: AtomicU64 = AtomicU64::new(1);

pub(super) fn next_sequence() -> u64 {
    SEQUENCE.fetch_add(1, Relaxed)
}

pub(super) type Resource = Arc<BTreeMap<String, Value>>;

/// What one capture has got so far.
#[derive(Debug, Default)]
pub(super) struct Store {
    pub(super) title: String,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    logs: Vec<Arc<LogData>>,
    spans: Vec<Arc<SpanData>>,
    wakers: Vec<Waker>,
}

impl Store {
    pub(super) fn new(title: String) -> Self {
        Self {
            title,
            ..Self::default()
        }
    }

    pub(super) fn log(&self, log: LogData) {
        self.change(|state| state.logs.push(Arc::new(log)));
    }

    pub(super) fn span_started(&self, span: SpanData) {
        self.change(|state| state.spans.push(Arc::new(span)));
    }

    /// Puts the ended span where the started one was; `false` when it never started here.
    pub(super) fn span_ended(&self, mut span: SpanData) -> bool {
        let mut known = false;
        self.change(|state| {
            if let Some(slot) = state
                .spans
                .iter_mut()
                .find(|slot| slot.span_id == span.span_id)
            {
                span.sequence = slot.sequence;
                span.thread.clone_from(&slot.thread);
                *slot = Arc::new(span);
                known = true;
            }
        });
        known
    }

    pub(super) fn clear(&self) {
        self.change(|state| {
            state.logs.clear();
            state.spans.clear();
        });
    }

    pub(super) fn items(&self) -> (Vec<Arc<LogData>>, Vec<Arc<SpanData>>) {
        let state = self.lock();
        (state.logs.clone(), state.spans.clone())
    }

    /// Non-poisoning: a test that panics while it looks must not break what others log.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, f: impl FnOnce(&mut State)) {
        let wakers = {
            let mut state = self.lock();
            f(&mut state);
            std::mem::take(&mut state.wakers)
        };
        self.changed.notify_all();
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl Live for Store {
    fn snapshot(&self) -> Arc<Snapshot> {
        let (logs, spans) = self.items();
        Arc::new(Snapshot {
            title: self.title.clone(),
            logs,
            spans,
            orphans: registry::orphans(),
        })
    }

    fn wake(&self, waker: &Waker, deadline: Instant) {
        self.lock().wakers.push(waker.clone());
        alarm(waker.clone(), deadline);
    }

    fn wait(&self, seen: usize, deadline: Instant) {
        let state = self.lock();
        let left = deadline.saturating_duration_since(Instant::now());
        if state.logs.len() + state.spans.len() > seen || left.is_zero() {
            return;
        }
        drop(self.changed.wait_timeout(state, left));
    }
}
