//! Who owns a record or a span: the captures that live, and how the one in scope is found.
//!
//! In this order: the capture in the current OpenTelemetry context, that of the thread, that
//! whose trace it is, and, where the process runs one test alone, the only one that lives. What
//! is left belongs to nobody and is kept among the orphans.

use std::cell::Cell;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use lens::__testkit::{self, Hooks, Scope};
use lens::opentelemetry::trace::{SpanId, TraceContextExt, TraceId};
use lens::opentelemetry::{Context, global};
use lens::opentelemetry_sdk::trace::IdGenerator;

use super::handle::Inner;
use super::meters::MeterRouter;
use super::router::Router;
use super::sink::{Destination, StoreSink};
use crate::attribute::is_alone;
use crate::model::Orphan;

/// How many orphans are remembered.
const REMEMBERED: usize = 256;
/// In place of an owner: several captures continue the same trace.
const SEVERAL: u64 = u64::MAX;

static REGISTRY: Mutex<Option<Registry>> = Mutex::new(None);
static NEXT_ID: AtomicU64 = AtomicU64::new(1);
static INSTALLED: OnceLock<Result<(), String>> = OnceLock::new();
static ORPHAN_SCOPE: OnceLock<&'static Scope> = OnceLock::new();

thread_local! {
    static OF_THREAD: Cell<u64> = const { Cell::new(0) };
}

#[derive(Default)]
struct Registry {
    live: HashMap<u64, Weak<Inner>>,
    traces: HashMap<TraceId, u64>,
    orphans: VecDeque<Orphan>,
}

/// The capture in an OpenTelemetry context.
#[derive(Clone, Copy, Debug)]
pub(super) struct OfContext(pub(super) u64);

fn lock() -> MutexGuard<'static, Option<Registry>> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

fn with<R>(f: impl FnOnce(&mut Registry) -> R) -> R {
    f(lock().get_or_insert_default())
}

/// Puts the routers in place: the `log` logger and the tracer provider; once, by the
/// constructor, before any test and any static tracer.
///
/// # Errors
///
/// When another logger was there before, in its words.
pub(crate) fn install() -> Result<(), String> {
    (INSTALLED.get_or_init(|| {
        // Made before anybody asks for it: what the SDK logs meanwhile must not ask, too.
        let _ = orphan_scope();
        route();
        let hooks = Hooks {
            resolve: || Some(current_scope()),
            late: || {
                if let Some(capture) = current() {
                    capture.late();
                }
            },
            adopt: |context| match current() {
                Some(capture) => context.with_value(OfContext(capture.id)),
                None => context,
            },
            start: |builder| match current() {
                Some(capture) => {
                    capture.restart(*builder);
                    Ok(())
                }
                None => Err(builder),
            },
        };
        __testkit::install(hooks).map_err(|error| error.to_string())
    }))
    .clone()
}

/// Makes the routers the providers of the process, also after somebody else's code made others
/// that.
pub(super) fn route() {
    global::set_tracer_provider(Router);
    global::set_meter_provider(MeterRouter);
}

/// Whether a capture still goes on.
pub(super) fn is_live(id: u64) -> bool {
    with(|registry| {
        registry
            .live
            .get(&id)
            .is_some_and(|inner| inner.strong_count() > 0)
    })
}

pub(super) fn next_id() -> u64 {
    NEXT_ID.fetch_add(1, Relaxed)
}

pub(super) fn add(inner: &Arc<Inner>) {
    with(|registry| registry.live.insert(inner.id, Arc::downgrade(inner)));
}

pub(super) fn remove(id: u64) {
    with(|registry| {
        registry.live.remove(&id);
        registry.traces.retain(|_, owner| *owner != id);
    });
}

/// Notes that a trace belongs to a capture, whoever continues it on whatever thread.
pub(super) fn own_trace(trace: TraceId, id: u64) {
    with(|registry| {
        let owner = registry.traces.entry(trace).or_insert(id);
        if *owner != id {
            *owner = SEVERAL;
        }
    });
}

/// Keeps what belongs to nobody, for the next failure to show.
pub(super) fn orphan(orphan: Orphan) {
    with(|registry| {
        if registry.orphans.len() >= REMEMBERED {
            registry.orphans.pop_front();
        }
        registry.orphans.push_back(orphan);
    });
}

/// What has come since `sequence` and belongs to nobody.
pub(super) fn orphans_since(sequence: u64) -> Vec<Orphan> {
    with(|registry| {
        let orphans = registry.orphans.iter();
        let recent = orphans.filter(|orphan| orphan.sequence() > sequence);
        recent.cloned().collect()
    })
}

/// Puts a capture on the current thread, and returns the one before.
pub(super) fn set_of_thread(id: u64) -> u64 {
    OF_THREAD
        .try_with(|of_thread| of_thread.replace(id))
        .unwrap_or(0)
}

/// The capture that owns what the current code emits.
pub(super) fn current() -> Option<Arc<Inner>> {
    if __testkit::has_context() {
        Context::map_current(owner)
    } else {
        // The thread is ending, and its context with it.
        owner(&Context::new())
    }
}

/// The capture that owns what is emitted in `context` on the current thread.
pub(super) fn owner(context: &Context) -> Option<Arc<Inner>> {
    let of_context = context.get::<OfContext>().map(|of_context| of_context.0);
    let of_thread = OF_THREAD.try_with(Cell::get).ok().filter(|id| *id != 0);
    let trace = context.span().span_context().trace_id();
    with(|registry| {
        let live = |id: u64| registry.live.get(&id).and_then(Weak::upgrade);
        // An owner that has ended is an owner: what comes late is nobody else's.
        if let Some(id) = of_context.or(of_thread) {
            return live(id);
        }
        if let Some(id) = registry.traces.get(&trace) {
            return live(*id);
        }
        if !is_alone() {
            return None;
        }
        let mut all = registry.live.values().filter_map(Weak::upgrade);
        let only = all.next();
        if all.next().is_some() { None } else { only }
    })
}

/// The scope that owns what the current code emits; that of the orphans, if need be.
fn current_scope() -> &'static Scope {
    match current() {
        Some(capture) => capture.scope,
        None => orphan_scope(),
    }
}

pub(super) fn orphan_scope() -> &'static Scope {
    ORPHAN_SCOPE.get_or_init(|| {
        let sink = StoreSink {
            id: 0,
            destination: Destination::Orphans,
            tracing: super::settings::Tracing::default(),
            resource: Vec::new(),
        };
        let builder = lens::Builder::new().level("trace").exporter("none");
        let (scope, _) = __testkit::scope(builder, &lens::Env::default(), &sink);
        scope
    })
}

/// Ids that count up, for tests that must see the same ones each time.
#[derive(Clone, Debug, Default)]
pub(super) struct CountingIds(Arc<AtomicU64>);

impl IdGenerator for CountingIds {
    fn new_trace_id(&self) -> TraceId {
        let next = self.0.fetch_add(1, Relaxed) + 1;
        TraceId::from_bytes(u128::from(next).to_be_bytes())
    }

    fn new_span_id(&self) -> SpanId {
        let next = self.0.fetch_add(1, Relaxed) + 1;
        SpanId::from_bytes(next.to_be_bytes())
    }
}
