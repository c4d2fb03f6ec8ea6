//! Which spans and events are wanted, so that a macro of `tracing` costs one load where they
//! are not.

use tracing_core::subscriber::Interest;
use tracing_core::{Level, LevelFilter, Metadata};
use tracing_subscriber::layer::{Context, Filter};

use super::forward::is_forwarded;
use crate::context::has_context;
use crate::os;
use crate::state::{self, Active};

/// Spans of this severity are made whatever the filter says, which is about records.
const SPANS: Level = Level::INFO;
/// What the SDK says of itself begins so.
const OPENTELEMETRY: &str = "opentelemetry";

/// What lens wants of spans and events.
pub(super) enum Wanted {
    Spans,
    SpansAndEvents,
}

impl Wanted {
    /// Whether there is anything to ask.
    fn is_about(&self, metadata: &Metadata<'_>) -> bool {
        match self {
            Self::Spans => metadata.is_span(),
            Self::SpansAndEvents => true,
        }
    }
}

fn wants(active: &Active, metadata: &Metadata<'_>) -> bool {
    if metadata.target().starts_with(OPENTELEMETRY) {
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
        *metadata.level() <= from_log(decision.level)
    })
}

/// Whether code of the program's runs here, and OpenTelemetry can.
fn is_of_the_program() -> bool {
    !os::is_own_thread() && has_context()
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
        let wants = |active| wants(active, metadata);
        self.is_about(metadata)
            && !is_forwarded(metadata)
            && is_of_the_program()
            && state::current().is_some_and(wants)
    }

    fn callsite_enabled(&self, metadata: &'static Metadata<'static>) -> Interest {
        if !self.is_about(metadata) {
            return Interest::never();
        }
        if varies() {
            return Interest::sometimes();
        }
        match state::current().is_some_and(|active| wants(active, metadata)) {
            // On whose thread is asked for each.
            true if metadata.is_span() => Interest::sometimes(),
            true => Interest::always(),
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
            spans.max(from_log(bridge.decider.max_level()))
        }))
    }
}

fn from_log(level: log::LevelFilter) -> LevelFilter {
    match level {
        log::LevelFilter::Off => LevelFilter::OFF,
        log::LevelFilter::Error => LevelFilter::ERROR,
        log::LevelFilter::Warn => LevelFilter::WARN,
        log::LevelFilter::Info => LevelFilter::INFO,
        log::LevelFilter::Debug => LevelFilter::DEBUG,
        log::LevelFilter::Trace => LevelFilter::TRACE,
    }
}
