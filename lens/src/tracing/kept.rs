//! What is kept of a span beside what `tracing_opentelemetry` keeps: fields that log records ask
//! for by name, and whole numbers, of which that makes texts.

use std::cell::RefCell;

use opentelemetry::logs::AnyValue;
use opentelemetry::trace::TraceContextExt;
use opentelemetry::{Context as Active, ContextGuard, Key, KeyValue};
use tracing_core::field::Visit;
use tracing_core::span::Id;

use crate::bridge::{Each, Given};
use crate::span_fields::SpanFields;
use crate::state::{asked_fields, hold_open};

thread_local! {
    /// The spans this thread is in that have fields for records, each with what is active in it.
    static ENTERED: RefCell<Vec<(Id, ContextGuard)>> = const { RefCell::new(Vec::new()) };
}

/// What is kept of a span.
pub(super) struct Kept {
    /// Whole numbers that the span is to have once it has started.
    numbers: Option<Vec<KeyValue>>,
    fields: Option<SpanFields>,
}

/// What is done about a span when nothing of it is borrowed any more.
#[must_use]
pub(super) struct Due {
    /// For the span, which has started.
    pub(super) numbers: Vec<KeyValue>,
    /// For what is active in it.
    fields: Option<SpanFields>,
    /// It is entered for the first time.
    is_first: bool,
}

impl Kept {
    /// Keeps what is wanted of the fields of a new span; `around` says what is asked of those
    /// around it.
    pub(super) fn new(
        record: impl FnOnce(&mut dyn Visit),
        around: impl FnOnce() -> Option<SpanFields>,
    ) -> Self {
        let (numbers, asked) = taken(record);
        Self {
            numbers: Some(numbers),
            fields: asked.map(|own| SpanFields::new(own, around())),
        }
    }

    /// Adds what is recorded later.
    pub(super) fn record(&mut self, record: impl FnOnce(&mut dyn Visit)) -> Due {
        let (mut numbers, asked) = taken(record);
        if let (Some(fields), Some(asked)) = (&self.fields, asked) {
            fields.add(asked);
        }
        if let Some(waiting) = &mut self.numbers {
            waiting.append(&mut numbers);
        }
        Due {
            numbers,
            fields: None,
            is_first: false,
        }
    }

    /// The span has started, and is entered.
    pub(super) fn enter(&mut self) -> Due {
        Due {
            is_first: self.numbers.is_some(),
            numbers: self.numbers.take().unwrap_or_default(),
            fields: self.fields.clone(),
        }
    }

    /// What records ask of the span and those around it.
    pub(super) fn fields(&self) -> Option<SpanFields> {
        self.fields.clone()
    }
}

impl Due {
    /// Does it for the span that is active.
    pub(super) fn enter(self, id: &Id) {
        if self.is_first {
            Active::map_current(|active| {
                let span = active.span();
                // Where the program ends inside, it leaves with what is recorded until then.
                hold_open(span.span_context().span_id(), active);
                span.set_attributes(self.numbers);
            });
        }
        if let Some(fields) = self.fields {
            let guard = Active::map_current(|active| active.with_value(fields)).attach();
            let _ = ENTERED.try_with(|entered| entered.borrow_mut().push((id.clone(), guard)));
        }
    }
}

/// The thread leaves the span.
pub(super) fn exit(id: &Id) {
    let left = ENTERED.try_with(|entered| {
        let mut entered = entered.borrow_mut();
        let at = entered.iter().rposition(|(own, _)| own == id)?;
        Some(entered.remove(at))
    });
    // Dropped when nothing is borrowed.
    drop(left);
}

/// Whole numbers, and what records ask for, if they do.
fn taken(record: impl FnOnce(&mut dyn Visit)) -> (Vec<KeyValue>, Option<Vec<(Key, AnyValue)>>) {
    let names = asked_fields();
    let mut numbers = Vec::new();
    let mut asked = names.map(|_| Vec::new());
    record(&mut Each(|name, value: Given<'_>| {
        if let Some(number) = value.number_in_words() {
            numbers.push(KeyValue::new(name, number));
        }
        let is_asked = names.is_some_and(|names| names.iter().any(|asked| asked == name));
        if let Some(asked) = asked.as_mut().filter(|_| is_asked) {
            asked.push((Key::from_static_str(name), value.into()));
        }
    }));
    (numbers, asked)
}
