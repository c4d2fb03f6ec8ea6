//! A capture, and the ways to run code inside it.

use std::future::Future;
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context as TaskContext, Poll};

use lens::__testkit::{self, Scope};
use lens::opentelemetry::trace::TraceContextExt;
use lens::opentelemetry::{Context, ContextGuard};
use lens::{Builder, Env};

use super::meters::{Lazy, Meters};
use super::registry::{self, OfContext};
use super::settings::{CaptureBuilder, Tracing};
use super::sink::{Destination, StoreSink};
use super::store::Store;
use crate::Value;
use crate::model::Snapshot;
use crate::query::{Item as _, Live, Logs, Metrics, Spans};
use crate::tree::{TraceTree, captured};

/// The telemetry of a test, kept in memory.
///
/// `#[lens_testkit::test]` hands one to the test; by hand:
///
/// ```
/// use lens_testkit::Capture;
///
/// let cap = Capture::new();
/// cap.in_scope(|| {
///     let _charge = lens::span!("charge");
///     log::info!("charging");
/// });
/// let charge = cap.spans().name("charge").one();
/// cap.logs().body("charging").one().in_span(&charge);
/// ```
///
/// Captures may run side by side in one process: each gets what its own code emits, also from
/// spawned tasks, from [`lens::thread::spawn`] and from threads that continue one of its traces.
#[derive(Clone, Debug)]
pub struct Capture(Arc<Running>);

/// The life of a capture: it ends with the last handle.
#[derive(Debug)]
struct Running {
    inner: Arc<Inner>,
    store: Arc<Store>,
}

/// What the routers know of a capture.
#[derive(Debug)]
pub(super) struct Inner {
    pub(super) id: u64,
    pub(super) scope: &'static Scope,
    sink: StoreSink,
    env: Env,
    /// How many records came after a shutdown.
    late: AtomicUsize,
    /// What lens had to say about a start inside the capture.
    notices: Mutex<Vec<String>>,
    meters: Lazy,
}

impl Inner {
    /// Counts a record that came after the shutdown.
    pub(super) fn late(&self) {
        self.late.fetch_add(1, Relaxed);
    }

    /// What the capture measures.
    pub(super) fn meters(&self) -> &Meters {
        self.meters.get()
    }

    /// Starts lens inside the capture, by the program's own settings.
    pub(super) fn restart(&self, builder: Builder) {
        let notices = __testkit::restart(self.scope, builder, &self.env, &self.sink);
        let mut known = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(notices);
    }
}

/// A test may look at its capture after it caught a panic: nothing in here is left half done.
impl UnwindSafe for Capture {}
impl RefUnwindSafe for Capture {}

impl Drop for Running {
    fn drop(&mut self) {
        registry::remove(self.inner.id);
    }
}

impl Capture {
    /// Starts a capture of everything, at every level.
    ///
    /// # Panics
    ///
    /// When another logger took the slot of the `log` crate before lens-testkit could.
    #[must_use]
    pub fn new() -> Self {
        Self::builder().start()
    }

    /// Returns the settings of a capture that is still to start.
    pub fn builder() -> CaptureBuilder {
        CaptureBuilder::default()
    }

    /// Starts a capture with settings.
    pub(super) fn with(settings: CaptureBuilder) -> Self {
        if let Err(error) = registry::install() {
            panic!("lens-testkit cannot capture log records: {error}");
        }
        // Building providers makes the SDK talk of itself, which is nobody's telemetry.
        let _quiet = Context::enter_telemetry_suppressed_scope();
        registry::route();
        let store = Arc::new(Store::new(settings.title.clone()));
        let id = registry::next_id();
        let sink = StoreSink {
            id,
            destination: Destination::Store(Arc::downgrade(&store)),
            tracing: Tracing::clone(&settings.tracing),
            resource: settings.resource.clone(),
        };
        let env = settings.virtual_env();
        let (scope, notices) = __testkit::scope(settings.lens(), &env, &sink);
        assert!(
            notices.is_empty(),
            "the settings of the capture: {notices:?}"
        );
        let inner = Arc::new(Inner {
            id,
            scope,
            sink,
            env,
            late: AtomicUsize::new(0),
            notices: Mutex::default(),
            meters: Lazy::default(),
        });
        registry::add(&inner);
        Self(Arc::new(Running { inner, store }))
    }

    /// Runs `f` inside the capture.
    pub fn in_scope<R>(&self, f: impl FnOnce() -> R) -> R {
        let _guard = self.enter();
        f()
    }

    /// Puts the current thread inside the capture until the guard is dropped.
    #[must_use = "the thread leaves the capture when the guard is dropped"]
    pub fn enter(&self) -> CaptureGuard {
        let id = self.0.inner.id;
        CaptureGuard {
            context: Some(Context::current_with_value(OfContext(id)).attach()),
            before: registry::set_of_thread(id),
            _not_send: PhantomData,
        }
    }

