//! What was received, and who waits for it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::script::Script;
use super::{LogRecord, Signal, Span};

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
    pub(super) logs: Vec<LogRecord>,
    pub(super) spans: Vec<Span>,
    pub(super) attempts: Vec<Attempt>,
    pub(super) connections: usize,
}

impl Store {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // A test that panics while it looks must not break the receiver for the others.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn change(&self, f: impl FnOnce(&mut State)) {
        f(&mut self.lock());
        self.changed.notify_all();
    }

    /// Waits until `f` says so; `false` when `limit` passed first.
    pub(super) fn wait(&self, limit: Duration, f: impl Fn(&State) -> bool) -> bool {
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
