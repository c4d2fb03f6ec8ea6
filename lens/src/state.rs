//! What is installed in this process: the one mutable fact of lens.
//!
//! A program starts lens once, a handful of times at most. The starts are an append-only
//! list, so that every record, exit handler and thread-local destructor can look at the
//! last one without a lock. What a start buffered is freed when it stops.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use log::LevelFilter;
use opentelemetry::logs::Logger as _;
use opentelemetry::trace::SpanId;
use opentelemetry::trace::noop::NoopTracerProvider;
use opentelemetry::{Context, global};
use opentelemetry_sdk::logs::{SdkLogRecord, SdkLogger, SdkLoggerProvider};

use crate::config::Filter;
use crate::providers::Providers;
use crate::reentry::{Phase, within};
use crate::stats::{Counters, Report, Signal};

static FIRST: OnceLock<Active> = OnceLock::new();
static INSTALL: Mutex<()> = Mutex::new(());
/// What the console side needs of the `log` crate's level gate; `None` while the logger in
/// the slot is not lens's.
static LOCAL_LEVEL: Mutex<Option<LevelFilter>> = Mutex::new(None);

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
    live: AtomicBool,
    next: OnceLock<Box<Active>>,
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
    pub(crate) filter: Filter,
    pub(crate) provider: SdkLoggerProvider,
    pub(crate) logger: SdkLogger,
}

impl Bridge {
    /// Hands a finished record to the provider.
    pub(crate) fn emit(&self, record: SdkLogRecord) {
        within(Phase::Emitting, || self.logger.emit(record));
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
            live: AtomicBool::new(true),
            next: OnceLock::new(),
        }
    }

    /// The accounting, where lens exports.
    pub(crate) fn counters(&self) -> Option<&Counters> {
        self.providers
            .as_ref()
            .map(|providers| &*providers.counters)
    }

    /// Counts a log record that was refused before it reached a provider.
    pub(crate) fn refused(&self, reason: crate::stats::Reason) {
        if let Some(counters) = self.counters() {
            counters.emitted(Signal::Logs);
            counters.dropped(Signal::Logs, reason, 1);
        }
    }

    /// Takes this start out of effect: nothing new is admitted.
    pub(crate) fn withdraw(&self) {
        self.live.store(false, Ordering::Release);
    }
}

/// The start that is in effect.
pub(crate) fn current() -> Option<&'static Active> {
    #[cfg(feature = "__testkit")]
    if let Some(scope) = scope::current() {
        return scope
            .active()
            .filter(|active| active.live.load(Ordering::Acquire));
    }
    latest_start().filter(|active| active.live.load(Ordering::Acquire))
}

/// The start that is or was in effect last.
pub(crate) fn latest() -> Option<&'static Active> {
    #[cfg(feature = "__testkit")]
    if let Some(scope) = scope::current() {
        return scope.active();
    }
    latest_start()
}

fn latest_start() -> Option<&'static Active> {
    let mut active = FIRST.get()?;
    while let Some(next) = active.next.get() {
        active = next;
    }
    Some(active)
}

/// Keeps the way to end an open span, for the stop that finds it open.
pub(crate) fn hold_open(id: SpanId, context: &Context) {
    if let Some(providers) = current().and_then(|active| active.providers.as_ref()) {
        providers.open.hold(id, context);
    }
}

/// Puts `active` in effect; `None` when another one is.
#[expect(clippy::disallowed_methods, reason = "the one place that sets it")]
pub(crate) fn install(active: Active) -> Option<&'static Active> {
    let _one = INSTALL.lock().unwrap_or_else(PoisonError::into_inner);
    if current().is_some() {
        return None;
    }
    let traces = active
        .providers
        .as_ref()
        .and_then(|providers| providers.traces.clone());
    match traces {
        Some(provider) => global::set_tracer_provider(provider),
        // An earlier start may have left one.
        None if latest_start().is_some() => global::set_tracer_provider(NoopTracerProvider::new()),
        None => {}
    }
    match latest_start() {
        None => _ = FIRST.set(active),
        Some(last) => _ = last.next.set(Box::new(active)),
    }
    current()
}