    /// Makes a closure run inside the capture, wherever it is called: for
    /// `std::thread::spawn`.
    ///
    /// ```
    /// let cap = lens_testkit::Capture::new();
    /// let thread = std::thread::spawn(cap.wrap(|| log::info!("from a thread")));
    /// thread.join().unwrap();
    /// cap.logs().body("from a thread").one();
    /// ```
    pub fn wrap<R, F>(&self, f: F) -> impl FnOnce() -> R + Send + 'static + use<R, F>
    where
        F: FnOnce() -> R + Send + 'static,
    {
        let cap = self.clone();
        move || cap.in_scope(f)
    }

    /// Makes a future run inside the capture, wherever it is polled.
    pub fn instrument<F: Future>(&self, future: F) -> Captured<F> {
        Captured {
            future: Box::pin(future),
            capture: self.clone(),
        }
    }

    /// Returns the log records captured so far.
    pub fn logs(&self) -> Logs {
        Logs::live(self.live())
    }

    /// Returns the spans captured so far.
    pub fn spans(&self) -> Spans {
        Spans::live(self.live())
    }

    /// Returns the data points of everything measured so far, sums from the beginning of the
    /// capture on.
    ///
    /// Instruments may be older than it, as those in statics are. What an instrument asks a closure
    /// for belongs to the capture it was made in; to all, where that was none.
    pub fn metrics(&self) -> Metrics {
        let mut snapshot = Snapshot::clone(&self.snapshot());
        // What nobody owns is everybody's.
        __testkit::ask(&[self.0.inner.scope, registry::orphan_scope()]);
        snapshot.points = self.0.inner.meters.points();
        Metrics::of(Arc::new(snapshot))
    }

    /// Returns everything captured so far as text, the same from run to run.
    pub fn tree(&self) -> TraceTree {
        TraceTree::of(self.snapshot())
    }

    /// Returns what is odd about what was captured, though no test need fail for it: keys that
    /// were given twice, settings that lens could not honour when the test started it, and
    /// records that came after lens was shut down.
    ///
    /// `#[lens_testkit::test]` prints these beside the output of the test.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let all = self.snapshot();
        let logs = all.logs.iter().map(|log| (log.line(), &log.attributes));
        let spans = all.spans.iter().map(|span| (span.line(), &span.attributes));
        let mut warnings: Vec<_> = (logs.chain(spans))
            .filter_map(|(line, attributes)| {
                let key = twice(attributes)?;
                Some(format!("the key {key:?} was given twice: {line}"))
            })
            .collect();
        let notices = &self.0.inner.notices;
        let notices = notices.lock().unwrap_or_else(PoisonError::into_inner);
        warnings.extend(notices.iter().map(|notice| format!("lens: {notice}")));
        drop(notices);
        let late = self.0.inner.late.load(Relaxed);
        if late > 0 {
            warnings.push(format!("{late} log records came after lens was shut down"));
        }
        warnings
    }

    /// Forgets what was captured so far.
    pub fn clear(&self) {
        self.0.store.clear();
    }

    /// Puts the current thread inside the capture for good: a thread of the test's runtime.
    pub(crate) fn claim_thread(&self) {
        registry::set_of_thread(self.0.inner.id);
    }

    /// What a failure prints.
    pub(crate) fn report(&self) -> String {
        captured(&self.snapshot())
    }

    /// What a test must not leave behind: spans that never ended.
    pub(crate) fn leaks(&self) -> Vec<String> {
        let all = self.snapshot();
        (all.spans.iter())
            .filter(|span| span.end.is_none())
            .map(|span| format!("a span was never ended: {}", span.line()))
            .collect()
    }

    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.0.store.snapshot().0
    }

    fn live(&self) -> Arc<dyn Live> {
        Arc::clone(&self.0.store) as Arc<dyn Live>
    }
}

impl Default for Capture {
    fn default() -> Self {
        Self::new()
    }
}

/// The first key that is there twice.
fn twice(attributes: &[(String, Value)]) -> Option<&str> {
    let mut keys: Vec<_> = attributes.iter().map(|(key, _)| key.as_str()).collect();
    keys.sort_unstable();
    keys.windows(2).find_map(|pair| match pair {
        [a, b] if a == b => Some(*a),
        _ => None,
    })
}

/// Keeps the current thread inside a capture, see [`Capture::enter`].
#[derive(Debug)]
pub struct CaptureGuard {
    context: Option<ContextGuard>,
    before: u64,
    _not_send: PhantomData<*const ()>,
}

impl CaptureGuard {
    /// Leaves the capture, and tells whether the code inside left a context attached.
    pub(crate) fn leave(self) -> bool {
        let replaced = Context::map_current(|context| {
            context.get::<OfContext>().is_none() || context.has_active_span()
        });
        let id = registry::set_of_thread(self.before);
        drop(self);
        // A context made from the capture's own carries its mark past the end of the guard.
        let mark = Context::map_current(|context| context.get::<OfContext>().copied());
        replaced || mark.is_some_and(|mark| mark.0 == id)
    }
}

impl Drop for CaptureGuard {
    fn drop(&mut self) {
        self.context = None;
        registry::set_of_thread(self.before);
    }
}

/// A future that runs inside a capture, see [`Capture::instrument`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Captured<F> {
    future: Pin<Box<F>>,
    capture: Capture,
}

impl<F: Future> Future for Captured<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<F::Output> {
        let _guard = self.capture.clone().enter();
        self.future.as_mut().poll(task)
    }
}
