//! Texts no longer than is allowed.

use opentelemetry::logs::AnyValue;

use crate::text::shortened;

/// Cuts each text in the value to so many characters, and bytes to so many.
pub(super) fn cut(value: &mut AnyValue, length: usize) {
    match value {
        AnyValue::String(text) => {
            if let Some(shorter) = shortened(text.as_str(), length) {
                *text = shorter.to_owned().into();
            }
        }
        AnyValue::ListAny(list) => list.iter_mut().for_each(|value| cut(value, length)),
        AnyValue::Map(map) => map.values_mut().for_each(|value| cut(value, length)),
        AnyValue::Bytes(bytes) => bytes.truncate(length),
        _ => {}
    }
}

/// A text of at most so many characters.
pub(super) fn cut_text(text: &str, length: Option<usize>) -> &str {
    let shortened = length.and_then(|length| shortened(text, length));
    shortened.unwrap_or(text)
}
