//! The logger in the slot: each record to the console side as ever, and to the bridge.

use std::time::SystemTime;

use super::admitted::{Admitted, admitting, may_be_bridged};
use super::body::Body;
#[cfg(feature = "tracing")]
use super::event::is_echo;
use super::local::LocalLogger;
use super::taken::Taken;
use crate::os;
use crate::reentry::{Phase, phase, within};
use crate::state;
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
        let console = || !matches!(phase(), Phase::Formatting { console: false, .. });
        #[cfg(feature = "tracing")]
        let admitted = admitting(record).filter(|_| !is_echo(record));
        #[cfg(not(feature = "tracing"))]
        let admitted = admitting(record);
        let Some(admitted) = admitted else {
            #[cfg(feature = "__testkit")]
            state::scope::late(record.metadata());
            if self.local.wants(record) && console() {
                self.local.log(record);
            }
            return;
        };
        let time = SystemTime::now();
        match admitted.pass(record.level(), time) {
            Ok(depth) => self.bridge(record, &admitted, time, (depth, console())),
            Err(_) if console() => self.local.log(record),
            Err(_) => {}
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
    /// To the bridge, and to the console, if it is to see it.
    ///
    /// The message is formatted once for both, so that a value which logs does so once.
    #[inline]
    fn bridge(
        &self,
        record: &Record<'_>,
        admitted: &Admitted,
        time: SystemTime,
        (depth, console): (u8, bool),
    ) {
        let formatting = |console| Phase::Formatting {
            depth: depth + 1,
            console,
        };
        let prints = console && self.local.enabled(record.metadata());
        let mut scratch = Scratch::default();
        let body = within(formatting(prints), || Body::of(record, &mut scratch));
        // The console formats key-values by itself, if at all.
        let taken = Taken::new(admitted.bridge, record, time);
        let mut emitting = Emitting { taken, body };
        within(formatting(false), || {
            emitting
                .taken
                .ask(|attributes| _ = record.key_values().visit(attributes));
        });
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
}

/// A record that is emitted when this is dropped: also when the console panics.
struct Emitting<'r> {
    taken: Taken<'r, Record<'r>>,
    body: Body<'r>,
}

impl Drop for Emitting<'_> {
    fn drop(&mut self) {
        self.taken.emit(Some(self.body));
    }
}
