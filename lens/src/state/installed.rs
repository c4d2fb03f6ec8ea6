//! The starts of this process, and what they share.
//!
//! A program starts lens once, a handful of times at most. The starts are an append-only
//! list, so that every record, exit handler and thread-local destructor can look at the
//! last one without a lock. What a start buffered is freed when it stops.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, OnceLock, PoisonError};

use log::LevelFilter;
use opentelemetry::metrics::noop::NoopMeterProvider;
use opentelemetry::propagation::TextMapCompositePropagator;
use opentelemetry::trace::SpanId;
use opentelemetry::trace::noop::NoopTracerProvider;
use opentelemetry::{Context, global};

use super::active::Active;
#[cfg(feature = "__testkit")]
use super::scope;
use crate::context::says_anything;
use crate::epoch;

static FIRST: OnceLock<Active> = OnceLock::new();
static INSTALL: Mutex<()> = Mutex::new(());
static INHERITED: Mutex<Option<Context>> = Mutex::new(None);
/// What the console side needs of the `log` crate's level gate; `None` while the logger in
/// the slot is not lens's.
static LOCAL_LEVEL: Mutex<Option<LevelFilter>> = Mutex::new(None);

/// The start that is in effect.
#[inline]
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

#[inline]
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
    // A bridge, and nothing else, leaves the program's own providers as they are.
    if let Some(providers) = &active.providers {
        // An earlier start may have left some.
        let is_first = latest_start().is_none();
        match providers.traces.clone() {
            Some(provider) => global::set_tracer_provider(provider),
            None if is_first => {}
            None => global::set_tracer_provider(NoopTracerProvider::new()),
        }
        match providers.meters.clone() {
            Some(provider) => {
                global::set_meter_provider(provider);
                epoch::begin();
            }
            None => {
                if !is_first {
                    global::set_meter_provider(NoopMeterProvider::new());
                }
                epoch::end();
            }
        }
    }
    match latest_start() {
        None => _ = FIRST.set(active),
        Some(last) => _ = last.next.set(Box::new(active)),
    }
    current()
}

/// Puts `propagator` in effect.
#[expect(clippy::disallowed_methods, reason = "the one place that sets it")]
pub(crate) fn set_propagator(propagator: TextMapCompositePropagator) {
    global::set_text_map_propagator(propagator);
}

/// Keeps the context this process was given by the one that started it.
pub(crate) fn set_inherited(context: Context) {
    let context = Some(context).filter(says_anything);
    *INHERITED.lock().unwrap_or_else(PoisonError::into_inner) = context;
}

/// The context this process was given, on or off; `None` where that says nothing.
pub(crate) fn inherited() -> Option<Context> {
    (INHERITED.lock().unwrap_or_else(PoisonError::into_inner)).clone()
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

/// Sets the level gate of the `log` crate to what the more verbose side needs, and has
/// subscribers of `tracing` asked again; a gate that belongs to another logger is left alone.
#[expect(clippy::disallowed_methods, reason = "the one place that sets it")]
pub(crate) fn refresh_level_gate() {
    #[cfg(feature = "tracing")]
    super::subscribers::ask_subscribers();
    // Held to the end: of two that set it, the later one is right.
    let held = LOCAL_LEVEL.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(local) = *held else { return };
    #[cfg(feature = "__testkit")]
    if scope::is_installed() {
        // What one test does not want, another may.
        return log::set_max_level(LevelFilter::Trace);
    }
    let bridge = current()
        .and_then(|active| active.bridge.as_ref())
        .map_or(LevelFilter::Off, |bridge| bridge.decider.max_level());
    log::set_max_level(local.max(bridge));
}
