//! Several formats as one.

use opentelemetry::propagation::{TextMapCompositePropagator, TextMapPropagator};

use super::b3::B3;
use super::baggage::Baggage;
use super::trace_context::TraceContext;
use crate::config::Propagator;

/// Tries each of them.
pub(crate) fn composite(propagators: &[Propagator]) -> TextMapCompositePropagator {
    let each = propagators.iter().map(|propagator| match propagator {
        Propagator::TraceContext => boxed(TraceContext::new()),
        Propagator::Baggage => boxed(Baggage::new()),
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
