//! What the SDK leaves to do on a span that has ended: keys that are there once, texts that are
//! not too long.
//!
//! <https://opentelemetry.io/docs/specs/otel/common/#attribute-collections>

use opentelemetry::{Array, KeyValue, Value};
use opentelemetry_sdk::trace::SpanData;

use crate::text::shortened;

/// Keeps the last value of each key, where the key was first.
pub(super) fn unique(span: &mut SpanData) {
    each(span, &mut |attributes| {
        let mut at = 0;
        while at < attributes.len() {
            let (before, rest) = attributes.split_at_mut(at);
            let Some(pair) = rest.first_mut() else { return };
            match before.iter_mut().find(|known| known.key == pair.key) {
                Some(known) => {
                    std::mem::swap(&mut known.value, &mut pair.value);
                    attributes.remove(at);
                }
                None => at += 1,
            }
        }
    });
}

/// Cuts each text to so many characters.
pub(super) fn cut(span: &mut SpanData, length: Option<usize>) {
    let Some(length) = length else { return };
    each(span, &mut |attributes| {
        attributes
            .iter_mut()
            .for_each(|pair| cut_value(&mut pair.value, length));
    });
}

fn cut_value(value: &mut Value, length: usize) {
    match value {
        Value::String(text) => {
            if let Some(shorter) = shortened(text.as_str(), length) {
                *text = shorter.to_owned().into();
            }
        }
        Value::Array(Array::String(texts)) => {
            for text in texts {
                if let Some(shorter) = shortened(text.as_str(), length) {
                    *text = shorter.to_owned().into();
                }
            }
        }
        _ => {}
    }
}

/// The attributes of a span, of its events and of its links.
fn each(span: &mut SpanData, with: &mut dyn FnMut(&mut Vec<KeyValue>)) {
    with(&mut span.attributes);
    let events = span.events.events.iter_mut();
    events.for_each(|event| with(&mut event.attributes));
    let links = span.links.links.iter_mut();
    links.for_each(|link| with(&mut link.attributes));
}
