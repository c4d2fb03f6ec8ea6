//! The receiver's thread, its port, and what a test asks of it.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use futures_util::FutureExt;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use lens::opentelemetry::Context;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::connection::{Ending, twins};
use super::exchange::exchange;
use super::store::{State, Store};
use super::{Attempts, Reply, Signal};
use crate::model::Snapshot;
use crate::query::{Live, Logs, Metrics, Spans};
use crate::tree::TraceTree;

/// An OTLP receiver on a port of its own, until it is dropped.
///
/// Runs on its own thread, so it can be used from any test, sync or async.
#[derive(Debug)]
pub struct Receiver {
    address: SocketAddr,
    scheme: &'static str,
    certificate: String,
    store: Arc<Store>,
    mode: watch::Sender<Mode>,
}

/// How long the receiver's thread may take to open or close its port.
const FOLLOW: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Up,
    /// The port is kept, and connections to it are refused.
    Down,
    Gone,
}

type Wrap = Arc<dyn Fn(tokio::net::TcpStream) -> Wrapped + Send + Sync>;
type Wrapped = futures_util::future::BoxFuture<'static, io::Result<Box<dyn Stream>>>;

pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

impl Receiver {
    /// Starts a receiver that takes everything.
    ///
    /// # Panics
    ///
    /// When the system gives no port or no thread.
    #[must_use]
    pub fn start() -> Self {
        Self::serve(Mode::Up, "http", plain())
    }

    /// Starts a receiver that is down: connections are refused until
    /// [`come_up`](Self::come_up).
    ///
    /// # Panics
    ///
    /// When the system gives no port or no thread.
    #[must_use]
    pub fn start_down() -> Self {
        Self::serve(Mode::Down, "http", plain())
    }

    /// Starts a receiver that speaks TLS, with a [certificate](Self::certificate) that is as
    /// `kind` says and that nobody trusts.
    ///
    /// # Panics
    ///
    /// When the system gives no port or no thread.
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn start_tls(kind: super::Certificate) -> Self {
        let (acceptor, certificate) = super::tls::identity(kind);
        Self::serve_tls(acceptor, certificate)
    }

    /// Starts a receiver that speaks TLS with whoever shows the certificate that comes with it, as
    /// PEM, with its key.
    ///
    /// # Panics
    ///
    /// When the system gives no port or no thread.
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn start_mutual_tls() -> (Self, super::Identity) {
        let (acceptor, certificate, client) = super::tls::mutual();
        (Self::serve_tls(acceptor, certificate), client)
    }

    #[cfg(feature = "tls")]
    fn serve_tls(acceptor: tokio_rustls::TlsAcceptor, certificate: String) -> Self {
        let wrap: Wrap = Arc::new(move |stream| {
            let accepted = acceptor.accept(stream);
            async move { Ok(Box::new(accepted.await?) as Box<dyn Stream>) }.boxed()
        });
        let mut receiver = Self::serve(Mode::Up, "https", wrap);
        receiver.certificate = certificate;
        receiver
    }

    /// Returns the receiver's certificate as PEM; empty where it speaks no TLS.
    #[must_use]
    pub fn certificate(&self) -> &str {
        &self.certificate
    }

