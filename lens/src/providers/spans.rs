//! What the SDK leaves to do on a span that has ended: keys that are there once, texts that are
//! not too long.
//!
//! <https://opentelemetry.io/docs/specs/otel/common/#attribute-collections>

use opentelemetry::{Array, KeyValue, Value};
use opentelemetry_sdk::trace::SpanData;

use crate::config::SpanLimits;
use crate::text::shortened;

/// Keeps the last value of each key where the key was first, as many attributes as are allowed, and
/// as much of each text.
pub(super) fn keep_to(limits: &SpanLimits, span: &mut SpanData) {
    let dropped = tidy(&mut span.attributes, limits.attributes, limits.value_length);
    span.dropped_attributes_count += dropped;
    for event in &mut span.events.events {
        let most = limits.counts.max_attributes_per_event;
        event.dropped_attributes_count += tidy(&mut event.attributes, most, limits.value_length);
    }
    for link in &mut span.links.links {
        let most = limits.counts.max_attributes_per_link;
        link.dropped_attributes_count += tidy(&mut link.attributes, most, limits.value_length);
    }
}

/// How many attributes were more than `most`.
fn tidy(attributes: &mut Vec<KeyValue>, most: u32, length: Option<usize>) -> u32 {
    unique(attributes);
    let over = attributes.len().saturating_sub(most as usize);
    attributes.truncate(most as usize);
    if let Some(length) = length {
        let values = attributes.iter_mut().map(|pair| &mut pair.value);
        values.for_each(|value| cut_value(value, length));
    }
    u32::try_from(over).unwrap_or(u32::MAX)
}

fn unique(attributes: &mut Vec<KeyValue>) {
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
