//! One open span, and what happens to it: made active, given a status, ended.

use std::borrow::Cow;

use opentelemetry::trace::{Span as _, Status, TraceContextExt, Tracer};
use opentelemetry::{Context, InstrumentationScope, KeyValue, global};

use super::attached::Attached;
use super::description::Description;
use super::outcome::Outcome;
use crate::context::has_context;
use crate::groups::Site;
use crate::reentry::quietly;
use crate::semconv::code;
#[cfg(feature = "sdk")]
use crate::state;

/// The description of the status of a span in which something panicked.
pub(crate) const PANICKED: &str = "panicked";

/// A span that ends when this is dropped, or the place where it would be.
#[derive(Debug, Default)]
pub(crate) struct OpenSpan {
    /// What is active in it; none where nothing records.
    context: Option<Context>,
    /// The span in the context was made here.
    is_made: bool,
}

impl OpenSpan {
    /// Starts a span.
    ///
    /// Always through the API's global: so a host with an SDK of its own sees it too.
    pub(crate) fn start(site: &'static Site, description: Description) -> Self {
        if !has_context() {
            return Self::default();
        }
        let Description {
            name,
            mut attributes,
            parent,
            links,
        } = description;
        let path = site.path();
        if !site.file.is_empty() {
            attributes.push(KeyValue::new(code::FUNCTION_NAME, path));
            attributes.push(KeyValue::new(code::FILE_PATH, site.file));
            attributes.push(KeyValue::new(code::LINE_NUMBER, i64::from(site.line)));
        }
        let mut scope = InstrumentationScope::builder(site.package.unwrap_or_default());
        if let Some(version) = site.version {
            scope = scope.with_version(version);
        }
        #[cfg(feature = "__testkit")]
        let parent = parent.map(state::scope::adopt);
        let is_explicit = parent.is_some();
        let parent = parent.unwrap_or_else(Context::current);
        #[cfg(feature = "sdk")]
        let parent = state::with_fields(parent, &attributes);
        let tracer = global::tracer_with_scope(scope.build());
        let builder = tracer
            .span_builder(name.unwrap_or(Cow::Borrowed(path)))
            .with_kind(site.kind.clone())
            .with_attributes(attributes)
            .with_links(links);
        let span = tracer.build_with_context(builder, &parent);
        if span.span_context().is_valid() {
            #[cfg(feature = "sdk")]
            let id = span.span_context().span_id();
            let context = parent.with_span(span);
            #[cfg(feature = "sdk")]
            state::hold_open(id, &context);
            return Self {
                context: Some(context),
                is_made: true,
            };
        }
        // Of a context that was given, the baggage counts, and that it is not the current one.
        Self {
            context: is_explicit.then_some(parent),
            is_made: false,
        }
    }

    /// The context that is active in it.
    pub(crate) fn context(&self) -> Option<&Context> {
        self.context.as_ref()
    }

    /// The context with the span, if one was made.
    pub(super) fn made(&self) -> Option<&Context> {
        self.context.as_ref().filter(|_| self.is_made)
    }

    /// Makes the span the active one until the guard goes.
    pub(crate) fn attach(&self) -> Option<Attached> {
        self.context.clone().and_then(Attached::new)
    }

    /// Sets the status to an error if a panic begins while the result lives.
    pub(super) fn watch(&self) -> PanicWatch<'_> {
        PanicWatch {
            span: self,
            before: std::thread::panicking(),
        }
    }

    /// Sets the status from a result, which is only looked at when somebody records.
    pub(super) fn record<R>(&self, result: &R, outcome: fn(&R) -> Outcome) {
        if self.made().is_none() {
            return;
        }
        if let Some(Outcome::Failed(failure)) = quietly(|| outcome(result)) {
            self.set_error(failure.message);
        }
    }

    /// Sets an attribute.
    #[cfg(feature = "tower")]
    pub(crate) fn set(&self, attribute: KeyValue) {
        if let Some(context) = self.made() {
            context.span().set_attribute(attribute);
        }
    }

    pub(crate) fn set_panicked(&self) {
        self.set_error(PANICKED.to_owned());
    }

    pub(crate) fn set_error(&self, description: String) {
        if let Some(context) = self.made() {
            context.span().set_status(Status::error(description));
        }
    }
}

impl Drop for OpenSpan {
    fn drop(&mut self) {
        if let Some(context) = self.made() {
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
