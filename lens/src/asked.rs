//! What is asked for numbers before metrics are collected.
//!
//! The SDK asks while it holds what each first measurement waits for, and so would have a closure
//! of the program's that measures, or waits for somebody who does, wait for itself.

#![cfg_attr(
    not(feature = "sdk"),
    expect(dead_code, reason = "without an SDK of lens's nobody asks beforehand")
)]

use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Something that keeps numbers for the collection that follows.
pub(crate) trait Ask: Send + Sync {
    /// Whose instruments take the numbers.
    fn owner(&self) -> usize;

    /// Asks for the numbers of this moment.
    fn ask(&self);
}

static ALL: Mutex<Vec<Weak<dyn Ask>>> = Mutex::new(Vec::new());

/// Has `asked` asked from now on, as long as it lives.
pub(crate) fn register(asked: Weak<dyn Ask>) {
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|known| known.strong_count() > 0);
    all.push(asked);
}

/// Asks everything, or what is `owner`'s; with nothing locked, since it runs code of the program's.
pub(crate) fn ask_all(owner: Option<usize>) {
    let all: Vec<Arc<dyn Ask>> = {
        let all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter_map(Weak::upgrade).collect()
    };
    let is_meant = |asked: &&Arc<dyn Ask>| owner.is_none_or(|owner| asked.owner() == owner);
    all.iter().filter(is_meant).for_each(|asked| asked.ask());
}
