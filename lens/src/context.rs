//! Whether the OpenTelemetry context of the current thread may be touched.
//!
//! A thread-local destructor may log or end a span after the context is gone; looking at it
//! then would panic, and abort the process.

use std::cell::Cell;
use std::panic::catch_unwind;

use opentelemetry::Context;
use opentelemetry::baggage::BaggageExt;
use opentelemetry::trace::TraceContextExt;

/// Goes before the OpenTelemetry context does: thread-local destructors run in reverse
/// order, and the context is touched first.
struct Alive;

impl Drop for Alive {
    fn drop(&mut self) {}
}

thread_local! {
    static PROBING: Cell<bool> = const { Cell::new(false) };
    static ALIVE: Option<Alive> = {
        PROBING.set(true);
        let probe = catch_unwind(|| Context::map_current(|_| ()));
        PROBING.set(false);
        probe.is_ok().then_some(Alive)
    };
}

/// Whether the current thread still has its OpenTelemetry context.
#[cfg_attr(
    not(feature = "__testkit"),
    expect(unreachable_pub, reason = "for lens-testkit")
)]
#[inline]
pub fn has_context() -> bool {
    ALIVE.try_with(Option::is_some).unwrap_or(false)
}

/// Whether there is anything in `context` for another process: a span, or baggage.
pub(crate) fn says_anything(context: &Context) -> bool {
    context.span().span_context().is_valid() || !context.baggage().is_empty()
}

/// Whether a panic on this thread is only [`has_context`] finding out.
#[cfg(feature = "sdk")]
pub(crate) fn is_probing() -> bool {
    PROBING.try_with(Cell::get).unwrap_or(false)
}
