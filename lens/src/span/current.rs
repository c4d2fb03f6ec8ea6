//! What is known of the active span.

use opentelemetry::Context;
use opentelemetry::trace::{TraceContextExt, TraceId};

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
