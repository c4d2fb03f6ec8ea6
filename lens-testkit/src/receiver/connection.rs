//! One connection, and its end by the script.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use tokio::net::TcpStream;
use tokio::sync::Notify;

/// Ends a connection from within one of its requests.
#[derive(Clone, Debug, Default)]
pub(super) struct Ending(Arc<State>);

#[derive(Debug, Default)]
struct State {
    ended: Notify,
    reset: AtomicBool,
}

impl Ending {
    /// Ends the connection; the request that asked for it never gets an answer.
    pub(super) fn end(&self, reset: bool) {
        self.0.reset.store(reset, Relaxed);
        self.0.ended.notify_one();
    }

    /// Waits until somebody ended the connection.
    pub(super) async fn ended(&self) {
        self.0.ended.notified().await;
    }

    /// What is left to do to the socket when everybody else has let go of it.
    pub(super) fn finish(&self, twin: &TcpStream) {
        if self.0.reset.load(Relaxed) {
            // Closed with nothing to linger for, a socket sends a reset.
            let _ = twin.set_zero_linger();
        }
    }
}

/// The stream, and a second handle on its socket that outlives it.
pub(super) fn twins(stream: TcpStream) -> io::Result<(TcpStream, TcpStream)> {
    let stream = stream.into_std()?;
    let twin = stream.try_clone()?;
    Ok((TcpStream::from_std(stream)?, TcpStream::from_std(twin)?))
}
