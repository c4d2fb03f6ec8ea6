//! What is asked for numbers before metrics are collected.
//!
//! The SDK asks while it holds what each first measurement waits for, and so would have a closure
//! of the program's that measures, or waits for somebody who does, wait for itself. Asked by one at
//! a time, so that no number is older than the one before it.

#![cfg_attr(
    not(feature = "sdk"),
    expect(dead_code, reason = "without an SDK of lens's nobody asks beforehand")
)]

use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::Duration;

/// Something that keeps numbers for the collection that follows.
pub(crate) trait Ask: Send + Sync {
    /// Whose instruments take the numbers.
    fn owner(&self) -> usize;

    /// Asks for the numbers of this moment.
    fn ask(&self);

    /// Forgets what was said.
    fn forget(&self);

    /// Has its numbers taken by instruments of the provider that is in effect now.
    fn go_over(self: Arc<Self>);
}

static ALL: Mutex<Vec<Weak<dyn Ask>>> = Mutex::new(Vec::new());
static IS_ASKING: Mutex<bool> = Mutex::new(false);
static IS_OVER: Condvar = Condvar::new();

/// Has `asked` asked from now on, as long as it lives.
pub(crate) fn register(asked: Weak<dyn Ask>) {
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|known| known.strong_count() > 0);
    all.push(asked);
}

/// Whether there is anything to be asked.
pub(crate) fn is_any() -> bool {
    let all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    !all.is_empty()
}

/// Asks everything, or what is `owner`'s; with nothing locked, since it runs code of the program's.
pub(crate) fn ask_all(owner: Option<usize>) {
    each(owner, |asked| asked.ask());
}

/// Forgets all numbers: somebody did not answer in time.
pub(crate) fn forget_all() {
    each(None, |asked| asked.forget());
}

/// Has the numbers of everything taken by the provider that is in effect now.
pub(crate) fn go_over_all() {
    each(None, |asked| asked.go_over());
}

fn each(owner: Option<usize>, f: impl Fn(Arc<dyn Ask>)) {
    let all: Vec<Arc<dyn Ask>> = {
        let all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter_map(Weak::upgrade).collect()
    };
    let is_meant = |asked: &Arc<dyn Ask>| owner.is_none_or(|owner| asked.owner() == owner);
    all.into_iter().filter(is_meant).for_each(f);
}

/// The turn of one who asks, until it is dropped.
pub(crate) struct Turn(());

/// Waits until nobody asks; `None` where that takes longer than `patience`.
pub(crate) fn turn(patience: Duration) -> Option<Turn> {
    let is_asking = IS_ASKING.lock().unwrap_or_else(PoisonError::into_inner);
    let waited = IS_OVER.wait_timeout_while(is_asking, patience, |is_asking| *is_asking);
    let (mut is_asking, _) = waited.unwrap_or_else(PoisonError::into_inner);
    (!std::mem::replace(&mut *is_asking, true)).then(|| Turn(()))
}

impl Drop for Turn {
    fn drop(&mut self) {
        *IS_ASKING.lock().unwrap_or_else(PoisonError::into_inner) = false;
        IS_OVER.notify_one();
    }
}
