//! What `lens::span!` returns.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use opentelemetry::{ContextGuard, KeyValue};
use pin_project_lite::pin_project;

use super::open::{OpenSpan, Site};
use crate::context;

/// A span that is active on this thread until the guard is dropped.
///
/// Made by [`span!`](crate::span!). Not `Send`: in async code use
/// [`instrument`](Self::instrument).
#[derive(Debug)]
#[must_use = "the span ends when the guard is dropped; bind it with `let _span = …`"]
pub struct SpanGuard {
    active: Option<ContextGuard>,
    span: OpenSpan,
    panicking: bool,
    _not_send: PhantomData<*const ()>,
}

impl SpanGuard {
    #[doc(hidden)]
    pub fn start(
        site: Site,
        name: impl Into<Cow<'static, str>>,
        attributes: impl IntoIterator<Item = Option<KeyValue>>,
    ) -> Self {
        let span = OpenSpan::start(
            site,
            name.into(),
            attributes.into_iter().flatten().collect(),
        );
        Self {
            active: span.attach(),
            span,
            panicking: std::thread::panicking(),
            _not_send: PhantomData,
        }
    }

    /// Moves the span into a future: active whenever that is polled, ended with it.
    ///
    /// ```
    /// # async fn fetch() {}
    /// # async fn example() {
    /// lens::span!("fetch", dataset = "mmlu").instrument(fetch()).await;
    /// # }
    /// ```
    pub fn instrument<F: Future>(mut self, future: F) -> Instrumented<F> {
        self.detach();
        let span = std::mem::replace(&mut self.span, OpenSpan::none());
        Instrumented { future, span }
    }

    /// Makes the span inactive; it ends after this.
    fn detach(&mut self) {
        let active = self.active.take();
        if !context::has_context() {
            // The thread is ending: the stack to be popped is gone.
            std::mem::forget(active);
        }
    }
}

impl Drop for SpanGuard {
    fn drop(&mut self) {
        self.detach();
        if !self.panicking && std::thread::panicking() {
            self.span.set_panicked();
        }
    }
}

pin_project! {
    /// A future with its span, see [`SpanGuard::instrument`].
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct Instrumented<F> {
        #[pin]
        future: F,
        span: OpenSpan,
    }
}

impl<F: Future> Future for Instrumented<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        this.span.poll(this.future, task)
    }
}
