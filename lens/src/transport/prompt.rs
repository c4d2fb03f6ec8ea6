//! Connections to TCP and Unix sockets; the former acknowledge at once what they read.
//!
//! A receiver without `TCP_NODELAY` holds the second of two small segments back until the first is
//! acknowledged, and a client with nothing to send waits up to 40 ms with that: over gRPC, whose
//! answers are several small segments, a connection is ten times slower then. Linux can be asked
//! not to wait, anew after each read (`TCP_QUICKACK` in `tcp(7)`).

use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::Uri;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
#[cfg(unix)]
use tokio::net::UnixStream;
use tower_service::Service;

/// Connects to `http` addresses, or to one socket whatever the address.
#[derive(Clone)]
pub(super) struct PromptConnector {
    pub(super) http: HttpConnector,
    pub(super) socket: Option<PathBuf>,
}

impl Service<Uri> for PromptConnector {
    type Response = PromptStream;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.http.poll_ready(cx).map_err(Into::into)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        #[cfg(unix)]
        if let Some(socket) = self.socket.clone() {
            return Box::pin(async {
                let stream = UnixStream::connect(socket).await?;
                Ok(PromptStream::Unix(TokioIo::new(stream)))
            });
        }
        let connecting = self.http.call(uri);
        Box::pin(async { Ok(PromptStream::Tcp(connecting.await?)) })
    }
}

/// A connection that acknowledges at once.
pub(super) enum PromptStream {
    Tcp(TokioIo<TcpStream>),
    #[cfg(unix)]
    Unix(TokioIo<UnixStream>),
}

/// Hands a call on to the stream inside.
macro_rules! inner {
    ($stream:expr, $inner:ident => $call:expr) => {
        match $stream {
            PromptStream::Tcp($inner) => $call,
            #[cfg(unix)]
            PromptStream::Unix($inner) => $call,
        }
    };
}

impl PromptStream {
    fn acknowledge(&self) {
        // What cannot be asked for is only slower.
        #[cfg(any(target_os = "linux", target_os = "android"))]
        if let Self::Tcp(stream) = self {
            let _ = stream.inner().set_quickack(true);
        }
    }
}

impl Read for PromptStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let read = inner!(&mut *self, stream => Pin::new(stream).poll_read(cx, into));
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
        inner!(&mut *self, stream => Pin::new(stream).poll_write(cx, from))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        inner!(&mut *self, stream => Pin::new(stream).poll_flush(cx))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        inner!(&mut *self, stream => Pin::new(stream).poll_shutdown(cx))
    }

    fn is_write_vectored(&self) -> bool {
        inner!(self, stream => stream.is_write_vectored())
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        from: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        inner!(&mut *self, stream => Pin::new(stream).poll_write_vectored(cx, from))
    }
}

impl Connection for PromptStream {
    fn connected(&self) -> Connected {
        inner!(self, stream => stream.connected())
    }
}
