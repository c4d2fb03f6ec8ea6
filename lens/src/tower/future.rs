//! The response that is being made.

use std::fmt;
use std::pin::Pin;
use std::task::{Context as TaskContext, Poll, ready};

use http::Response;
use pin_project_lite::pin_project;

use super::body::ServerBody;
use super::exchange::Exchange;
use crate::span::Instrumented;

pin_project! {
    /// The response of a [`Server`](super::Server), made inside the request's span.
    #[must_use = "futures do nothing unless polled"]
    pub struct ServerFuture<F: Future> {
        // Before the exchange: what it drops is inside the span.
        #[pin]
        future: Instrumented<F>,
        exchange: Option<Exchange>,
    }
}

impl<F: Future> fmt::Debug for ServerFuture<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exchange = &self.exchange;
        f.debug_struct("ServerFuture")
            .field("exchange", exchange)
            .finish_non_exhaustive()
    }
}

impl<F: Future> ServerFuture<F> {
    pub(super) fn new(future: F, exchange: Exchange) -> Self {
        Self {
            future: Instrumented::within(future, exchange.context().cloned()),
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
        let this = self.project();
        let watch = this.exchange.as_ref().map(Exchange::watch);
        let result = ready!(this.future.poll(task));
        drop(watch);
        let mut exchange = this.exchange.take();
        Poll::Ready(match result {
            Ok(response) => {
                if let Some(exchange) = &mut exchange {
                    exchange.answered(response.status());
                }
                Ok(response.map(|body| ServerBody::new(body, exchange)))
            }
            Err(error) => {
                if let Some(exchange) = &mut exchange {
                    exchange.failed::<E>();
                }
                Err(error)
            }
        })
    }
}
