//! The logger in the slot: each record to the console side as ever, and to the bridge.

use std::time::SystemTime;

use super::body::Body;
use super::held_back;
use super::local::LocalLogger;
use super::taken::Taken;
use crate::admission::Flood;
use crate::context;
use crate::os;
use crate::reentry::{MAX_DEPTH, Phase, phase, within};
use crate::state::{self, Active, Bridge};
use crate::stats::Reason;
use crate::text::Scratch;
use log::{Log, Metadata, Record};

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
        !os::is_own_thread() && (self.local.enabled(metadata) || may_be_bridged(metadata))
    }

    fn log(&self, record: &Record<'_>) {
        // What the export stack logs on lens's behalf leaves no trace anywhere.
        if os::is_own_thread() {
            return;
        }
        let phase = phase();
        let console = !matches!(phase, Phase::Formatting { console: false, .. });
        let Some(admitted) = admitting(record) else {
            #[cfg(feature = "__testkit")]
            state::scope::late(record.metadata());
            if console {
                self.local.log(record);
            }
            return;
        };
        match phase {
            // The thread is ending, and the span context with it.
            _ if !context::has_context() => self.refuse(record, &admitted, Reason::ThreadExit),
            Phase::Outside => self.pass(record, &admitted, 0, true),
            Phase::Formatting { depth, console } if depth < MAX_DEPTH => {
                self.pass(record, &admitted, depth, console);
            }
            Phase::Formatting { .. } => {
                admitted.active.refused(Reason::Reentrant);
                if console {
                    self.print(record, None);
                }
            }
            Phase::Printing | Phase::Emitting => {
                self.refuse(record, &admitted, Reason::Reentrant);
            }
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
    /// To the bridge, unless it is held back, and to the console, if it is to see it.
    ///
    /// The message is formatted once for both, so that a value which logs does so once.
    #[inline]
    fn pass(&self, record: &Record<'_>, admitted: &Admitted, depth: u8, console: bool) {
        let Admitted {
            active,
            bridge,
            flood,
        } = admitted;
        let time = SystemTime::now();
        if let Some(flood) = flood
            && let Err(reason) = held_back::admit(flood, bridge, record.level(), time)
        {
            active.refused(reason);
            if console {
                self.local.log(record);
            }
            return;
        }
        release_held_panic(active, bridge);
        let formatting = |console| Phase::Formatting {
            depth: depth + 1,
            console,
        };
        let prints = console && self.local.enabled(record.metadata());
        let mut scratch = Scratch::default();
        let body = within(formatting(prints), || Body::of(record, &mut scratch));
        // The console formats key-values by itself, if at all.
        let taken = Taken::new(bridge, record, time);
        let mut emitting = Emitting { taken, body };
        within(formatting(false), || emitting.taken.ask());
        match emitting.body {
            // Emitted first: the console may be about to panic, as it would without lens.
            Body::Broken(_) => {
                drop(emitting);
                if console {
                    self.print(record, None);
                }
            }
            body if console => self.print(record, body.formatted()),
            _ => {}
        }
    }

    /// To the console, with the message as it was formatted already, if it was.
    fn print(&self, record: &Record<'_>, text: Option<&str>) {
        within(Phase::Printing, || match text {
            Some(text) => {
                let args = format_args!("{text}");
                self.local.log(&record.to_builder().args(args).build());
            }
            None => self.local.log(record),
        });
    }

    /// To the console only; counted, since the bridge would have taken it.
    fn refuse(&self, record: &Record<'_>, admitted: &Admitted, reason: Reason) {
        self.local.log(record);
        admitted.active.refused(reason);
    }
}

/// A record that is emitted when this is dropped: also when the console panics.
struct Emitting<'r> {
    taken: Taken<'r>,
    body: Body<'r>,
}

impl Drop for Emitting<'_> {
    fn drop(&mut self) {
        self.taken.emit(self.body);
    }
}

/// The bridge that wants a record, and what may hold the record back all the same.
struct Admitted {
    active: &'static Active,
    bridge: &'static Bridge,
    flood: Option<&'static Flood>,
}

#[inline]
fn admitting(record: &Record<'_>) -> Option<Admitted> {
    let active = state::current()?;
    let bridge = active.bridge.as_ref()?;
    let module = record.module_path().unwrap_or_default();
    let decision = bridge.decider.decide(record.target(), Some(module));
    (record.level() <= decision.level).then(|| Admitted {
        active,
        bridge,
        flood: bridge.decider.flood(decision),
    })
}

fn may_be_bridged(metadata: &Metadata<'_>) -> bool {
    let bridge = state::current().and_then(|active| active.bridge.as_ref());
    bridge.is_some_and(|bridge| bridge.decider.admits(metadata))
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
