//! Who owns a record or a span: the captures that live, and how the one in scope is found.
//!
//! In this order: the capture in the current OpenTelemetry context, the capture whose trace it
//! is, the capture of the thread, the only capture that lives. What is left belongs to nobody
//! and is kept among the orphans.

use std::cell::Cell;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use lens::__testkit::{self, Hooks, Scope};
use lens::opentelemetry::trace::{SpanId, TraceContextExt, TraceId};
use lens::opentelemetry::{Context, global};
use lens::opentelemetry_sdk::trace::IdGenerator;

use super::handle::Inner;
use super::router::Router;
use super::sink::StoreSink;
use super::store::Store;
use crate::model::Orphan;
use crate::query::Item;
use crate::thread_name;

/// How many orphans, and how many traces of ended captures, are remembered.
const REMEMBERED: usize = 4096;

static REGISTRY: Mutex<Option<Registry>> = Mutex::new(None);
static NEXT_ID: AtomicU64 = AtomicU64::new(1);
static INSTALLED: OnceLock<Result<(), String>> = OnceLock::new();
static ORPHAN_SCOPE: OnceLock<(&'static Scope, Arc<Store>)> = OnceLock::new();

thread_local! {
    static OF_THREAD: Cell<u64> = const { Cell::new(0) };
}

#[derive(Default)]
struct Registry {
    live: HashMap<u64, Weak<Inner>>,
    traces: HashMap<TraceId, u64>,
    trace_order: VecDeque<TraceId>,
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
        global::set_tracer_provider(Router);
        let hooks = Hooks {
            resolve: || Some(current_scope()),
            late: || {
                if let Some(capture) = current() {
                    capture.late();
                }
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

pub(super) fn next_id() -> u64 {
    NEXT_ID.fetch_add(1, Relaxed)
}

pub(super) fn add(inner: &Arc<Inner>) {
    with(|registry| registry.live.insert(inner.id, Arc::downgrade(inner)));
}

pub(super) fn remove(id: u64) {
    with(|registry| registry.live.remove(&id));
}

/// Notes that a trace belongs to a capture, whoever continues it on whatever thread.
pub(super) fn own_trace(trace: TraceId, id: u64) {
    with(|registry| {
        if registry.traces.insert(trace, id).is_none() {
            registry.trace_order.push_back(trace);
        }
        if registry.trace_order.len() > REMEMBERED
            && let Some(oldest) = registry.trace_order.pop_front()
        {
            registry.traces.remove(&oldest);
        }
    });
}

/// Keeps what belongs to nobody, for the next failure to show.
pub(super) fn orphan(line: String) {
    let orphan = Orphan {
        line,
        thread: thread_name(),
    };
    with(|registry| {
        if registry.orphans.len() >= REMEMBERED {
            registry.orphans.pop_front();
        }
        registry.orphans.push_back(orphan);
    });
}

/// Everything that belongs to nobody.
pub(super) fn orphans() -> Vec<Orphan> {
    let mut orphans: Vec<_> = with(|registry| registry.orphans.iter().cloned().collect());
    if let Some((_, store)) = ORPHAN_SCOPE.get() {
        let (logs, spans) = store.items();
        let logs = logs.iter().map(|log| (log.line(), log.thread.clone()));
        let spans = spans.iter().map(|span| (span.line(), span.thread.clone()));
        let lines = logs
            .chain(spans)
            .map(|(line, thread)| Orphan { line, thread });
        orphans.extend(lines);
    }
    orphans
}

/// Puts a capture on the current thread, and returns the one before.
pub(super) fn set_of_thread(id: u64) -> u64 {
    OF_THREAD
        .try_with(|of_thread| of_thread.replace(id))
        .unwrap_or(0)
}

/// The capture that owns what the current code emits.
pub(super) fn current() -> Option<Arc<Inner>> {
    Context::map_current(owner)
}

/// The capture that owns what is emitted in `context` on the current thread.
pub(super) fn owner(context: &Context) -> Option<Arc<Inner>> {
    let of_context = context.get::<OfContext>().map(|of_context| of_context.0);
    let trace = context.span().span_context().trace_id();
    let of_thread = OF_THREAD.try_with(Cell::get).unwrap_or(0);
    with(|registry| {
        let live = |id: u64| registry.live.get(&id).and_then(Weak::upgrade);
        let by_trace = || registry.traces.get(&trace).copied();
        // An owner that has ended is an owner: what comes late is nobody else's.
        if let Some(id) = of_context.or_else(by_trace) {
            return live(id);
        }
        if of_thread != 0 {
            return live(of_thread);
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
    let (scope, _) = ORPHAN_SCOPE.get_or_init(|| {
        let store = Arc::new(Store::new("orphans".to_owned()));
        let sink = StoreSink {
            id: 0,
            store: Arc::downgrade(&store),
            tracing: super::settings::Tracing::default(),
            resource: Vec::new(),
        };
        let builder = lens::Builder::new().level("trace").exporter("none");
        let (scope, _) = __testkit::scope(builder, &lens::Env::default(), &sink);
        (scope, store)
    });
    scope
}

/// Ids that count up, for tests that must see the same ones each time.
#[derive(Debug, Default)]
pub(super) struct CountingIds(AtomicU64);

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
