//! How a start of lens is flushed and ended, by whoever comes first.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use opentelemetry_sdk::logs::SdkLoggerProvider;

use crate::bridge::{release_held_panic, tell_all};
use crate::diag;
use crate::epoch;
use crate::os;
use crate::state::{self, Active};
use crate::stats::{Report, deadline};

impl Active {
    /// Has everything emitted so far delivered, within `timeout`.
    pub(crate) fn flush(&'static self, timeout: Duration) -> Report {
        if os::is_forked_child() {
            return self.of_forked_child();
        }
        if let Some(bridge) = &self.bridge {
            release_held_panic(self, bridge);
            tell_all(bridge);
        }
        match (&self.providers, &self.bridge) {
            (Some(providers), _) => providers.flush(timeout),
            (None, Some(bridge)) => flush_theirs(&bridge.provider, timeout),
            (None, None) => Report::default(),
        }
    }

    /// Takes this start out of effect and delivers what it buffered, within `timeout`.
    ///
    /// The first caller does it; others wait for it, each for its own time, and get the same
    /// report. Says in one line what was lost.
    pub(crate) fn stop(&'static self, timeout: Duration) -> Report {
        if os::is_forked_child() {
            // Once: this start is over for the child.
            if self.withdraw()
                && let Some(providers) = &self.providers
            {
                let lost = providers.counters.of_forked_child();
                if !lost.is_empty() {
                    diag::say(lost);
                }
            }
            return self.of_forked_child();
        }
        let began = Instant::now();
        if !self.ending.begin() {
            return self
                .ending
                .wait(deadline(timeout))
                .unwrap_or_else(|| Report {
                    stats: self.stats(),
                    elapsed: began.elapsed(),
                    timed_out: true,
                });
        }
        // Before the next start can begin.
        if (self.providers.as_ref()).is_some_and(|providers| providers.meters.is_some()) {
            epoch::end();
        }
        self.withdraw();
        state::refresh_level_gate();
        let report = match &self.providers {
            Some(providers) => providers.stop(timeout, Box::new(move || self.emit_what_was_held())),
            None => self.flush(timeout),
        };
        #[cfg(unix)]
        os::unwatch();
        let lost = report.stats.to_string();
        if !lost.is_empty() {
            diag::say(lost);
        }
        self.ending.finish(report);
        report
    }

    /// Nothing is waited for, and no lock is taken: its holder may have stayed in the parent.
    fn of_forked_child(&self) -> Report {
        let counters = self.providers.as_ref().map(|providers| &providers.counters);
        Report {
            stats: counters
                .map(|counters| counters.snapshot())
                .unwrap_or_default(),
            ..Report::default()
        }
    }

    /// A panic that has not ended the program is an error like any other; and what scopes held
    /// back is told.
    fn emit_what_was_held(&self) {
        let Some(bridge) = &self.bridge else { return };
        if let Some(panic) = self.held_panic.take() {
            bridge.emit_apart(panic);
        }
        tell_all(bridge);
    }
}

/// Flushes a provider of the application's, whose exporter may take for ever or panic: on a
/// thread that nobody has to wait for.
#[expect(
    clippy::disallowed_methods,
    reason = "a wait that can be given up needs a thread"
)]
fn flush_theirs(provider: &SdkLoggerProvider, timeout: Duration) -> Report {
    let began = Instant::now();
    let (tell, told) = mpsc::channel();
    let provider = provider.clone();
    let thread = std::thread::Builder::new().name("lens-flush".to_owned());
    let flushed = thread
        .spawn(move || tell.send(provider.force_flush().is_ok()))
        .is_ok_and(|_| told.recv_timeout(timeout).unwrap_or(false));
    Report {
        timed_out: !flushed,
        elapsed: began.elapsed(),
        ..Report::default()
    }
}
