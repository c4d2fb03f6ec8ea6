//! One open span, and what happens to it: made active, given a status, ended.

use std::borrow::Cow;
use std::pin::Pin;
use std::task::{Context as TaskContext, Poll};

use opentelemetry::trace::{Status, TraceContextExt, Tracer};
use opentelemetry::{Context, ContextGuard, InstrumentationScope, KeyValue, global};

use super::outcome::Outcome;
use crate::context;
use crate::reentry::quietly;
#[cfg(feature = "sdk")]
use crate::state;

/// Where a span is made: the crate whose instrumentation it is.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The crate's name; the scope of the span.
    pub package: Option<&'static str>,
    /// The crate's version.
    pub version: Option<&'static str>,
}

/// A span that ends when this is dropped. `None` inside: nothing records spans.
#[derive(Debug)]
pub(super) struct OpenSpan(Option<Context>);

impl OpenSpan {
    /// Starts a span in the current context.
    ///
    /// Always through the API's global: so a host with an SDK of its own sees it too.
    pub(super) fn start(site: Site, name: Cow<'static, str>, attributes: Vec<KeyValue>) -> Self {
        if !context::has_context() {
            return Self(None);
        }
        let mut scope = InstrumentationScope::builder(site.package.unwrap_or_default());
        if let Some(version) = site.version {
            scope = scope.with_version(version);
        }
        let tracer = global::tracer_with_scope(scope.build());
        let builder = tracer.span_builder(name).with_attributes(attributes);
        let span = tracer.build(builder);
        let context = Context::current_with_span(span);
        let span_context = context.span().span_context().clone();
        if !span_context.is_valid() {
            return Self(None);
        }
        #[cfg(feature = "sdk")]
        state::hold_open(span_context.span_id(), &context);
        Self(Some(context))
    }

    /// A span that is none.
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// Makes the span the active one until the guard goes.
    pub(super) fn attach(&self) -> Option<ContextGuard> {
        self.0.clone().map(Context::attach)
    }

    /// Polls with the span active; a panic sets its status.
    pub(super) fn poll<F: Future>(
        &self,
        future: Pin<&mut F>,
        task: &mut TaskContext<'_>,
    ) -> Poll<F::Output> {
        let _watch = self.watch();
        let _active = self.attach();
        future.poll(task)
    }

    /// Sets the status to an error if a panic begins while the result lives.
    pub(super) fn watch(&self) -> PanicWatch<'_> {
        PanicWatch {
            span: self,
            before: std::thread::panicking(),
        }
    }

    /// Sets the status from a result, which is only looked at when somebody records.
    pub(super) fn record<R>(&self, result: &R, outcome: impl FnOnce(&R) -> Outcome) {
        if self.0.is_none() {
            return;
        }
        if let Some(Outcome::Failed(failure)) = quietly(|| outcome(result)) {
            self.set_error(failure.message);
        }
    }

    pub(super) fn set_panicked(&self) {
        self.set_error("panicked".to_owned());
    }

    fn set_error(&self, description: String) {
        if let Some(context) = &self.0 {
            context.span().set_status(Status::error(description));
        }
    }
}

impl Drop for OpenSpan {
    fn drop(&mut self) {
        if let Some(context) = self.0.take() {
            context.span().end();
        }
    }
}

/// See [`OpenSpan::watch`].
pub(super) struct PanicWatch<'a> {
    span: &'a OpenSpan,
    before: bool,
}

impl Drop for PanicWatch<'_> {
    fn drop(&mut self) {
        if !self.before && std::thread::panicking() {
            self.span.set_panicked();
        }
    }
}
