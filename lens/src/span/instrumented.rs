//! A future with its span.

use std::pin::Pin;
use std::task::{Context as TaskContext, Poll};

use opentelemetry::Context;
use pin_project_lite::pin_project;

use super::attached::Attached;
use super::call::{Call, Prepared};
use super::open::OpenSpan;
use super::outcome::{Outcome, fine};
use crate::diag;
use crate::groups::Site;

pin_project! {
    /// A future with its span: active whenever it is polled, ended with it.
    ///
    /// Made by [`SpanGuard::instrument`](crate::SpanGuard::instrument).
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct Instrumented<F: Future> {
        // Taken out to be dropped inside the span.
        #[pin]
        future: Option<F>,
        span: State,
        outcome: fn(&F::Output) -> Outcome,
    }

    impl<F: Future> PinnedDrop for Instrumented<F> {
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            let _active = this.span.attach();
            this.future.set(None);
        }
    }
}

#[derive(Debug)]
enum State {
    /// No span, as long as nobody asked for one.
    Off,
    /// Starts at the first poll.
    Prepared(Prepared),
    Open(OpenSpan),
    /// Somebody else's span.
    Within(Context),
}

impl State {
    fn attach(&self) -> Option<Attached> {
        match self {
            Self::Off | Self::Prepared(_) => None,
            Self::Open(span) => span.attach(),
            Self::Within(context) => Some(Attached::new(context.clone())),
        }
    }

    /// Starts the span, if that is still to be done.
    fn start(&mut self) {
        if let Self::Prepared(_) = self
            && let Self::Prepared(prepared) = std::mem::replace(self, Self::Off)
        {
            *self = Self::Open(prepared.start());
        }
    }
}

impl<F: Future> Instrumented<F> {
    pub(super) fn call(future: F, call: Call, outcome: fn(&F::Output) -> Outcome) -> Self {
        Self::new(future, call.0.map_or(State::Off, State::Prepared), outcome)
    }

    pub(super) fn open(future: F, span: OpenSpan) -> Self {
        Self::new(future, State::Open(span), fine)
    }

    /// `future` with `context` active whenever it is polled.
    #[cfg_attr(
        not(any(feature = "sdk", feature = "tokio")),
        expect(dead_code, reason = "for tasks and for the root span of main")
    )]
    pub(crate) fn within(future: F, context: Option<Context>) -> Self {
        Self::new(future, context.map_or(State::Off, State::Within), fine)
    }

    fn new(future: F, span: State, outcome: fn(&F::Output) -> Outcome) -> Self {
        Self {
            future: Some(future),
            span,
            outcome,
        }
    }
}

impl<F: Future> Future for Instrumented<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        this.span.start();
        let Some(future) = this.future.as_mut().as_pin_mut() else {
            // Polled again after it was ready, which a future need not bear.
            return Poll::Pending;
        };
        let span = match &this.span {
            State::Open(span) => Some(span),
            _ => None,
        };
        let watch = span.map(OpenSpan::watch);
        let active = this.span.attach();
        let poll = future.poll(task);
        match &poll {
            Poll::Pending => {
                if let Some(site) = active.as_ref().and_then(Attached::end_inner) {
                    held_across_await(site);
                }
            }
            Poll::Ready(result) => {
                this.future.set(None);
                drop(active);
                if let Some(span) = span {
                    span.record(result, *this.outcome);
                }
                drop(watch);
                *this.span = State::Off;
            }
        }
        poll
    }
}

/// Tells of a mistake once for each place where it is made.
#[cold]
fn held_across_await(site: &Site) {
    let at = format!("{}:{}", site.file, site.line);
    diag::fault(
        &format!("held across an .await {at}"),
        format_args!(
            "the guard of the span! at {at} was held across an .await, where other tasks run; \
             it is no longer active there; in async code write \
             `lens::span!(…).instrument(future).await`"
        ),
    );
}
