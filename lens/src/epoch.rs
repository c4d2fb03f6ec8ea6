//! Which meter provider measurements belong to: a number that each start changes.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Nothing is measured.
pub(crate) const OFF: u32 = 0;

/// The provider is that of whoever set one without lens.
pub(crate) const FOREIGN: u32 = 1;

static CURRENT: AtomicU32 = AtomicU32::new(FOREIGN);
#[cfg(feature = "sdk")]
static NEXT: AtomicU32 = AtomicU32::new(FOREIGN + 1);

/// The number that is in effect.
#[inline]
pub(crate) fn current() -> u32 {
    CURRENT.load(Relaxed)
}

/// There is another provider.
#[cfg(feature = "sdk")]
pub(crate) fn begin() {
    CURRENT.store(NEXT.fetch_add(1, Relaxed), Relaxed);
}

/// There is none.
#[cfg(feature = "sdk")]
pub(crate) fn end() {
    CURRENT.store(OFF, Relaxed);
}
