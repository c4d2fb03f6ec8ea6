//! What goes over the wire in one request.

use std::convert::Infallible;
use std::mem::take;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};

/// A message, compressed or not, and what the protocol puts in front of it, if anything. Neither is
/// copied for another attempt.
#[derive(Clone, Debug)]
pub(crate) struct Payload {
    pub(super) prefix: Bytes,
    pub(super) message: Bytes,
}

impl Payload {
    /// In bytes.
    pub(crate) fn len(&self) -> usize {
        self.prefix.len() + self.message.len()
    }
}

/// A request body that notes when the connection began to take it.
pub(super) struct Watched {
    payload: Payload,
    sent: Arc<AtomicBool>,
}

impl Watched {
    pub(super) fn new(payload: Payload, sent: Arc<AtomicBool>) -> Self {
        Self { payload, sent }
    }
}

impl Body for Watched {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.sent.store(true, Relaxed);
        let mut part = take(&mut self.payload.prefix);
        if part.is_empty() {
            part = take(&mut self.payload.message);
        }
        Poll::Ready((!part.is_empty()).then(|| Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.payload.len() == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.payload.len() as u64)
    }
}
