//! Which spans and events are wanted, so that a macro of `tracing` costs one load where they
//! are not.

use tracing_core::subscriber::Interest;
use tracing_core::{Level, LevelFilter, Metadata};
use tracing_subscriber::layer::{Context, Filter};

use super::forward::is_forwarded;
use crate::bridge::note_event;
use crate::context::has_context;
use crate::levels::{filter_from_log, to_log};
use crate::os;
use crate::state::{self, Active};

/// Spans of this severity are made whatever the filter says, which is about records.
const SPANS: Level = Level::INFO;
/// What the SDK says of itself begins so.
const OPENTELEMETRY: &str = "opentelemetry";

/// What lens wants of spans and events.
pub(super) struct Wanted;

/// Nothing, for a layer that lens calls itself.
pub(super) struct Nothing;

impl<S> Filter<S> for Nothing {
    fn enabled(&self, _: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        false
    }

    fn callsite_enabled(&self, _: &'static Metadata<'static>) -> Interest {
        Interest::never()
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::OFF)
    }
}

/// Whether lens made it itself, or the SDK did.
pub(super) fn is_own(metadata: &Metadata<'_>) -> bool {
    is_forwarded(metadata) || metadata.target().starts_with(OPENTELEMETRY)
}

fn wants(active: &Active, metadata: &Metadata<'_>) -> bool {
    if is_own(metadata) {
        return false;
    }
    let always = match metadata.is_span() {
        true => SPANS,
        // An error is also the status of the span it is in.
        false => Level::ERROR,
    };
    match active.makes_spans() {
        true => *metadata.level() <= always || takes(active, metadata),
        false => metadata.is_event() && takes(active, metadata),
    }
}

/// Whether a record like this is bridged.
fn takes(active: &Active, metadata: &Metadata<'_>) -> bool {
    active.bridge.as_ref().is_some_and(|bridge| {
        let module = metadata.module_path();
        let decision = bridge.decider.decide(metadata.target(), module);
        to_log(*metadata.level()) <= decision.level
    })
}

/// What a test wants is asked each time: another may want something else.
fn varies() -> bool {
    #[cfg(feature = "__testkit")]
    return state::scope::is_installed();
    #[cfg(not(feature = "__testkit"))]
    false
}

impl<S> Filter<S> for Wanted {
    fn enabled(&self, metadata: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        // An event is asked again when it is taken, and counted where it comes too late.
        let can_be = metadata.is_event() || (!os::is_own_thread() && has_context());
        can_be && state::current().is_some_and(|active| wants(active, metadata))
    }

    fn callsite_enabled(&self, metadata: &'static Metadata<'static>) -> Interest {
        if metadata.is_event() {
            note_event(metadata);
        }
        match varies() || state::current().is_some_and(|active| wants(active, metadata)) {
            // Not `always`: the layer beside lens's wants nothing, and where two disagree both are
            // asked each time.
            true => Interest::sometimes(),
            false => Interest::never(),
        }
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        if varies() {
            return Some(LevelFilter::TRACE);
        }
        let Some(active) = state::current() else {
            return Some(LevelFilter::OFF);
        };
        let spans = match active.makes_spans() {
            true => LevelFilter::from_level(SPANS),
            false => LevelFilter::OFF,
        };
        let bridge = active.bridge.as_ref();
        Some(bridge.map_or(spans, |bridge| {
            spans.max(filter_from_log(bridge.decider.max_level()))
        }))
    }
}
