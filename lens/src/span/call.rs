//! What the macros print calls to: a span to be, and what runs in it.

use std::pin::Pin;

use super::attached::Attached;
use super::description::Description;
use super::guard::SpanGuard;
use super::instrumented::Instrumented;
use super::open::OpenSpan;
use super::outcome::Outcome;
use crate::groups::Site;

/// A span to be; `None` where its group is off, so that this is one null pointer then.
#[derive(Debug)]
#[must_use]
pub struct Call(pub(super) Option<Box<Prepared>>);

/// Everything a span needs to start.
#[derive(Debug)]
pub(super) struct Prepared {
    site: &'static Site,
    description: Description,
}

impl Prepared {
    pub(super) fn start(self) -> OpenSpan {
        OpenSpan::start(self.site, self.description)
    }
}

impl Site {
    /// Prepares a span. Where the group is off this is one load, and `describe` is not asked.
    #[inline]
    pub fn call(&'static self, describe: impl FnOnce(Description) -> Description) -> Call {
        if !self.is_on() {
            return Call(None);
        }
        Call(self.prepare(describe))
    }

    // Out of line, like everything that only a span that is on needs: what is left of one that
    // is off are a load and a jump.
    #[inline(never)]
    fn prepare(
        &'static self,
        describe: impl FnOnce(Description) -> Description,
    ) -> Option<Box<Prepared>> {
        #[cfg(feature = "__testkit")]
        if !crate::state::scope::wants(self.group) {
            return None;
        }
        let description = describe(Description::default());
        Some(Box::new(Prepared {
            site: self,
            description,
        }))
    }
}

impl Call {
    /// Runs `body` in the span.
    #[inline]
    pub fn run<R>(self, body: impl FnOnce() -> R) -> Ran<R> {
        match self.0 {
            None => Ran {
                result: body(),
                span: None,
            },
            Some(prepared) => run(prepared, body),
        }
    }

    /// Runs `body` in the span, which is active whenever it is polled.
    #[inline]
    pub fn run_async<F: Future>(self, body: F) -> Instrumented<F> {
        Instrumented::call(body, self)
    }

    /// Runs the future that `body` returns in the span; the span starts at its first poll.
    #[inline]
    pub fn run_future<F: Future>(self, body: impl FnOnce() -> F) -> Instrumented<F> {
        Instrumented::call(body(), self)
    }

    /// The same for a future in a box.
    #[inline]
    pub fn run_boxed<F: Future>(self, body: impl FnOnce() -> F) -> Boxed<F> {
        Boxed {
            future: body(),
            call: self,
        }
    }

    /// Starts the span and makes it active for the rest of a function's body.
    #[inline]
    pub fn enter(self) -> Entered {
        Entered {
            _inner: self.0.map(Inner::new),
        }
    }

    /// Starts the span and makes it active until the guard is dropped.
    #[inline]
    pub fn guard(self) -> SpanGuard {
        match self.0 {
            None => SpanGuard::none(),
            Some(prepared) => start(*prepared),
        }
    }
}

#[inline(never)]
fn start(prepared: Prepared) -> SpanGuard {
    let site = prepared.site;
    SpanGuard::new(prepared.start(), site)
}

#[inline(never)]
#[expect(clippy::boxed_local, reason = "the caller moves a pointer")]
fn run<R>(prepared: Box<Prepared>, body: impl FnOnce() -> R) -> Ran<R> {
    let span = prepared.start();
    let watch = span.watch();
    let active = span.attach();
    let result = body();
    drop(active);
    drop(watch);
    Ran {
        result,
        span: Some(Box::new(span)),
    }
}

/// What a body returned, with its span still open.
///
/// A step of its own: here the result's type is known, whatever the signature hides of it.
#[derive(Debug)]
#[must_use]
pub struct Ran<R> {
    result: R,
    span: Option<Box<OpenSpan>>,
}

impl<R> Ran<R> {
    /// Says what the result means for the span, ends that, and returns the result.
    #[inline]
    pub fn told(self, outcome: fn(&R) -> Outcome) -> R {
        if let Some(span) = self.span {
            tell(&span, &self.result, outcome);
        }
        self.result
    }
}

#[inline(never)]
fn tell<R>(span: &OpenSpan, result: &R, outcome: fn(&R) -> Outcome) {
    let _watch = span.watch();
    span.record(result, outcome);
}

/// A future in a box, with its span to be.
#[derive(Debug)]
#[must_use]
pub struct Boxed<F> {
    future: F,
    call: Call,
}

impl<F: Future> Boxed<F> {
    /// Says what the result means for the span. The box stays as it is where the group is off;
    /// `boxed` makes one of the same type otherwise.
    #[inline]
    pub fn told(
        self,
        outcome: fn(&F::Output) -> Outcome,
        boxed: fn(Pin<Box<Instrumented<F>>>) -> F,
    ) -> F {
        match self.call.0 {
            None => self.future,
            call @ Some(_) => boxed(Box::pin(
                Instrumented::call(self.future, Call(call)).told(outcome),
            )),
        }
    }
}

/// A function body inside its span.
#[derive(Debug)]
#[must_use]
pub struct Entered {
    _inner: Option<Box<Inner>>,
}

#[derive(Debug)]
struct Inner {
    active: Option<Attached>,
    span: OpenSpan,
    panicking: bool,
}

impl Inner {
    #[inline(never)]
    #[expect(clippy::boxed_local, reason = "the caller moves a pointer")]
    fn new(prepared: Box<Prepared>) -> Box<Self> {
        let span = prepared.start();
        Box::new(Self {
            active: span.attach(),
            span,
            panicking: std::thread::panicking(),
        })
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        drop(self.active.take());
        if !self.panicking && std::thread::panicking() {
            self.span.set_panicked();
        }
    }
}
