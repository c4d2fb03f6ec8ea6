//! What a program holds of a running lens.

use std::time::Duration;

use opentelemetry::global::{self, BoxedTracer};
use opentelemetry_sdk::logs::SdkLoggerProvider;

use crate::panics;
use crate::state::{self, Active};
use crate::stats::{Report, Stats};

/// Returns a handle to lens as it runs now, or as it ran last.
///
/// Never fails: where lens is off the handle does nothing.
///
/// ```
/// lens::handle().flush(std::time::Duration::from_secs(1));
/// assert!(!lens::handle().is_exporting());
/// ```
#[must_use]
pub fn handle() -> Handle {
    Handle {
        active: state::latest(),
    }
}

/// A running lens, or none; see [`handle`].
#[derive(Clone, Copy, Debug)]
pub struct Handle {
    active: Option<&'static Active>,
}

impl Handle {
    /// Returns a tracer, for code that makes spans by the OpenTelemetry API.
    #[must_use]
    pub fn tracer(&self) -> BoxedTracer {
        global::tracer("lens")
    }

    /// Returns the logger provider, for other bridges; it does nothing when logs are off.
    #[must_use]
    pub fn logger_provider(&self) -> SdkLoggerProvider {
        let bridge = self.active.and_then(|active| active.bridge.as_ref());
        match bridge {
            Some(bridge) => bridge.provider.clone(),
            None => SdkLoggerProvider::builder().build(),
        }
    }

    /// Whether lens exports anything.
    #[must_use]
    pub fn is_exporting(&self) -> bool {
        self.active.is_some_and(|active| {
            active.ending.is_running()
                && (active.providers.as_ref()).is_some_and(|providers| providers.is_exporting())
        })
    }

    /// Has everything emitted so far delivered, and waits for it at most `timeout`.
    ///
    /// Returns early when no receiver can be reached.
    pub fn flush(&self, timeout: Duration) -> Report {
        self.active
            .map(|active| active.flush(timeout))
            .unwrap_or_default()
    }

    /// Delivers what is buffered and stops lens, within `timeout`. A later call returns the
    /// report of the first.
    ///
    /// The console side stays as it is. lens may be started again afterwards.
    pub fn shutdown(&self, timeout: Duration) -> Report {
        self.active
            .map(|active| active.stop(timeout))
            .unwrap_or_default()
    }

    /// Returns the accounting so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        (self.active.and_then(Active::counters))
            .map(|counters| counters.snapshot())
            .unwrap_or_default()
    }
}

/// Keeps lens running; dropping it delivers what is buffered.
///
/// Returned by [`Builder::start`](crate::Builder::start). Hold it until the end of main.
#[derive(Debug)]
#[must_use = "telemetry stops when the guard is dropped; bind it with `let _lens = …`"]
pub struct Guard {
    active: Option<&'static Active>,
}

impl Guard {
    pub(crate) fn new(active: Option<&'static Active>) -> Self {
        Self { active }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let Some(active) = self.active else { return };
        if std::thread::panicking() {
            panics::main_unwinds(active);
        }
        active.stop(active.shutdown_timeout);
    }
}
