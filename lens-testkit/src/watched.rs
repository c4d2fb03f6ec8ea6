//! Something that changes, and who waits for it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::{Duration, Instant};

/// A value behind a lock that tells of every change, to threads and tasks alike.
///
/// Never poisoned: a test that panics while it looks must not break what others do.
#[derive(Debug, Default)]
pub(crate) struct Watched<S> {
    state: Mutex<State<S>>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State<S> {
    value: S,
    version: u64,
    wakers: Vec<Waker>,
}

impl<S> Watched<S> {
    /// Looks at the value; the version tells a later look whether anything has changed.
    pub(crate) fn look<R>(&self, f: impl FnOnce(&S) -> R) -> (R, u64) {
        let state = self.lock();
        (f(&state.value), state.version)
    }

    /// Changes the value, and tells everybody who waits.
    pub(crate) fn change<R>(&self, f: impl FnOnce(&mut S) -> R) -> R {
        let (result, wakers) = {
            let mut state = self.lock();
            let result = f(&mut state.value);
            state.version += 1;
            (result, std::mem::take(&mut state.wakers))
        };
        self.changed.notify_all();
        wakers.into_iter().for_each(Waker::wake);
        result
    }

    /// Has `waker` woken at the next change.
    pub(crate) fn register(&self, waker: &Waker) {
        let mut state = self.lock();
        if !state.wakers.iter().any(|known| known.will_wake(waker)) {
            state.wakers.push(waker.clone());
        }
    }

    /// Waits until something has changed since version `seen`, or until `deadline`.
    pub(crate) fn wait(&self, seen: u64, deadline: Instant) {
        let mut state = self.lock();
        while state.version == seen {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let waited = self.changed.wait_timeout(state, left);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until `f` says so; `false` when `limit` passed first.
    pub(crate) fn wait_until(&self, limit: Duration, f: impl Fn(&S) -> bool) -> bool {
        let deadline = Instant::now() + limit;
        loop {
            let (done, version) = self.look(&f);
            if done || Instant::now() >= deadline {
                return done;
            }
            self.wait(version, deadline);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
