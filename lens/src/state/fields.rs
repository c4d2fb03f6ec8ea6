//! The fields of spans that log records ask for by name.

use opentelemetry::logs::AnyValue;
use opentelemetry::{Context, Key, KeyValue};

use super::current;
use crate::span_fields::{SpanFields, of_span};

/// The names that are asked for; `None` where there are none.
#[inline]
pub(crate) fn asked_fields() -> Option<&'static [String]> {
    let names = &current()?.bridge.as_ref()?.rules.span_fields;
    (!names.is_empty()).then_some(names)
}

/// Puts those of `attributes` that are asked for into the context of their span, which is to be.
pub(crate) fn with_fields(parent: Context, attributes: &[KeyValue]) -> Context {
    let Some(names) = asked_fields() else {
        return parent;
    };
    let around = SpanFields::of(&parent).cloned();
    let own = of_attributes(attributes, names).collect();
    parent.with_value(SpanFields::new(own, around))
}

/// Adds an attribute that was recorded later, if it is asked for.
pub(crate) fn add_field(context: &Context, attribute: &KeyValue) {
    if let Some(names) = asked_fields()
        && let Some(fields) = SpanFields::of(context)
    {
        fields.add(of_attributes(std::slice::from_ref(attribute), names));
    }
}

fn of_attributes<'a>(
    attributes: &'a [KeyValue],
    names: &'a [String],
) -> impl Iterator<Item = (Key, AnyValue)> + 'a {
    let is_asked = |attribute: &&KeyValue| names.iter().any(|name| name == attribute.key.as_str());
    let asked = attributes.iter().filter(is_asked);
    asked.map(|attribute| (attribute.key.clone(), of_span(attribute.value.clone())))
}
