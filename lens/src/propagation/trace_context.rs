//! The headers `traceparent` and `tracestate`.
//!
//! <https://www.w3.org/TR/trace-context/>. The SDK's propagator takes ids of any length, one
//! `tracestate` of several, and writes an empty one.

use opentelemetry::Context;
use opentelemetry::propagation::text_map_propagator::FieldIter;
use opentelemetry::propagation::{Extractor, Injector, TextMapPropagator};
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};

use super::lines::joined;

const PARENT: &str = "traceparent";
const STATE: &str = "tracestate";

/// How long `00-{trace id}-{span id}-{flags}` is.
const LENGTH: usize = 55;
/// What a `tracestate` may have at most; one that has more is as good as none.
const MEMBERS: usize = 32;
/// How many bytes of a `tracestate` are read; a vendor has to pass on 512.
const BYTES: usize = 8192;

/// The propagator.
#[derive(Debug)]
pub(super) struct TraceContext {
    fields: [String; 2],
}

impl TraceContext {
    pub(super) fn new() -> Self {
        Self {
            fields: [PARENT, STATE].map(str::to_owned),
        }
    }
}

impl TextMapPropagator for TraceContext {
    fn inject_context(&self, context: &Context, injector: &mut dyn Injector) {
        let span = context.span();
        let span = span.span_context();
        if !span.is_valid() {
            return;
        }
        let (trace_id, span_id) = (span.trace_id(), span.span_id());
        let sampled = u8::from(span.is_sampled());
        injector.set(PARENT, format!("00-{trace_id}-{span_id}-{sampled:02x}"));
        let state = span.trace_state().header();
        if !state.is_empty() {
            injector.set(STATE, state);
        }
    }

    fn extract_with_context(&self, context: &Context, extractor: &dyn Extractor) -> Context {
        match remote(extractor) {
            Some(span) => context.with_remote_span_context(span),
            None => context.clone(),
        }
    }

    fn fields(&self) -> FieldIter<'_> {
        FieldIter::new(&self.fields)
    }
}

fn remote(extractor: &dyn Extractor) -> Option<SpanContext> {
    let all = extractor.get_all(PARENT)?;
    // Of several nobody knows which is meant.
    let [parent] = all[..] else { return None };
    let (trace_id, span_id, flags) = parse(parent.trim_matches([' ', '\t']))?;
    let state = joined(extractor, STATE, BYTES).and_then(|state| parse_state(&state));
    let span = SpanContext::new(trace_id, span_id, flags, true, state.unwrap_or_default());
    span.is_valid().then_some(span)
}

/// `{version}-{trace id}-{span id}-{flags}`, and behind a dash what a later version may add.
fn parse(text: &str) -> Option<(TraceId, SpanId, TraceFlags)> {
    let (known, rest) = text.split_at_checked(LENGTH)?;
    let parts: Vec<_> = known.split('-').collect();
    let [version, trace_id, span_id, flags] = parts[..] else {
        return None;
    };
    let lengths = [(version, 2), (trace_id, 32), (span_id, 16), (flags, 2)];
    let is_hex = |text: &str| (text.bytes()).all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if (lengths.iter()).any(|(text, length)| text.len() != *length || !is_hex(text)) {
        return None;
    }
    let may_follow = match version {
        "ff" => false,
        "00" => rest.is_empty(),
        _ => rest.is_empty() || rest.starts_with('-'),
    };
    let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()?) & TraceFlags::SAMPLED;
    let (trace_id, span_id) = (TraceId::from_hex(trace_id), SpanId::from_hex(span_id));
    may_follow.then_some((trace_id.ok()?, span_id.ok()?, flags))
}

/// All of it or nothing.
fn parse_state(text: &str) -> Option<TraceState> {
    let members = text
        .split(',')
        .map(|member| member.trim_matches([' ', '\t']));
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for member in members.filter(|member| !member.is_empty()) {
        let (key, value) = member.split_once('=')?;
        let is_text = (value.bytes()).all(|byte| matches!(byte, b' '..=b'~'));
        if !is_text || pairs.len() == MEMBERS || pairs.iter().any(|(known, _)| *known == key) {
            return None;
        }
        pairs.push((key, value));
    }
    TraceState::from_key_value(pairs).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    const PARENT_00: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7";

    /// What is written for what was read.
    fn carried(headers: &[(&str, &str)]) -> Vec<String> {
        let headers: HashMap<String, String> = (headers.iter())
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let by = TraceContext::new();
        let context = by.extract_with_context(&Context::new(), &headers);
        let mut written = HashMap::new();
        by.inject_context(&context, &mut written);
        let mut written: Vec<_> = (written.iter())
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        written.sort_unstable();
        written
    }

    // https://www.w3.org/TR/trace-context/#versioning-of-traceparent
    #[test]
    fn a_parent_is_read_where_its_version_allows_it() {
        for (read, flags) in [
            (format!("{PARENT_00}-01"), "01"),
            (format!(" {PARENT_00}-00\t"), "00"),
            (format!("{PARENT_00}-ff"), "01"),
            (PARENT_00.replacen("00", "cc", 1) + "-01", "01"),
            (PARENT_00.replacen("00", "cc", 1) + "-01-more", "01"),
        ] {
            let expected = format!("traceparent: {PARENT_00}-{flags}");
            assert_eq!(carried(&[("traceparent", &read)]), [expected], "{read}");
        }
        let zeros = PARENT_00.replace("00f067aa0ba902b7", "0000000000000000");
        for bad in [
            String::new(),
            "00".to_owned(),
            PARENT_00.to_owned(),
            format!("{PARENT_00}-1"),
            format!("{PARENT_00}-01-"),
            format!("{PARENT_00}-01-more"),
            format!("{PARENT_00}-0g"),
            format!("{PARENT_00}-+1"),
            PARENT_00.to_uppercase() + "-01",
            PARENT_00.replacen("00", "ff", 1) + "-01",
            PARENT_00.replacen("00", "cc", 1) + "-01.more",
            PARENT_00.replacen("00", "0", 1) + "-001",
            format!("{zeros}-01"),
            "-".repeat(1 << 20),
            "ü".repeat(LENGTH),
        ] {
            assert_eq!(carried(&[("traceparent", &bad)]), [""; 0], "{bad:.99}");
        }
    }

    // https://www.w3.org/TR/trace-context/#tracestate-header
    #[test]
    fn a_state_goes_along_as_a_whole_or_not_at_all() {
        let parent = format!("{PARENT_00}-01");
        let state = |state: &str| {
            let mut all = carried(&[("traceparent", &parent), ("tracestate", state)]);
            let parent = all.remove(0);
            assert!(parent.starts_with("traceparent"), "{state:.99}");
            all.pop().unwrap_or_default()
        };
        assert_eq!(state("a=1,b=2"), "tracestate: a=1,b=2");
        assert_eq!(state(" a=1 ,\t, b=2 "), "tracestate: a=1,b=2");
        let members = |count: usize| {
            let members: Vec<_> = (0..count).map(|i| format!("k{i}=v")).collect();
            members.join(",")
        };
        assert_eq!(state(&members(32)), format!("tracestate: {}", members(32)));
        let long = format!("a={}", "x".repeat(10_000));
        for bad in [
            "",
            "a",
            "a=1,a=2",
            "a==1",
            "A=1",
            "a=ü",
            &members(33),
            &long,
        ] {
            assert_eq!(state(bad), "", "{bad:.99}");
        }
    }
}
