//! The fields of spans that log records ask for by name, in what is active on a thread.

use std::cell::RefCell;

use opentelemetry::trace::TraceContextExt;
use opentelemetry::{Context as Active, ContextGuard};
use tracing_core::span::Id;

use super::given::Fields;
use crate::span_fields::SpanFields;
use crate::state::{asked_fields, hold_open};

thread_local! {
    /// The spans this thread is in that have fields for records, each with what is active in it.
    static ENTERED: RefCell<Vec<(Id, ContextGuard)>> = const { RefCell::new(Vec::new()) };
}

/// What lens keeps of a span.
pub(super) struct Kept {
    /// What records ask of it and of those around it; `None` where they do not ask.
    pub(super) fields: Option<SpanFields>,
    was_entered: bool,
}

impl Kept {
    /// What is kept of a new span; `around` says what is asked of those around it.
    pub(super) fn new(fields: &Fields, around: impl FnOnce() -> Option<SpanFields>) -> Self {
        let names = asked_fields();
        Self {
            fields: names.map(|names| SpanFields::new(fields.named(names), around())),
            was_entered: false,
        }
    }

    /// Adds what was recorded later.
    pub(super) fn record(&self, fields: &Fields) {
        if let (Some(own), Some(names)) = (&self.fields, asked_fields()) {
            own.add(fields.named(names));
        }
    }

    /// Says whether it is entered for the first time.
    pub(super) fn enter(&mut self) -> bool {
        !std::mem::replace(&mut self.was_entered, true)
    }
}

/// The thread has entered a span, which is active.
pub(super) fn enter(id: &Id, is_first: bool, fields: Option<SpanFields>) {
    if is_first {
        // Where the program ends inside, the span leaves with what is recorded until then.
        Active::map_current(|active| {
            hold_open(active.span().span_context().span_id(), active);
        });
    }
    if let Some(fields) = fields {
        let guard = Active::map_current(|active| active.with_value(fields)).attach();
        let _ = ENTERED.try_with(|entered| entered.borrow_mut().push((id.clone(), guard)));
    }
}

/// The thread leaves a span.
pub(super) fn exit(id: &Id) {
    let left = ENTERED.try_with(|entered| {
        let mut entered = entered.borrow_mut();
        let at = entered.iter().rposition(|(own, _)| own == id)?;
        Some(entered.remove(at))
    });
    // Dropped when nothing is borrowed.
    drop(left);
}
