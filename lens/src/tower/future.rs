//! The response that is being made.

use std::fmt;
use std::pin::Pin;
use std::task::{Context as TaskContext, Poll, ready};

use http::Response;
use pin_project_lite::pin_project;

use super::body::ServerBody;
use super::exchange::Exchange;

pin_project! {
    /// The response of a [`Server`](super::Server), made inside the request's span.
    #[must_use = "futures do nothing unless polled"]
    pub struct ServerFuture<F> {
        // Taken out to be dropped inside the span.
        #[pin]
        future: Option<F>,
        exchange: Option<Exchange>,
    }

    impl<F> PinnedDrop for ServerFuture<F> {
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            if let Some(exchange) = this.exchange {
                exchange.within(|| this.future.set(None));
            }
        }
    }
}

impl<F> fmt::Debug for ServerFuture<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exchange = &self.exchange;
        f.debug_struct("ServerFuture")
            .field("exchange", exchange)
            .finish_non_exhaustive()
    }
}

impl<F> ServerFuture<F> {
    pub(super) fn new(future: F, exchange: Exchange) -> Self {
        Self {
            future: Some(future),
            exchange: Some(exchange),
        }
    }
}

impl<F, B, E> Future for ServerFuture<F>
where
    F: Future<Output = Result<Response<B>, E>>,
{
    type Output = Result<Response<ServerBody<B>>, E>;

    fn poll(self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        // Neither is taken out before the response is there, and nobody polls after that.
        let future = this.future.as_mut().as_pin_mut();
        let (Some(future), Some(exchange)) = (future, this.exchange.as_mut()) else {
            return Poll::Pending;
        };
        let result = ready!(exchange.within(|| future.poll(task)));
        match &result {
            Ok(response) => exchange.answered(response.status()),
            Err(_) => exchange.failed::<E>(),
        }
        exchange.within(|| this.future.set(None));
        let exchange = this.exchange.take();
        Poll::Ready(result.map(|response| response.map(|body| ServerBody::new(body, exchange))))
    }
}
