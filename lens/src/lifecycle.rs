//! How a start of lens is flushed and ended, by whoever comes first.

use std::time::{Duration, Instant};

use opentelemetry::logs::Logger as _;

use crate::diag;
use crate::state::{self, Active};
use crate::stats::Report;

impl Active {
    /// Has everything emitted so far delivered, within `timeout`.
    pub(crate) fn flush(&'static self, timeout: Duration) -> Report {
        self.emit_held_panic();
        match (&self.providers, &self.bridge) {
            (Some(providers), _) => providers.flush(timeout),
            (None, Some(bridge)) => {
                let began = Instant::now();
                Report {
                    timed_out: bridge.provider.force_flush().is_err(),
                    elapsed: began.elapsed(),
                    ..Report::default()
                }
            }
            (None, None) => Report::default(),
        }
    }

    /// Takes this start out of effect and delivers what it buffered, within `timeout`.
    ///
    /// The first caller does it; others wait for it and get the same report. Says in one
    /// line what was lost.
    pub(crate) fn stop(&'static self, timeout: Duration) -> Report {
        *self.report.get_or_init(|| {
            self.withdraw();
            state::refresh_level_gate();
            let report = match &self.providers {
                Some(providers) => {
                    providers.stop(timeout, Box::new(move || self.emit_held_panic()))
                }
                None => self.flush(timeout),
            };
            let lost = report.stats.to_string();
            if !lost.is_empty() {
                diag::say(lost);
            }
            report
        })
    }

    /// A panic that has not ended the program is an error like any other.
    fn emit_held_panic(&self) {
        if let (Some(bridge), Some(panic)) = (&self.bridge, self.held_panic.take()) {
            bridge.logger.emit(panic);
        }
    }
}
