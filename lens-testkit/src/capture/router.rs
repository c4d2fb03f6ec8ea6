//! The tracer provider of the process: each span goes to the capture that owns it.
//!
//! Installed before anybody takes a tracer, so that a tracer kept in a static routes, too.

use std::sync::OnceLock;

use lens::__testkit::traces;
use lens::opentelemetry::trace::{SpanBuilder, Tracer, TracerProvider};
use lens::opentelemetry::{Context, InstrumentationScope};
use lens::opentelemetry_sdk::trace::{SdkTracerProvider, Span};

use super::registry;

/// See above.
#[derive(Debug)]
pub(super) struct Router;

/// A tracer of one instrumentation scope.
#[derive(Clone, Debug)]
pub(super) struct RoutingTracer(InstrumentationScope);

impl TracerProvider for Router {
    type Tracer = RoutingTracer;

    fn tracer_with_scope(&self, scope: InstrumentationScope) -> RoutingTracer {
        RoutingTracer(scope)
    }
}

impl Tracer for RoutingTracer {
    type Span = Span;

    fn build_with_context(&self, builder: SpanBuilder, parent: &Context) -> Span {
        // The thread and the current context count even where the parent tells nothing.
        let scope = match registry::current().or_else(|| registry::owner(parent)) {
            Some(capture) => capture.scope,
            None => registry::orphan_scope(),
        };
        let provider = traces(scope).unwrap_or_else(nothing);
        let tracer = provider.tracer_with_scope(self.0.clone());
        tracer.build_with_context(builder, parent)
    }
}

/// A provider that was shut down makes spans that are none.
fn nothing() -> &'static SdkTracerProvider {
    static NOTHING: OnceLock<SdkTracerProvider> = OnceLock::new();
    NOTHING.get_or_init(|| {
        let provider = SdkTracerProvider::builder().build();
        let _ = provider.shutdown();
        provider
    })
}
