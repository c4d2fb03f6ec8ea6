//! What was received, and who waits for it.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::{Duration, Instant};

use super::Signal;
use super::script::Script;
use crate::model::{LogData, Snapshot, SpanData};
use crate::query::{Live, alarm};

/// One request, whatever it was answered.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Attempt {
    /// What it carried; `None` for a path that is none of OTLP's.
    pub signal: Option<Signal>,
    /// When it had arrived in full.
    pub at: Instant,
    /// The request's path and query.
    pub path: String,
    /// The request's headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as it was sent.
    pub body: Vec<u8>,
    /// How many items it carried.
    pub items: usize,
    /// Why it could not be decoded, if so.
    pub error: Option<String>,
}

impl Attempt {
    /// Returns a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        found.next().map(|(_, value)| value.as_str())
    }
}

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
