//! The attributes of a measurement, as macros print them.

use std::borrow::Cow;
use std::fmt::{Debug, Display};

use opentelemetry::{Key, KeyValue};

use crate::span::Field;
use crate::text::text;

/// The key of what is no attribute. An array of attributes is handed on as it is built, and
/// looked at for these.
const NOTHING: &str = "";

/// An attribute with its type; none where the value is none.
#[inline]
pub fn attribute(key: &'static str, value: &(impl Field + ?Sized)) -> KeyValue {
    match value.to_value() {
        Some(value) => KeyValue::new(Key::from_static_str(key), value),
        None => KeyValue::new(NOTHING, 0),
    }
}

/// An attribute whose value is written in the code.
#[inline]
#[must_use]
pub fn attribute_text(key: &'static str, value: &'static str) -> KeyValue {
    KeyValue::new(Key::from_static_str(key), value)
}

/// An attribute as it is displayed.
pub fn attribute_display(key: &'static str, value: &(impl Display + ?Sized)) -> KeyValue {
    attribute(key, &text(format_args!("{value}")))
}

/// An attribute as programmers see it.
pub fn attribute_debug(key: &'static str, value: &(impl Debug + ?Sized)) -> KeyValue {
    attribute(key, &text(format_args!("{value:?}")))
}

pub(super) fn is_present(attribute: &KeyValue) -> bool {
    !attribute.key.as_str().is_empty()
}

/// Those that are there.
#[inline]
pub(super) fn present(attributes: &[KeyValue]) -> Cow<'_, [KeyValue]> {
    if attributes.iter().all(is_present) {
        return Cow::Borrowed(attributes);
    }
    let present = attributes.iter().filter(|attribute| is_present(attribute));
    Cow::Owned(present.cloned().collect())
}
