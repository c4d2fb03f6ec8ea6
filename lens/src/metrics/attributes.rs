//! The attributes of a measurement, as macros print them.

use std::fmt::{Debug, Display};

use opentelemetry::{Key, KeyValue};

use crate::span::Field;
use crate::text::text;

/// No key.
const NOTHING: &str = "";

/// An attribute with its type; `None` where the value is none.
#[inline]
pub fn attribute(key: &'static str, value: &(impl Field + ?Sized)) -> Option<KeyValue> {
    let value = value.to_value()?;
    Some(KeyValue::new(Key::from_static_str(key), value))
}

/// An attribute whose value is written in the code.
#[inline]
#[must_use]
pub fn attribute_text(key: &'static str, value: &'static str) -> Option<KeyValue> {
    Some(KeyValue::new(Key::from_static_str(key), value))
}

/// An attribute as it is displayed.
pub fn attribute_display(key: &'static str, value: &(impl Display + ?Sized)) -> Option<KeyValue> {
    attribute(key, &text(format_args!("{value}")))
}

/// An attribute as programmers see it.
pub fn attribute_debug(key: &'static str, value: &(impl Debug + ?Sized)) -> Option<KeyValue> {
    attribute(key, &text(format_args!("{value:?}")))
}

/// Hands those that are there to `f`.
#[inline]
pub(super) fn with_present<const N: usize>(
    attributes: [Option<KeyValue>; N],
    f: impl FnOnce(&[KeyValue]),
) {
    if attributes.iter().all(Option::is_some) {
        // None of them takes the place of one that is missing.
        f(&attributes.map(|attribute| attribute.unwrap_or_else(|| KeyValue::new(NOTHING, 0))));
    } else {
        f(&attributes.into_iter().flatten().collect::<Vec<_>>());
    }
}
