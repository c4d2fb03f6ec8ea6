//! The subscribers of `tracing` that have lens's layer.

use std::sync::{Mutex, PoisonError};

use tracing_core::callsite::rebuild_interest_cache;
use tracing_core::dispatcher::{WeakDispatch, with_default};

static SUBSCRIBERS: Mutex<Vec<WeakDispatch>> = Mutex::new(Vec::new());

/// Remembers a subscriber.
pub(crate) fn add_subscriber(subscriber: WeakDispatch) {
    let mut subscribers = SUBSCRIBERS.lock().unwrap_or_else(PoisonError::into_inner);
    subscribers.retain(|known| known.upgrade().is_some());
    subscribers.push(subscriber);
}

/// Has subscribers asked anew what they want of each call.
pub(super) fn ask_subscribers() {
    let one = {
        let subscribers = SUBSCRIBERS.lock().unwrap_or_else(PoisonError::into_inner);
        subscribers.iter().find_map(WeakDispatch::upgrade)
    };
    // Where there is one in the process, `tracing` asks that of this thread.
    if let Some(subscriber) = one {
        with_default(&subscriber, rebuild_interest_cache);
    }
}
