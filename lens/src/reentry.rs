//! Which part of lens the current thread is in, so that a record made while another one is
//! handled goes where it belongs, once.
//!
//! A value's `Display` may log. Such a record goes to the export and, where the console would
//! have met it without lens, to the console; each once.

#![cfg_attr(
    not(feature = "sdk"),
    expect(dead_code, reason = "who asks for the phase is the bridge")
)]

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::during::during;

/// What the current thread is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing of lens's.
    Outside,
    /// lens formats a record that stands inside so many others; what is logged meanwhile is
    /// the console's business, too, or not.
    Formatting { depth: u8, console: bool },
    /// The console has a record that the bridge has seen.
    Printing,
    /// A processor or exporter has the record.
    Emitting,
}

/// How deep records that log while they are formatted are followed.
pub(crate) const MAX_DEPTH: u8 = 3;

thread_local! {
    static PHASE: Cell<Phase> = const { Cell::new(Phase::Outside) };
}

/// The current phase.
#[inline]
pub(crate) fn phase() -> Phase {
    PHASE.try_with(Cell::get).unwrap_or(Phase::Outside)
}

/// Runs `f` in `phase`, also when it panics.
#[inline]
pub(crate) fn within<R>(phase: Phase, f: impl FnOnce() -> R) -> R {
    during(&PHASE, phase, f)
}

/// Runs `f`, which calls a user's `Display` for lens alone; `None` when that panics.
pub(crate) fn quietly<R>(f: impl FnOnce() -> R) -> Option<R> {
    let phase = Phase::Formatting {
        depth: 1,
        console: false,
    };
    within(phase, || catch_unwind(AssertUnwindSafe(f))).ok()
}
