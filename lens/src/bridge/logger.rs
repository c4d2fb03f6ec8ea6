//! The logger in the slot: each record to the console side as ever, and to the bridge.

use log::{Log, Metadata, Record};
use opentelemetry::logs::Logger as _;
use opentelemetry_sdk::logs::SdkLogRecord;

use super::convert;
use super::local::LocalLogger;
use super::reentry::{MAX_DEPTH, Phase, phase, within};
use crate::os;
use crate::state::{self, Active, Bridge};
use crate::stats::Reason;

/// The logger in the slot.
pub(super) struct TeeLogger {
    local: LocalLogger,
}

impl TeeLogger {
    pub(super) fn new(local: LocalLogger) -> Self {
        Self { local }
    }
}

impl Log for TeeLogger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        !os::is_own_thread() && (self.local.enabled(metadata) || admitting(metadata).is_some())
    }

    fn log(&self, record: &Record<'_>) {
        // What the export stack logs on lens's behalf leaves no trace anywhere.
        if os::is_own_thread() {
            return;
        }
        if !os::has_context() {
            // The thread is ending, and the span context with it.
            return self.log_locally(record, Reason::ThreadExit);
        }
        match phase() {
            Phase::Outside => {
                let admitting = admitting(record.metadata());
                let bridged = admitting.is_some();
                within(Phase::Local { bridged }, || self.local.log(record));
                if let Some((active, bridge)) = admitting {
                    export(active, bridge, record, 1);
                }
            }
            // The bridge will format the outer record too, and meet this one then.
            Phase::Local { bridged: true } => self.local.log(record),
            Phase::Local { bridged: false } => {
                self.local.log(record);
                if let Some((active, bridge)) = admitting(record.metadata()) {
                    export(active, bridge, record, 1);
                }
            }
            // The console has formatted the outer record, and has seen this one.
            Phase::Formatting { depth } => {
                if let Some((active, bridge)) = admitting(record.metadata()) {
                    if depth < MAX_DEPTH {
                        export(active, bridge, record, depth + 1);
                    } else {
                        active.refused(Reason::Reentrant);
                    }
                }
            }
            Phase::Emitting => self.log_locally(record, Reason::Reentrant),
        }
    }

    fn flush(&self) {
        self.local.flush();
        if let Some(active) = state::current() {
            active.flush(active.shutdown_timeout);
        }
    }
}

impl TeeLogger {
    /// To the console only; a record the bridge would have taken is counted.
    fn log_locally(&self, record: &Record<'_>, reason: Reason) {
        self.local.log(record);
        if let Some((active, _)) = admitting(record.metadata()) {
            active.refused(reason);
        }
    }
}

/// The bridge, when it wants this record.
fn admitting(metadata: &Metadata<'_>) -> Option<(&'static Active, &'static Bridge)> {
    let active = state::current()?;
    let bridge = active.bridge.as_ref()?;
    bridge.filter.admits(metadata).then_some((active, bridge))
}

fn export(active: &Active, bridge: &Bridge, record: &Record<'_>, depth: u8) {
    release_held_panic(active, bridge);
    let record = within(Phase::Formatting { depth }, || {
        convert::record(&bridge.logger, record)
    });
    emit(bridge, record);
}

/// A panic that the thread survived leaves before the next record of that thread.
fn release_held_panic(active: &Active, bridge: &Bridge) {
    if active.held_panic.is_held()
        && std::thread::current().id() == active.main.thread
        && let Some(panic) = active.held_panic.take()
    {
        emit(bridge, panic);
    }
}

/// Hands a finished record to the provider.
pub(crate) fn emit(bridge: &Bridge, record: SdkLogRecord) {
    within(Phase::Emitting, || bridge.logger.emit(record));
}
