//! What was received, and who waits for it.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::{Duration, Instant};

use super::Attempt;
use super::script::Script;
use crate::model::{LogData, Snapshot, SpanData};
use crate::query::{Live, alarm};

#[derive(Debug, Default)]
pub(super) struct Store {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) script: Script,
    pub(super) logs: Vec<Arc<LogData>>,
    pub(super) spans: Vec<Arc<SpanData>>,
    pub(super) attempts: Vec<Attempt>,
    pub(super) connections: usize,
    /// Whether connections are accepted.
    pub(super) listening: bool,
    wakers: Vec<Waker>,
}

impl Store {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // A test that panics while it looks must not break the receiver for the others.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn change(&self, f: impl FnOnce(&mut State)) {
        let wakers = {
            let mut state = self.lock();
            f(&mut state);
            std::mem::take(&mut state.wakers)
        };
        self.changed.notify_all();
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Waits until `f` says so; `false` when `limit` passed first.
    pub(super) fn wait_until(&self, limit: Duration, f: impl Fn(&State) -> bool) -> bool {
        let deadline = Instant::now() + limit;
        let mut state = self.lock();
        while !f(&state) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let waited = self.changed.wait_timeout(state, left);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        true
    }
}

impl Live for Store {
    fn snapshot(&self) -> Arc<Snapshot> {
        let (mut logs, mut spans) = {
            let state = self.lock();
            (state.logs.clone(), state.spans.clone())
        };
        // A request groups its items by scope, so the order sent says little.
        logs.sort_by_key(|log| log.time);
        spans.sort_by_key(|span| span.start);
        Arc::new(Snapshot {
            title: "the receiver".to_owned(),
            logs,
            spans,
            orphans: Vec::new(),
        })
    }

    fn wake(&self, waker: &Waker, deadline: Instant) {
        self.lock().wakers.push(waker.clone());
        alarm(waker.clone(), deadline);
    }

    fn wait(&self, seen: usize, deadline: Instant) {
        let left = deadline.saturating_duration_since(Instant::now());
        self.wait_until(left, |state| state.logs.len() + state.spans.len() > seen);
    }
}
