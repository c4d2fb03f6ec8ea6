//! A future with its span.

use std::panic::{RefUnwindSafe, UnwindSafe};
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
            let this = this.project();
            if !this.span.is_off() {
                drop_within(this.span, this.future);
            }
        }
    }
}

#[derive(Debug)]
enum State {
    /// No span, as long as nobody asked for one.
    Off,
    /// Starts at the first poll.
    Prepared(Box<Prepared>),
    Open(OpenSpan),
    /// Somebody else's span.
    Within(Context),
}

impl State {
    #[inline]
    fn is_off(&self) -> bool {
        matches!(self, Self::Off)
    }

    fn attach(&self) -> Option<Attached> {
        match self {
            Self::Off | Self::Prepared(_) => None,
            Self::Open(span) => span.attach(),
            Self::Within(context) => Attached::new(context.clone()),
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

/// What lens has in it cannot be seen in a broken state.
impl<F: Future + UnwindSafe> UnwindSafe for Instrumented<F> {}
impl<F: Future + RefUnwindSafe> RefUnwindSafe for Instrumented<F> {}

impl<F: Future> Instrumented<F> {
    pub(super) fn call(future: F, call: Call) -> Self {
        Self::new(future, call.0.map_or(State::Off, State::Prepared))
    }

    /// Says what a result means for the span.
    #[doc(hidden)]
    #[inline]
    pub fn told(mut self, outcome: fn(&F::Output) -> Outcome) -> Self {
        self.outcome = outcome;
        self
    }

    pub(super) fn open(future: F, span: Option<OpenSpan>) -> Self {
        Self::new(future, span.map_or(State::Off, State::Open))
    }

    /// `future` with `context` active whenever it is polled.
    #[cfg_attr(
        not(any(feature = "sdk", feature = "tokio")),
        expect(dead_code, reason = "for tasks and for the root span of main")
    )]
    pub(crate) fn within(future: F, context: Option<Context>) -> Self {
        Self::new(future, context.map_or(State::Off, State::Within))
    }

    fn new(future: F, span: State) -> Self {
        Self {
            future: Some(future),
            span,
            outcome: fine,
        }
    }
}

impl<F: Future> Future for Instrumented<F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<F::Output> {
        let this = self.project();
        if this.span.is_off() {
            return poll_only(this.future, task);
        }
        poll_within(this.span, this.future, *this.outcome, task)
    }
}

#[inline]
fn poll_only<F: Future>(
    future: Pin<&mut Option<F>>,
    task: &mut TaskContext<'_>,
) -> Poll<F::Output> {
    match future.as_pin_mut() {
        Some(future) => future.poll(task),
        // Only ever taken out by the drop.
        None => Poll::Pending,
    }
}

#[inline(never)]
fn poll_within<F: Future>(
    state: &mut State,
    mut future: Pin<&mut Option<F>>,
    outcome: fn(&F::Output) -> Outcome,
    task: &mut TaskContext<'_>,
) -> Poll<F::Output> {
    state.start();
    let span = match &*state {
        State::Open(span) => Some(span),
        _ => None,
    };
    let watch = span.map(OpenSpan::watch);
    let active = state.attach();
    let poll = poll_only(future.as_mut(), task);
    match &poll {
        Poll::Pending => {
            if let Some(site) = active.as_ref().and_then(Attached::end_inner) {
                held_across_await(site);
            }
        }
        Poll::Ready(result) => {
            drop(active);
            if let Some(span) = span {
                span.record(result, outcome);
            }
            drop(watch);
            *state = State::Off;
        }
    }
    poll
}

/// Drops a future that was not ready, inside its span.
#[inline(never)]
fn drop_within<F>(state: &State, mut future: Pin<&mut Option<F>>) {
    let _active = state.attach();
    future.set(None);
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
