//! Which part of lens the current thread is in, so that a record made while another one is
//! handled goes where it belongs, once.
//!
//! A value's `Display` may log. Both sides format a record, so such a value logs twice; the
//! console keeps what it would have printed alone, the bridge exports each record once.

use std::cell::Cell;

/// What the current thread is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing of lens's.
    Outside,
    /// The console logger is formatting a record that the bridge will (or will not) see.
    Local { bridged: bool },
    /// The bridge is formatting a record, this deep.
    Formatting { depth: u8 },
    /// A processor or exporter has the record.
    Emitting,
}

/// How deep records that log while they are formatted are followed.
pub(super) const MAX_DEPTH: u8 = 3;

thread_local! {
    static PHASE: Cell<Phase> = const { Cell::new(Phase::Outside) };
}

/// The current phase.
pub(crate) fn phase() -> Phase {
    PHASE.try_with(Cell::get).unwrap_or(Phase::Outside)
}

/// Runs `f` in `phase`, also when it panics.
pub(super) fn within<R>(phase: Phase, f: impl FnOnce() -> R) -> R {
    struct Restore(Phase);
    impl Drop for Restore {
        fn drop(&mut self) {
            let _ = PHASE.try_with(|phase| phase.set(self.0));
        }
    }
    let before = PHASE.try_with(|current| current.replace(phase));
    let _restore = Restore(before.unwrap_or(Phase::Outside));
    f()
}
