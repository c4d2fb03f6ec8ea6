//! TCP connections that acknowledge at once what they read.
//!
//! A receiver without `TCP_NODELAY` holds the second of two small segments back until the first is
//! acknowledged, and a client with nothing to send waits up to 40 ms with that: over gRPC, whose
//! answers are several small segments, a connection is ten times slower then. Linux can be asked
//! not to wait, anew after each read (`TCP_QUICKACK` in `tcp(7)`).

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::Uri;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tower_service::Service;

/// Connects to `http` addresses.
#[derive(Clone)]
pub(super) struct PromptConnector(pub(super) HttpConnector);

impl Service<Uri> for PromptConnector {
    type Response = PromptStream;
    type Error = <HttpConnector as Service<Uri>>::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = self.0.call(uri);
        Box::pin(async { Ok(PromptStream(connecting.await?)) })
    }
}

/// A connection that acknowledges at once.
pub(super) struct PromptStream(TokioIo<TcpStream>);

impl PromptStream {
    fn acknowledge(&self) {
        // What cannot be asked for is only slower.
        #[cfg(any(target_os = "linux", target_os = "android"))]
        let _ = self.0.inner().set_quickack(true);
    }
}

impl Read for PromptStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.0).poll_read(cx, into);
        if read.is_ready() {
            self.acknowledge();
        }
        read
    }
}

impl Write for PromptStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        from: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, from)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        from: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write_vectored(cx, from)
    }
}

impl Connection for PromptStream {
    fn connected(&self) -> Connected {
        self.0.connected()
    }
}
