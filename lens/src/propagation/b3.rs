//! The headers of Zipkin's B3, one or several. Both are read, one of them is written.
//!
//! <https://github.com/openzipkin/b3-propagation>,
//! <https://opentelemetry.io/docs/specs/otel/context/api-propagators/#b3-requirements>

use opentelemetry::Context;
use opentelemetry::propagation::text_map_propagator::FieldIter;
use opentelemetry::propagation::{Extractor, Injector, TextMapPropagator};
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};

const SINGLE: &str = "b3";
const TRACE_ID: &str = "x-b3-traceid";
const SPAN_ID: &str = "x-b3-spanid";
const SAMPLED: &str = "x-b3-sampled";
const FLAGS: &str = "x-b3-flags";

/// The propagator.
#[derive(Debug)]
pub(super) struct B3 {
    /// The headers that are written.
    fields: Vec<String>,
}

impl B3 {
    /// Writes one header.
    pub(super) fn single() -> Self {
        Self {
            fields: vec![SINGLE.to_owned()],
        }
    }

    /// Writes several headers.
    pub(super) fn multi() -> Self {
        Self {
            fields: [TRACE_ID, SPAN_ID, SAMPLED, FLAGS]
                .map(str::to_owned)
                .into(),
        }
    }

    fn is_single(&self) -> bool {
        self.fields.len() == 1
    }
}

/// In a context that came with the wish to be recorded whatever samplers say.
struct Debug;

/// Whether a trace is recorded.
#[derive(Clone, Copy, PartialEq)]
enum Sampling {
    No,
    Yes,
    Debug,
}

impl Sampling {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "0" | "false" => Some(Self::No),
            "1" | "true" => Some(Self::Yes),
            "d" => Some(Self::Debug),
            _ => None,
        }
    }
}

impl TextMapPropagator for B3 {
    fn inject_context(&self, context: &Context, injector: &mut dyn Injector) {
        let span = context.span();
        let span = span.span_context();
        if !span.is_valid() {
            return;
        }
        let is_debug = context.get::<Debug>().is_some();
        let sampled = match (is_debug, span.is_sampled()) {
            (true, _) => "d",
            (false, true) => "1",
            (false, false) => "0",
        };
        let (trace_id, span_id) = (span.trace_id().to_string(), span.span_id().to_string());
        if self.is_single() {
            injector.set(SINGLE, format!("{trace_id}-{span_id}-{sampled}"));
            return;
        }
        injector.set(TRACE_ID, trace_id);
        injector.set(SPAN_ID, span_id);
        if is_debug {
            injector.set(FLAGS, "1".to_owned());
        } else {
            injector.set(SAMPLED, sampled.to_owned());
        }
    }

    fn extract_with_context(&self, context: &Context, extractor: &dyn Extractor) -> Context {
        let found = single(extractor).or_else(|| several(extractor));
        let Some((span, sampling)) = found else {
            return context.clone();
        };
        let context = context.with_remote_span_context(span);
        if sampling == Some(Sampling::Debug) {
            context.with_value(Debug)
        } else {
            context
        }
    }

    fn fields(&self) -> FieldIter<'_> {
        FieldIter::new(&self.fields)
    }
}

/// `{trace id}-{span id}[-{sampling}[-{parent span id}]]`
fn single(extractor: &dyn Extractor) -> Option<(SpanContext, Option<Sampling>)> {
    let mut parts = extractor.get(SINGLE)?.trim().split('-');
    let (trace_id, span_id) = (parts.next()?, parts.next()?);
    let sampling = match parts.next() {
        Some(sampling) => Some(Sampling::parse(sampling)?),
        None => None,
    };
    remote(trace_id, span_id, sampling)
}

fn several(extractor: &dyn Extractor) -> Option<(SpanContext, Option<Sampling>)> {
    let is_debug = extractor.get(FLAGS) == Some("1");
    let sampling = match is_debug {
        true => Some(Sampling::Debug),
        false => extractor.get(SAMPLED).and_then(Sampling::parse),
    };
    remote(extractor.get(TRACE_ID)?, extractor.get(SPAN_ID)?, sampling)
}

fn remote(
    trace_id: &str,
    span_id: &str,
    sampling: Option<Sampling>,
) -> Option<(SpanContext, Option<Sampling>)> {
    let is_hex = |text: &str, lengths: &[usize]| {
        lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    if !is_hex(trace_id, &[16, 32]) || !is_hex(span_id, &[16]) {
        return None;
    }
    let flags = match sampling {
        Some(Sampling::Yes | Sampling::Debug) => TraceFlags::SAMPLED,
        Some(Sampling::No) | None => TraceFlags::NOT_SAMPLED,
    };
    let span = SpanContext::new(
        TraceId::from_hex(trace_id).ok()?,
        SpanId::from_hex(span_id).ok()?,
        flags,
        true,
        TraceState::default(),
    );
    span.is_valid().then_some((span, sampling))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    const TRACE: &str = "80f198ee56343ba864fe8b2a57d3eff7";
    const SPAN: &str = "e457b5a2e4d86bd1";

    /// What is written for what was read.
    fn carried(by: &B3, headers: &[(&str, &str)]) -> Vec<(String, String)> {
        let headers: HashMap<String, String> = (headers.iter())
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let context = by.extract_with_context(&Context::new(), &headers);
        let mut written = HashMap::new();
        by.inject_context(&context, &mut written);
        let mut written: Vec<_> = written.into_iter().collect();
        written.sort_unstable();
        written
    }

    fn headers(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    #[test]
    fn one_header_is_carried_on_as_one() {
        for (state, expected) in [
            ("-1", "1"),
            ("-0", "0"),
            ("-d", "d"),
            ("", "0"),
            ("-1-05e3ac9a4f6e3b90", "1"),
        ] {
            let read = format!("{TRACE}-{SPAN}{state}");
            let written = format!("{TRACE}-{SPAN}-{expected}");
            assert_eq!(
                carried(&B3::single(), &[("b3", &read)]),
                headers(&[("b3", &written)])
            );
        }
    }

    #[test]
    fn several_headers_are_carried_on_as_several_and_the_single_one_is_first() {
        let ids = [("x-b3-traceid", TRACE), ("x-b3-spanid", SPAN)];
        let read = [ids[0], ids[1], ("x-b3-sampled", "1")];
        let mut expected = headers(&read);
        expected.sort_unstable();
        assert_eq!(carried(&B3::multi(), &read), expected);
        let debug = [ids[0], ids[1], ("x-b3-flags", "1")];
        assert!(carried(&B3::multi(), &debug).contains(&("x-b3-flags".into(), "1".into())));
        let other = "463ac35c9f6413ad48485a3953bb6124-a2fb4a1d1a96d312-1";
        assert_eq!(
            carried(&B3::single(), &[read[0], read[1], read[2], ("b3", other)]),
            headers(&[("b3", other)])
        );
    }

    #[test]
    fn a_short_trace_id_is_filled_up_and_what_is_no_id_is_none() {
        let read = format!("{SPAN}-{SPAN}-1");
        let written = format!("0000000000000000{SPAN}-{SPAN}-1");
        assert_eq!(
            carried(&B3::single(), &[("b3", &read)]),
            headers(&[("b3", &written)])
        );
        for bad in [
            "0",
            "1",
            "d",
            "",
            "x-y-1",
            "00000000000000000000000000000000-e457b5a2e4d86bd1-1",
            "80f198ee56343ba864fe8b2a57d3eff7-+457b5a2e4d86bd1-1",
        ] {
            assert_eq!(carried(&B3::single(), &[("b3", bad)]), [], "{bad}");
        }
    }
}
