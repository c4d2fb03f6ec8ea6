//! The tracer behind the spans of `tracing`: the scope of a span is its target, as it is for a
//! log record.

use std::cell::Cell;

use opentelemetry::global::{self, BoxedSpan};
use opentelemetry::trace::{SpanBuilder, Tracer};
use opentelemetry::{Context, InstrumentationScope};

use crate::during::during;

/// How `tracing_opentelemetry` says the target of a span.
const TARGET: &str = "target";
/// Its word for the module, which OpenTelemetry has none for.
const MODULE: &str = "code.module.name";

thread_local! {
    static STARTING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread starts a span: a sampler or a processor may say something meanwhile, and
/// `tracing_opentelemetry` has locked the span.
pub(super) fn is_starting() -> bool {
    STARTING.try_with(Cell::get).unwrap_or(false)
}

/// Makes spans by the provider that is in effect when they start.
#[derive(Debug)]
pub(super) struct ScopedTracer;

impl Tracer for ScopedTracer {
    type Span = BoxedSpan;

    fn build_with_context(&self, mut builder: SpanBuilder, parent: &Context) -> BoxedSpan {
        let mut scope = String::new();
        if let Some(attributes) = &mut builder.attributes {
            // They come before the fields, which may be called the same.
            if let Some(at) = attributes
                .iter()
                .position(|pair| pair.key.as_str() == TARGET)
            {
                scope = attributes.remove(at).value.as_str().into_owned();
            }
            if let Some(at) = attributes
                .iter()
                .position(|pair| pair.key.as_str() == MODULE)
            {
                attributes.remove(at);
            }
        }
        let tracer = global::tracer_with_scope(InstrumentationScope::builder(scope).build());
        during(&STARTING, true, || {
            tracer.build_with_context(builder, parent)
        })
    }
}
