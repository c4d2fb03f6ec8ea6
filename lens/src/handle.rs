//! What a program holds of a running lens.

use std::thread::ThreadId;
use std::time::Duration;

use log::LevelFilter;
use opentelemetry::global::{self, BoxedTracer};
use opentelemetry::metrics::Meter;
use opentelemetry_sdk::logs::SdkLoggerProvider;

use crate::config::{Filter, Root};
use crate::error::Error;
use crate::groups::Site;
use crate::panics;
use crate::span::{Description, OpenSpan, Ticket, hold, release};
use crate::state::{self, Active};
use crate::stats::{Report, Stats};

const DIRECTIVE: &str = "a level or logger=level";

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

    /// Returns a meter, for code that measures by the OpenTelemetry API.
    ///
    /// ```
    /// let steps = lens::handle().meter().u64_counter("train.steps").build();
    /// steps.add(1, &[]);
    /// ```
    ///
    /// What is measured is collected every 60 s, at a flush and at the end; see
    /// [`Builder::metric_interval`](crate::Builder::metric_interval).
    #[must_use]
    pub fn meter(&self) -> Meter {
        global::meter("lens")
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

    /// Puts `directives` above everything else that says which records are bridged, in place
    /// of those of `NEMO_LENS_LOGS_FILTER`.
    ///
    /// They are as in [`Builder::filter`](crate::Builder::filter); an empty text takes them
    /// away. The level gate of the `log` crate follows. Where nothing is bridged this changes
    /// nothing.
    ///
    /// ```
    /// lens::handle().set_filter("info,megatron.training=debug")?;
    /// # Ok::<(), lens::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a directive is none; nothing changes then.
    pub fn set_filter(&self, directives: &str) -> Result<(), Error> {
        let bridge = self.active.and_then(|active| active.bridge.as_ref());
        let bad = match bridge {
            Some(bridge) => bridge.decider.set_top(directives),
            None => Filter::new(LevelFilter::Off, &[], "").set_top(directives),
        };
        if let Some(bad) = bad.first() {
            return Err(Error::unknown("directive", bad, DIRECTIVE));
        }
        state::refresh_level_gate();
        Ok(())
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
        self.active.map(Active::stats).unwrap_or_default()
    }
}

/// Keeps lens running; dropping it delivers what is buffered.
///
/// Returned by [`Builder::start`](crate::Builder::start). Hold it until the end of main, on the
/// thread that started: a [root span](crate::Builder::root_span) is active there, and only there
/// can it be taken back.
#[derive(Debug)]
#[must_use = "telemetry stops when the guard is dropped; bind it with `let _lens = …`"]
pub struct Guard {
    active: Option<&'static Active>,
    root: OpenSpan,
    /// The root span or what was inherited, where and as long as it is active on a thread.
    held: Option<(ThreadId, Ticket)>,
}

impl Guard {
    pub(crate) fn new(
        active: Option<&'static Active>,
        root: Root,
        site: Option<&'static Site>,
    ) -> Self {
        let mut guard = Self::none();
        guard.active = active;
        let inherited = state::inherited();
        if let (Some(_), Some(name)) = (active, root.name) {
            let description = Description::default().name(name);
            let description = match &inherited {
                Some(parent) => description.parent(parent),
                None => description,
            };
            guard.root = OpenSpan::start(site.unwrap_or(Site::UNKNOWN), description);
        }
        let Some(context) = guard.root.context().cloned().or(inherited) else {
            return guard;
        };
        if let Some(active) = active {
            let _ = active.root.set(context.clone());
        }
        if !root.in_future {
            let ticket = hold(context, None);
            guard.held = ticket.map(|ticket| (std::thread::current().id(), ticket));
        }
        guard
    }

    /// A guard of nothing.
    pub(crate) fn none() -> Self {
        Self {
            active: None,
            root: OpenSpan::default(),
            held: None,
        }
    }

    /// Says of the root span that main failed.
    pub(crate) fn fail_root(&self, message: &str) {
        self.root.set_error(message.to_owned());
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some((thread, ticket)) = self.held.take()
            && thread == std::thread::current().id()
        {
            release(ticket);
        }
        if std::thread::panicking() {
            self.root.set_panicked();
        }
        self.root = OpenSpan::default();
        let Some(active) = self.active else { return };
        if std::thread::panicking() {
            panics::main_unwinds(active);
        }
        active.stop(active.shutdown_timeout);
    }
}
