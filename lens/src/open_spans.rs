//! The spans that have started and not ended.
//!
//! In: every start and end. Out: what is open, for the shutdown that ends what is left.
//! Never ends anything itself.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use opentelemetry::Context;
use opentelemetry::trace::SpanId;
use opentelemetry_sdk::trace::SpanData;

use crate::os;

/// The spans that have started and not ended.
#[derive(Debug, Default)]
pub(crate) struct OpenSpans(Mutex<HashMap<SpanId, OpenSpan>>);

/// A span as it was when it started.
#[derive(Clone, Debug)]
pub(crate) struct OpenSpan {
    pub(crate) data: SpanData,
    /// The way to end it, known for lens's own spans.
    pub(crate) context: Option<Context>,
}

impl OpenSpans {
    pub(crate) fn started(&self, data: SpanData) {
        // A lock may be held for ever there, and nobody ends what is open.
        if os::is_forked_child() {
            return;
        }
        let id = data.span_context.span_id();
        let span = OpenSpan {
            data,
            context: None,
        };
        self.lock().insert(id, span);
    }

    /// Keeps the way to end a span.
    pub(crate) fn hold(&self, id: SpanId, context: &Context) {
        if os::is_forked_child() {
            return;
        }
        if let Some(span) = self.lock().get_mut(&id) {
            span.context = Some(context.clone());
        }
    }

    pub(crate) fn ended(&self, id: SpanId) {
        if os::is_forked_child() {
            return;
        }
        // Dropped outside the lock: a context may own values with destructors.
        let span = self.lock().remove(&id);
        drop(span);
    }

    /// Takes out everything that is open.
    pub(crate) fn take_all(&self) -> Vec<OpenSpan> {
        self.lock().drain().map(|(_, span)| span).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SpanId, OpenSpan>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
