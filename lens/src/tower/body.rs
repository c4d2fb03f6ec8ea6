//! The body of a response, which may be made long after its head.

use std::fmt;
use std::pin::Pin;
use std::task::{Context as TaskContext, Poll, ready};

use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;

use super::exchange::Exchange;

pin_project! {
    /// The body of a response, made inside the request's span, which ends with it.
    pub struct ServerBody<B> {
        // Taken out to be dropped inside the span.
        #[pin]
        body: Option<B>,
        exchange: Option<Exchange>,
    }

    impl<B> PinnedDrop for ServerBody<B> {
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            if let Some(exchange) = this.exchange {
                exchange.within(|| this.body.set(None));
            }
        }
    }
}

impl<B> fmt::Debug for ServerBody<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exchange = &self.exchange;
        f.debug_struct("ServerBody")
            .field("exchange", exchange)
            .finish_non_exhaustive()
    }
}

impl<B> ServerBody<B> {
    pub(super) fn new(body: B, exchange: Option<Exchange>) -> Self {
        Self {
            body: Some(body),
            exchange,
        }
    }
}

impl<B: Body> Body for ServerBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        task: &mut TaskContext<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let mut this = self.project();
        let Some(body) = this.body.as_mut().as_pin_mut() else {
            return Poll::Ready(None);
        };
        let frame = match this.exchange {
            Some(exchange) => ready!(exchange.within(|| body.poll_frame(task))),
            None => ready!(body.poll_frame(task)),
        };
        if !matches!(frame, Some(Ok(_)))
            && let Some(mut exchange) = this.exchange.take()
        {
            if frame.is_some() {
                exchange.failed::<B::Error>();
            }
            // It ends with what is left of the body.
            exchange.within(|| this.body.set(None));
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        match &self.body {
            Some(body) => body.size_hint(),
            None => SizeHint::with_exact(0),
        }
    }
}
