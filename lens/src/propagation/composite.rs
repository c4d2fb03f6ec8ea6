//! Several formats as one.

use opentelemetry::propagation::{TextMapCompositePropagator, TextMapPropagator};
use opentelemetry_sdk::propagation::{BaggagePropagator, TraceContextPropagator};

use super::b3::B3;
use crate::config::Propagator;

/// Tries each of them.
pub(crate) fn composite(propagators: &[Propagator]) -> TextMapCompositePropagator {
    let each = propagators.iter().map(|propagator| match propagator {
        Propagator::TraceContext => boxed(TraceContextPropagator::new()),
        Propagator::Baggage => boxed(BaggagePropagator::new()),
        Propagator::B3 => boxed(B3::single()),
        Propagator::B3Multi => boxed(B3::multi()),
    });
    TextMapCompositePropagator::new(each.collect())
}

fn boxed(
    propagator: impl TextMapPropagator + Send + Sync + 'static,
) -> Box<dyn TextMapPropagator + Send + Sync> {
    Box::new(propagator)
}