    #[expect(
        clippy::expect_used,
        reason = "a test that cannot have a receiver has failed"
    )]
    fn serve(mode: Mode, scheme: &'static str, wrap: Wrap) -> Self {
        let store = Arc::new(Store::default());
        let (mode, modes) = watch::channel(mode);
        let (tell_address, address) = mpsc::channel();
        let thread_store = Arc::clone(&store);
        std::thread::Builder::new()
            .name("otlp-receiver".to_owned())
            .spawn(move || {
                // What hyper and rustls log here is nobody's record.
                let _suppressed = Context::enter_telemetry_suppressed_scope();
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build();
                let runtime = runtime.expect("a runtime for the receiver");
                runtime.block_on(listen(modes, thread_store, wrap, &tell_address));
            })
            .expect("a thread for the receiver");
        let receiver = Self {
            address: address.recv().expect("a port for the receiver"),
            scheme,
            certificate: String::new(),
            store,
            mode,
        };
        let up = *receiver.mode.borrow() == Mode::Up;
        receiver.until_listening(up);
        receiver
    }

    /// Waits until the thread has followed.
    fn until_listening(&self, listening: bool) {
        let followed = self.wait(FOLLOW, |state| state.listening == listening);
        assert!(
            followed,
            "the receiver cannot have its port: somebody else took it"
        );
    }

    /// Returns the base URL, for HTTP and gRPC alike.
    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    /// Scripts the next replies for a signal.
    pub fn script(&self, signal: Signal, replies: impl IntoIterator<Item = Reply>) {
        self.store
            .0
            .change(|state| state.script.add(signal, replies));
    }

    /// Sets the reply for everything that is not scripted.
    pub fn always(&self, reply: &Reply) {
        self.store.0.change(|state| {
            for signal in Signal::ALL {
                state.script.stand(signal, reply.clone());
            }
        });
    }

    /// Refuses requests of more than `bytes`, as they came over the wire, from now on: with 413,
    /// or with `RESOURCE_EXHAUSTED` and the words of a gRPC server in Go.
    pub fn take_at_most(&self, bytes: usize) {
        self.store.0.change(|state| state.most = Some(bytes));
    }

    /// Refuses connections from now on, and closes those there are; the port stays taken.
    pub fn go_down(&self) {
        let _ = self.mode.send(Mode::Down);
        self.until_listening(false);
    }

    /// Listens again on the same port.
    pub fn come_up(&self) {
        let _ = self.mode.send(Mode::Up);
        self.until_listening(true);
    }

    /// Returns the log records taken so far, in the order of their times.
    pub fn logs(&self) -> Logs {
        Logs::live(Arc::clone(&self.store) as Arc<dyn Live>)
    }

    /// Returns the spans taken so far, in the order they started.
    pub fn spans(&self) -> Spans {
        Spans::live(Arc::clone(&self.store) as Arc<dyn Live>)
    }

    /// Returns the data points of metrics taken so far, in the order they came.
    pub fn metrics(&self) -> Metrics {
        Metrics::of(self.snapshot())
    }

    /// Returns everything taken so far as text, as a capture does.
    pub fn tree(&self) -> TraceTree {
        TraceTree::of(self.snapshot())
    }

    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.store.snapshot().0
    }

    /// Returns every request so far, whatever it was answered.
    #[must_use]
    pub fn attempts(&self) -> Attempts {
        Attempts(self.store.0.look(|state| state.attempts.clone()).0)
    }

    /// Returns how many connections were accepted.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.store.0.look(|state| state.connections).0
    }

    /// Waits until so many log records were taken; `false` when `limit` passed first.
    #[must_use]
    pub fn wait_for_logs(&self, count: usize, limit: Duration) -> bool {
        self.wait(limit, |state| state.logs.len() >= count)
    }

    /// Waits until so many requests were made; `false` when `limit` passed first.
    #[must_use]
    pub fn wait_for_attempts(&self, count: usize, limit: Duration) -> bool {
        self.wait(limit, |state| state.attempts.len() >= count)
    }

    fn wait(&self, limit: Duration, f: impl Fn(&State) -> bool) -> bool {
        self.store.0.wait_until(limit, f)
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        let _ = self.mode.send(Mode::Gone);
    }
}

fn plain() -> Wrap {
    Arc::new(|stream| async { Ok(Box::new(stream) as Box<dyn Stream>) }.boxed())
}

/// Serves until the receiver is gone; the port is told once and kept throughout.
async fn listen(
    mut modes: watch::Receiver<Mode>,
    store: Arc<Store>,
    wrap: Wrap,
    tell_address: &mpsc::Sender<SocketAddr>,
) {
    let mut address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    loop {
        // Bound and not listening: the system refuses connections, and gives the port to
        // nobody else.
        let Ok(socket) = reserved(address) else {
            return;
        };
        address = socket.local_addr().unwrap_or(address);
        let _ = tell_address.send(address);
        match modes
            .wait_for(|mode| *mode != Mode::Down)
            .await
            .map(|mode| *mode)
        {
            Ok(Mode::Up) => {}
            _ => return,
        }
        let Ok(listener) = socket.listen(1024) else {
            return;
        };
        store.0.change(|state| state.listening = true);
        {
            let serving = serve(listener, &store, &wrap);
            let left = modes.wait_for(|mode| *mode != Mode::Up);
            futures_util::pin_mut!(serving, left);
            futures_util::future::select(serving, left).await;
            // Here the listener and every connection are closed.
        }
        store.0.change(|state| state.listening = false);
    }
}

fn reserved(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

async fn serve(listener: TcpListener, store: &Arc<Store>, wrap: &Wrap) {
    let mut connections = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            continue;
        };
        // Answers are small; waiting to fill a packet would only delay them.
        let _ = stream.set_nodelay(true);
        let (store, wrap) = (Arc::clone(store), Arc::clone(wrap));
        store.0.change(|state| state.connections += 1);
        connections.spawn(async move {
            let Ok((stream, twin)) = twins(stream) else {
                return;
            };
            let Ok(stream) = wrap(stream).await else {
                return;
            };
            let ending = Ending::default();
            let ends = ending.clone();
            let service =
                service_fn(move |request| exchange(request, Arc::clone(&store), ends.clone()));
            let server = auto::Builder::new(TokioExecutor::new());
            {
                let serving = server.serve_connection(TokioIo::new(stream), service);
                let ended = ending.ended();
                futures_util::pin_mut!(serving, ended);
                futures_util::future::select(serving, ended).await;
            }
            ending.finish(&twin);
        });
        while connections.try_join_next().is_some() {}
    }
}
