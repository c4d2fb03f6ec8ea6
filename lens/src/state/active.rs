//! One start of lens, and how far its end has come.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use opentelemetry::Context;
use opentelemetry::logs::Logger as _;
use opentelemetry_sdk::logs::{SdkLogRecord, SdkLogger, SdkLoggerProvider};

use crate::admission::Decider;
use crate::config::RecordRules;
use crate::diag;
#[cfg(feature = "__testkit")]
use crate::groups::Groups;
use crate::pipeline::Lane;
use crate::providers::Providers;
use crate::reentry::{Phase, within};
use crate::stats::{Report, Signal, Stats};

/// One start of lens.
#[derive(Debug)]
pub(crate) struct Active {
    /// What lens built; `None` where the application has a provider of its own.
    pub(crate) providers: Option<Providers>,
    pub(crate) bridge: Option<Bridge>,
    pub(crate) shutdown_timeout: Duration,
    pub(crate) main: Main,
    pub(crate) ending: Ending,
    pub(crate) held_panic: HeldPanic,
    /// The span around the whole of main.
    pub(crate) root: OnceLock<Context>,
    /// What one test wants of the spans that are on.
    #[cfg(feature = "__testkit")]
    pub(super) groups: Mutex<Groups>,
    pub(super) live: AtomicBool,
    pub(super) next: OnceLock<Box<Active>>,
}

/// Where the start happened, for records about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Main {
    pub(crate) module: &'static str,
    /// The thread of main, if lens was started on one.
    pub(crate) thread: Option<ThreadId>,
}

impl Main {
    pub(crate) fn here(module: &'static str) -> Self {
        Self {
            module,
            thread: Some(std::thread::current().id()),
        }
    }

    /// Whether the current thread is that of main.
    pub(crate) fn is_here(&self) -> bool {
        self.thread == Some(std::thread::current().id())
    }

    #[cfg(feature = "__testkit")]
    pub(crate) fn nowhere() -> Self {
        Self {
            module: "",
            thread: None,
        }
    }
}

/// Where bridged log records go, and which.
#[derive(Debug)]
pub(crate) struct Bridge {
    pub(crate) decider: Decider,
    pub(crate) rules: RecordRules,
    pub(crate) provider: SdkLoggerProvider,
    pub(crate) logger: SdkLogger,
    /// The way past the SDK, where lens exports OTLP.
    pub(crate) direct: Option<Arc<Lane>>,
}

impl Bridge {
    /// Hands over a record that was made before, or has nothing to do with what runs here: it
    /// gets no ids of the span that is active now.
    pub(crate) fn emit_apart(&self, record: SdkLogRecord) {
        let _none = Context::new().attach();
        self.emit(record);
    }

    /// Hands a finished record to the provider, whose processors may be the program's own.
    pub(crate) fn emit(&self, record: SdkLogRecord) {
        let emit = AssertUnwindSafe(|| self.logger.emit(record));
        if within(Phase::Emitting, || catch_unwind(emit)).is_err() {
            diag::fault(
                "log processor",
                "a log processor panicked; the record may be missing, the program goes on",
            );
        }
    }
}

/// How far the end of a start has come.
#[derive(Debug, Default)]
pub(crate) struct Ending {
    stage: Mutex<Stage>,
    ended: Condvar,
}

#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::large_enum_variant, reason = "there is one for each start")]
enum Stage {
    #[default]
    Running,
    Ending,
    Ended(Report),
}

impl Ending {
    pub(crate) fn is_running(&self) -> bool {
        matches!(*self.lock(), Stage::Running)
    }

    /// Whether the caller is the one to end it.
    pub(crate) fn begin(&self) -> bool {
        let mut stage = self.lock();
        let first = matches!(*stage, Stage::Running);
        if first {
            *stage = Stage::Ending;
        }
        first
    }

    pub(crate) fn finish(&self, report: Report) {
        *self.lock() = Stage::Ended(report);
        self.ended.notify_all();
    }

    /// Waits for somebody else to end it; `None` when `deadline` passed first.
    pub(crate) fn wait(&self, deadline: Instant) -> Option<Report> {
        let mut stage = self.lock();
        loop {
            if let Stage::Ended(report) = *stage {
                return Some(report);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            let waited = self.ended.wait_timeout(stage, left);
            (stage, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A panic on the thread of main that may still turn out to end the program.
#[derive(Debug, Default)]
pub(crate) struct HeldPanic {
    /// Read before each record, so it must cost no more than a load.
    is_held: AtomicBool,
    record: Mutex<Option<SdkLogRecord>>,
}

impl HeldPanic {
    #[inline]
    pub(crate) fn is_held(&self) -> bool {
        self.is_held.load(Ordering::Relaxed)
    }

    pub(crate) fn hold(&self, record: SdkLogRecord) {
        *self.record.lock().unwrap_or_else(PoisonError::into_inner) = Some(record);
        self.is_held.store(true, Ordering::Relaxed);
    }

    pub(crate) fn take(&self) -> Option<SdkLogRecord> {
        self.is_held.store(false, Ordering::Relaxed);
        self.record
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

impl Active {
    pub(crate) fn new(
        providers: Option<Providers>,
        bridge: Option<Bridge>,
        shutdown_timeout: Duration,
        main: Main,
    ) -> Self {
        Self {
            providers,
            bridge,
            shutdown_timeout,
            main,
            ending: Ending::default(),
            held_panic: HeldPanic::default(),
            root: OnceLock::new(),
            #[cfg(feature = "__testkit")]
            groups: Mutex::new(Groups::All),
            live: AtomicBool::new(true),
            next: OnceLock::new(),
        }
    }

    #[cfg(feature = "__testkit")]
    pub(crate) fn set_groups(&self, groups: Groups) {
        *self.groups.lock().unwrap_or_else(PoisonError::into_inner) = groups;
    }

    /// The accounting so far; of what lens exports.
    pub(crate) fn stats(&self) -> Stats {
        self.providers
            .as_ref()
            .map(Providers::stats)
            .unwrap_or_default()
    }

    /// Whether this start makes spans.
    #[cfg(feature = "tracing")]
    pub(crate) fn makes_spans(&self) -> bool {
        let providers = self.providers.as_ref();
        providers.is_some_and(|providers| providers.traces.is_some())
    }

    /// Counts a log record that was refused before it reached a provider.
    pub(crate) fn refused(&self, reason: crate::stats::Reason) {
        if let Some(providers) = &self.providers {
            let counters = &providers.counters;
            counters.emitted(Signal::Logs, 1);
            counters.dropped(Signal::Logs, reason, 1);
        }
    }

    /// Takes this start out of effect: nothing new is admitted. Whether it was in effect.
    pub(crate) fn withdraw(&self) -> bool {
        self.live.swap(false, Ordering::AcqRel)
    }
}
