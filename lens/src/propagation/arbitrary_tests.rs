//! Whatever stands in the headers of a request, they are read; and what is written is read back.

use std::collections::HashMap;

use opentelemetry::Context;
use opentelemetry::KeyValue;
use opentelemetry::baggage::BaggageExt;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::TraceContextExt;
use proptest::prelude::*;

use super::composite::composite;
use crate::config::Propagator;

const ALL: [Propagator; 4] = [
    Propagator::TraceContext,
    Propagator::Baggage,
    Propagator::B3,
    Propagator::B3Multi,
];

const HEADERS: [&str; 8] = [
    "traceparent",
    "tracestate",
    "baggage",
    "b3",
    "x-b3-traceid",
    "x-b3-spanid",
    "x-b3-sampled",
    "x-b3-flags",
];

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9a-f]{16}|[0-9a-f]{32}|[01d]",
        "00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]",
        "[0-9a-f]{32}-[0-9a-f]{16}(-[01d])?",
        "[a-z0-9=;,%\" ]{0,40}",
        any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn headers_of_any_text_are_read_and_can_be_passed_on(
        headers in proptest::collection::hash_map(
            proptest::sample::select(&HEADERS[..]).prop_map(str::to_owned),
            value(),
            0..6,
        )
    ) {
        let propagator = composite(&ALL);
        let read = propagator.extract_with_context(&Context::new(), &headers);
        let span = read.span().span_context().clone();
        prop_assert!(span.is_valid() || !span.is_remote());

        let mut onwards = HashMap::new();
        propagator.inject_context(&read, &mut onwards);
        let again = propagator.extract_with_context(&Context::new(), &onwards);
        let passed_on = again.span().span_context().clone();
        prop_assert_eq!(passed_on.trace_id(), span.trace_id());
        prop_assert_eq!(passed_on.span_id(), span.span_id());
        prop_assert_eq!(passed_on.is_sampled(), span.is_sampled());
    }

    #[test]
    fn baggage_is_read_back_as_it_was(
        entries in proptest::collection::hash_map("[a-z][a-z0-9%]{0,7}", any::<String>(), 0..6)
    ) {
        let pairs = entries.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
        let context = Context::new().with_baggage(pairs);
        let propagator = composite(&[Propagator::Baggage]);
        let mut headers = HashMap::new();
        propagator.inject_context(&context, &mut headers);
        let read = propagator.extract_with_context(&Context::new(), &headers);
        for (key, value) in &entries {
            let found = read.baggage().get(key).map(ToString::to_string);
            prop_assert_eq!(found.as_ref(), Some(value), "{:?}", headers);
        }
    }
}
