//! Whether the bridge takes a record, and what stands in its way.

use std::time::SystemTime;

use log::{Level, Metadata};

use super::held_back;
use super::origin::Origin;
use crate::admission::Flood;
use crate::context;
use crate::reentry::{MAX_DEPTH, Phase, phase};
use crate::state::{self, Active, Bridge};
use crate::stats::Reason;

/// The bridge that wants a record, and what may hold the record back all the same.
pub(super) struct Admitted {
    pub(super) active: &'static Active,
    pub(super) bridge: &'static Bridge,
    flood: Option<&'static Flood>,
}

/// The bridge that wants the record; none where that is filtered out.
#[inline]
pub(super) fn admitting(record: &impl Origin) -> Option<Admitted> {
    let active = state::current()?;
    let bridge = active.bridge.as_ref()?;
    let decision = match record.literal() {
        Some(target) => bridge.decider.decide_literal(target),
        None => (bridge.decider).decide(record.target(), Some(record.module())),
    };
    (record.level() <= decision.level).then(|| Admitted {
        active,
        bridge,
        flood: bridge.decider.flood(decision),
    })
}

/// Whether a record with this metadata may be bridged.
pub(super) fn may_be_bridged(metadata: &Metadata<'_>) -> bool {
    let bridge = state::current().and_then(|active| active.bridge.as_ref());
    bridge.is_some_and(|bridge| bridge.decider.admits(metadata))
}

impl Admitted {
    /// Lets a record of this `level` pass, and whatever was waiting for it; returns how deep it
    /// stands inside of others, or why it cannot pass, which is counted.
    #[inline]
    pub(super) fn pass(&self, level: Level, time: SystemTime) -> Result<u8, Reason> {
        let depth = depth().and_then(|depth| {
            if let Some(flood) = self.flood {
                held_back::admit(flood, self.bridge, level, time)?;
            }
            Ok(depth)
        });
        match depth {
            Ok(_) => release_held_panic(self.active, self.bridge),
            Err(reason) => self.active.refused(reason),
        }
        depth
    }
}

/// How deep a record that is made now stands inside of others.
#[inline]
fn depth() -> Result<u8, Reason> {
    // The thread is ending, and the span context with it.
    if !context::has_context() {
        return Err(Reason::ThreadExit);
    }
    match phase() {
        Phase::Outside => Ok(0),
        Phase::Formatting { depth, .. } if depth < MAX_DEPTH => Ok(depth),
        Phase::Formatting { .. } | Phase::Printing | Phase::Emitting => Err(Reason::Reentrant),
    }
}

/// A panic that the thread survived leaves before the next record of that thread.
#[inline]
pub(crate) fn release_held_panic(active: &Active, bridge: &Bridge) {
    if active.held_panic.is_held()
        && active.main.is_here()
        // Else it may be main that unwinds, and logs as it does.
        && !std::thread::panicking()
        && let Some(panic) = active.held_panic.take()
    {
        bridge.emit_apart(panic);
    }
}
