//! Texts no longer than is allowed.

use opentelemetry::logs::AnyValue;

/// The value with each text in it cut to so many characters.
pub(super) fn cut(value: AnyValue, length: Option<usize>) -> AnyValue {
    let Some(length) = length else { return value };
    match value {
        AnyValue::String(text) => match shortened(text.as_str(), length) {
            Some(text) => text.to_owned().into(),
            None => AnyValue::String(text),
        },
        AnyValue::ListAny(list) => {
            let list = list.into_iter().map(|value| cut(value, Some(length)));
            AnyValue::ListAny(Box::new(list.collect()))
        }
        AnyValue::Map(map) => {
            let map = map.into_iter();
            let map = map.map(|(key, value)| (key, cut(value, Some(length))));
            AnyValue::Map(Box::new(map.collect()))
        }
        AnyValue::Bytes(mut bytes) => {
            bytes.truncate(length);
            AnyValue::Bytes(bytes)
        }
        value => value,
    }
}

/// A text of at most so many characters.
pub(super) fn cut_text(text: &str, length: Option<usize>) -> &str {
    let shortened = length.and_then(|length| shortened(text, length));
    shortened.unwrap_or(text)
}

/// The beginning of a text that is too long.
fn shortened(text: &str, length: usize) -> Option<&str> {
    if text.len() <= length {
        return None;
    }
    let (end, _) = text.char_indices().nth(length)?;
    text.get(..end)
}
