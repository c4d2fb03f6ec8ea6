//! What is known of the spans around a record, for records that ask for some of it by name.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opentelemetry::logs::AnyValue;
use opentelemetry::{Array, Context, Key, Value};

/// The fields of a span that records have asked for, in its context; then those of the span
/// around it.
#[derive(Clone, Debug)]
pub(crate) struct SpanFields(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    own: Mutex<Vec<(Key, AnyValue)>>,
    around: Option<SpanFields>,
}

impl SpanFields {
    /// Those of a new span, inside of one that has those of `around`.
    pub(crate) fn new(own: Vec<(Key, AnyValue)>, around: Option<Self>) -> Self {
        let own = Mutex::new(own);
        Self(Arc::new(Inner { own, around }))
    }

    /// Those of the innermost span of a context.
    pub(crate) fn of(context: &Context) -> Option<&Self> {
        context.get::<Self>()
    }

    /// Adds to those of this span what was recorded later; the last of a key wins.
    pub(crate) fn add(&self, fields: impl IntoIterator<Item = (Key, AnyValue)>) {
        let mut own = self.own();
        for (key, value) in fields {
            match own.iter_mut().find(|(known, _)| *known == key) {
                Some((_, known)) => *known = value,
                None => own.push((key, value)),
            }
        }
    }

    /// Calls `put` for each, those of the innermost span first.
    pub(crate) fn each(&self, mut put: impl FnMut(&Key, &AnyValue)) {
        let mut next = Some(self);
        while let Some(fields) = next {
            fields.own().iter().for_each(|(key, value)| put(key, value));
            next = fields.0.around.as_ref();
        }
    }

    fn own(&self) -> MutexGuard<'_, Vec<(Key, AnyValue)>> {
        self.0.own.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The value of a span's attribute as that of a record's.
pub(crate) fn of_span(value: Value) -> AnyValue {
    match value {
        Value::Bool(value) => value.into(),
        Value::I64(value) => value.into(),
        Value::F64(value) => value.into(),
        Value::String(value) => value.into(),
        Value::Array(Array::Bool(values)) => values.into_iter().collect(),
        Value::Array(Array::I64(values)) => values.into_iter().collect(),
        Value::Array(Array::F64(values)) => values.into_iter().collect(),
        Value::Array(Array::String(values)) => values.into_iter().collect(),
        other => other.to_string().into(),
    }
}
