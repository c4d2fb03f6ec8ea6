//! What `lens::span!` returns.

use std::marker::PhantomData;

use opentelemetry::trace::TraceContextExt;
use opentelemetry::{Key, KeyValue};

use super::attached::{Ticket, hold, release};
use super::field::Field;
use super::instrumented::Instrumented;
use super::open::OpenSpan;
use crate::groups::Site;
#[cfg(feature = "sdk")]
use crate::state;

/// A span that is active on this thread until the guard is dropped, and at most until the
/// traced function or the poll it was made in ends.
///
/// Made by [`span!`](crate::span!). Not `Send`: in async code use
/// [`instrument`](Self::instrument).
#[derive(Debug)]
#[must_use = "the span ends when the guard is dropped; bind it with `let _span = …`"]
pub struct SpanGuard {
    /// `None` where the group is off.
    inner: Option<Box<Inner>>,
    _not_send: PhantomData<*const ()>,
}

#[derive(Debug)]
struct Inner {
    active: Option<Ticket>,
    span: OpenSpan,
    panicking: bool,
}

impl SpanGuard {
    pub(super) fn new(span: OpenSpan, site: &'static Site) -> Self {
        let context = span.context().cloned();
        let inner = Inner {
            active: context.and_then(|context| hold(context, Some(site))),
            span,
            panicking: std::thread::panicking(),
        };
        Self {
            inner: Some(Box::new(inner)),
            _not_send: PhantomData,
        }
    }

    pub(super) fn none() -> Self {
        Self {
            inner: None,
            _not_send: PhantomData,
        }
    }

    /// Sets an attribute of this span, whichever one is active.
    ///
    /// ```
    /// let evaluate = lens::span!("evaluate", dataset = "mmlu");
    /// evaluate.record("accuracy", 0.8);
    /// ```
    pub fn record(&self, key: impl Into<Key>, value: impl Field) {
        let context = self.inner.as_ref().and_then(|inner| inner.span.made());
        if let Some(context) = context
            && let Some(value) = value.to_value()
        {
            let attribute = KeyValue::new(key, value);
            #[cfg(feature = "sdk")]
            state::add_field(context, &attribute);
            context.span().set_attribute(attribute);
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
    pub fn instrument<F: Future>(self, future: F) -> Instrumented<F> {
        Instrumented::open(future, self.inner.map(|inner| inner.inactive()))
    }
}

impl Inner {
    fn inactive(mut self) -> OpenSpan {
        self.deactivate();
        std::mem::take(&mut self.span)
    }

    fn deactivate(&mut self) {
        if let Some(ticket) = self.active.take() {
            release(ticket);
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.deactivate();
        if !self.panicking && std::thread::panicking() {
            self.span.set_panicked();
        }
    }
}
