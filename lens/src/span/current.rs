//! What is known of the active span, and what is added to it.

use opentelemetry::Context;
use opentelemetry::trace::{TraceContextExt, TraceId};

use super::description::Description;
use crate::context::has_context;

/// Returns the trace id of the active span, for an error page or a response header.
///
/// ```
/// assert_eq!(lens::current_trace_id(), None);
/// ```
#[must_use]
pub fn current_trace_id() -> Option<TraceId> {
    if !has_context() {
        return None;
    }
    let id = Context::map_current(|cx| cx.span().span_context().trace_id());
    (id != TraceId::INVALID).then_some(id)
}

/// Adds attributes to the active span; `describe` is asked only if that records.
pub fn record(describe: impl FnOnce(Description) -> Description) {
    if !has_context() {
        return;
    }
    // A value may be formatted by code that makes spans: the context is not held meanwhile.
    let context = Context::current();
    let span = context.span();
    if span.is_recording() {
        span.set_attributes(describe(Description::default()).attributes);
    }
}