/// Remembers that lens is in the logger slot, and what its console side needs.
pub(crate) fn set_local_level(level: LevelFilter) {
    *LOCAL_LEVEL.lock().unwrap_or_else(PoisonError::into_inner) = Some(level);
}

/// Whether lens is in the logger slot.
pub(crate) fn has_logger_slot() -> bool {
    LOCAL_LEVEL
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .is_some()
}

/// Sets the level gate of the `log` crate to what the more verbose side needs; a gate that
/// belongs to another logger is left alone.
#[expect(clippy::disallowed_methods, reason = "the one place that sets it")]
pub(crate) fn refresh_level_gate() {
    let Some(local) = *LOCAL_LEVEL.lock().unwrap_or_else(PoisonError::into_inner) else {
        return;
    };
    #[cfg(feature = "__testkit")]
    if scope::is_installed() {
        // What one test does not want, another may.
        return log::set_max_level(LevelFilter::Trace);
    }
    let bridge = current()
        .and_then(|active| active.bridge.as_ref())
        .map_or(LevelFilter::Off, |bridge| bridge.filter.max_level());
    log::set_max_level(local.max(bridge));
}

/// What lens-testkit puts in place of the one start: a start for each piece of running code.
#[cfg(feature = "__testkit")]
pub(crate) mod scope {
    use std::sync::{OnceLock, PoisonError, RwLock};

    use log::Metadata;

    use super::Active;
    use crate::config::Builder;

    static HOOKS: OnceLock<Hooks> = OnceLock::new();

    /// How lens asks lens-testkit.
    #[derive(Clone, Copy, Debug)]
    pub struct Hooks {
        /// The scope the current code is in.
        pub resolve: fn() -> Option<&'static Scope>,
        /// A record came after the shutdown of that scope's lens.
        pub late: fn(),
        /// Starts lens anew in that scope; whether there was one.
        pub start: fn(Box<Builder>) -> Result<(), Box<Builder>>,
    }

    /// The start that some code sees.
    #[derive(Debug)]
    pub struct Scope(RwLock<Option<&'static Active>>);

    impl Scope {
        pub(crate) fn new(active: Option<&'static Active>) -> Self {
            Self(RwLock::new(active))
        }

        pub(crate) fn active(&self) -> Option<&'static Active> {
            *self.0.read().unwrap_or_else(PoisonError::into_inner)
        }

        pub(crate) fn set_active(&self, active: Option<&'static Active>) {
            *self.0.write().unwrap_or_else(PoisonError::into_inner) = active;
        }
    }

    /// Lets lens-testkit answer; the first call counts.
    pub(crate) fn install(hooks: Hooks) -> bool {
        HOOKS.set(hooks).is_ok()
    }

    pub(crate) fn is_installed() -> bool {
        HOOKS.get().is_some()
    }

    pub(crate) fn current() -> Option<&'static Scope> {
        (HOOKS.get()?.resolve)()
    }

    /// Tells of a record that nobody takes any more, because lens was shut down.
    pub(crate) fn late(metadata: &Metadata<'_>) {
        let stopped = current().and_then(Scope::active);
        let missed = stopped.is_some_and(|active| {
            let bridge = active.bridge.as_ref();
            !active.ending.is_running()
                && bridge.is_some_and(|bridge| bridge.filter.admits(metadata))
        });
        if let Some(hooks) = HOOKS.get().filter(|_| missed) {
            (hooks.late)();
        }
    }

    /// Starts lens in the current scope; gives `builder` back where there is none.
    pub(crate) fn start(builder: Box<Builder>) -> Result<(), Box<Builder>> {
        match HOOKS.get() {
            Some(hooks) => (hooks.start)(builder),
            None => Err(builder),
        }
    }
}
