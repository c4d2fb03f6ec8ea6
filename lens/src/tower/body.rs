//! The body of a response, which may be made long after its head.

use std::pin::Pin;
use std::task::{Context as TaskContext, Poll, ready};

use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;

use super::exchange::Exchange;

pin_project! {
    /// The body of a response, made inside the request's span, which ends with it.
    #[derive(Debug)]
    pub struct ServerBody<B> {
        // Before the exchange: what it drops is inside the span.
        #[pin]
        body: B,
        exchange: Option<Exchange>,
    }
}

impl<B> ServerBody<B> {
    pub(super) fn new(body: B, exchange: Option<Exchange>) -> Self {
        Self { body, exchange }
    }
}

impl<B: Body> Body for ServerBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        task: &mut TaskContext<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let this = self.project();
        let watch = this.exchange.as_ref().map(Exchange::watch);
        let active = this.exchange.as_ref().and_then(Exchange::attach);
        let frame = ready!(this.body.poll_frame(task));
        drop(active);
        drop(watch);
        if !matches!(frame, Some(Ok(_)))
            && let Some(mut exchange) = this.exchange.take()
            && frame.is_some()
        {
            exchange.failed::<B::Error>();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
