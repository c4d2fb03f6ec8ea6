//! Tells what scopes hold back: one record a second and scope, so that a dashboard shows the
//! gap.

use std::time::{SystemTime, UNIX_EPOCH};

use log::Level;
use opentelemetry::Context;

use super::about::about_scope;
use crate::admission::{Flood, HeldBack};
use crate::state::Bridge;
use crate::stats::Reason;

/// Whether a record passes; tells first of what did not in an earlier second.
pub(super) fn admit(
    flood: &Flood,
    bridge: &Bridge,
    level: Level,
    time: SystemTime,
) -> Result<(), Reason> {
    let second = second(time);
    if let Some(held_back) = flood.take_if_due(second) {
        tell(bridge, flood, held_back, time);
    }
    flood.admit(level, second)
}

/// Tells of everything that was held back before this second.
pub(crate) fn tell_due(bridge: &Bridge) {
    let time = SystemTime::now();
    for flood in bridge.decider.floods() {
        if let Some(held_back) = flood.take_if_due(second(time)) {
            tell(bridge, flood, held_back, time);
        }
    }
}

/// Tells of everything that was held back.
pub(crate) fn tell_all(bridge: &Bridge) {
    for flood in bridge.decider.floods() {
        tell(bridge, flood, flood.take(), SystemTime::now());
    }
}

fn tell(bridge: &Bridge, flood: &Flood, held_back: HeldBack, time: SystemTime) {
    if held_back.total() > 0 {
        // Of no span: not of the one that is active where it happens to be told.
        let _none = Context::new().attach();
        bridge.emit(about_scope(&bridge.logger, flood.module(), held_back, time));
    }
}

fn second(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}
