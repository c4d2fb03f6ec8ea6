//! The process that receives, and how much it got.

use std::convert::Infallible;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use prost::Message as _;

use super::first_line;

const COLLECTOR: &str = "LENS_BENCH_COLLECTOR";

/// What a receiver of ours does.
#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
    Taking,
    /// It reads, and never answers.
    Hanging,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Self::Taking => "taking",
            Self::Hanging => "hanging",
        }
    }

    pub fn named(name: &str) -> Self {
        if name == Self::Hanging.name() {
            Self::Hanging
        } else {
            Self::Taking
        }
    }
}

fn collector() -> Option<String> {
    std::env::var(COLLECTOR).ok()
}

/// Who receives.
pub fn name() -> String {
    collector()
        .unwrap_or_else(|| format!("ours, which decodes and counts ({COLLECTOR} is not set)"))
}

/// A process that receives.
pub struct Receiver {
    child: Child,
    kind: Kind,
}

enum Kind {
    Ours { address: String, stdin: ChildStdin },
    Rotel { grpc: String, http: String },
}

impl Receiver {
    pub fn start(mode: Mode) -> Self {
        match (mode, collector()) {
            (Mode::Taking, Some(program)) => Self::rotel(&program),
            _ => Self::ours(mode),
        }
    }

    fn ours(mode: Mode) -> Self {
        let this = std::env::current_exe().expect("a benchmark has a path");
        let mut child = Command::new(this)
            .args(["receive", mode.name()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program starts");
        let address = first_line(child.stdout.as_mut().expect("it is piped"));
        let stdin = child.stdin.take().expect("it is piped");
        Self {
            child,
            kind: Kind::Ours { address, stdin },
        }
    }

    fn rotel(program: &str) -> Self {
        let (grpc, http) = (free_address(), free_address());
        let child = Command::new(program)
            .args(["start", "--exporter", "blackhole"])
            .args(["--debug-log", "logs", "--debug-log-verbosity", "basic"])
            .args(["--otlp-grpc-endpoint", &grpc, "--otlp-http-endpoint", &http])
            .env_clear()
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the collector starts");
        for address in [&grpc, &http] {
            while std::net::TcpStream::connect(address).is_err() {
                thread::sleep(Duration::from_millis(20));
            }
        }
        Self {
            child,
            kind: Kind::Rotel { grpc, http },
        }
    }

    pub fn endpoint(&self, protocol: &str) -> String {
        let address = match &self.kind {
            Kind::Ours { address, .. } => address,
            Kind::Rotel { grpc, .. } if protocol == "grpc" => grpc,
            Kind::Rotel { http, .. } => http,
        };
        format!("http://{address}")
    }

    /// Ends it, and says how many records it got.
    pub fn end(self) -> u64 {
        let child = self.child;
        match self.kind {
            // At the end of its input it says what it got.
            Kind::Ours { stdin, .. } => {
                drop(stdin);
                said(child).trim().parse().expect("a number")
            }
            Kind::Rotel { .. } => {
                // Asked to end, it finishes its log; killed, it might not.
                let id = child.id().to_string();
                let asked = Command::new("kill").arg(id).status();
                assert!(asked.is_ok_and(|status| status.success()));
                said(child).lines().filter_map(records_of_line).sum()
            }
        }
    }
}

/// What is left of what a child says until it ends.
fn said(mut child: Child) -> String {
    let mut bytes = Vec::new();
    let stdout = child.stdout.as_mut().expect("it is piped");
    stdout.read_to_end(&mut bytes).expect("its output");
    child.wait().expect("it ends");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// How many records rotel says it got.
fn records_of_line(line: &str) -> Option<u64> {
    // Words may be in colour.
    let mut parts = line.split("\u{1b}[");
    let first = parts.next()?.to_owned();
    let plain = parts.fold(first, |text, part| {
        text + part.split_once('m').map_or("", |(_, rest)| rest)
    });
    let (_, rest) = plain.split_once("Received logs.")?.1.split_once(" logs=")?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its address").to_string()
}

/// Serves HTTP and gRPC on one port, whose address it prints, until its input ends; then prints
/// how many records it got.
pub fn serve(mode: Mode) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    println!("{}", listener.local_addr().expect("its address"));
    let records = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&records);
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(accept(listener, mode, counted));
    });
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    println!("{}", records.load(Relaxed));
    let _ = std::io::stdout().flush();
}

async fn accept(listener: TcpListener, mode: Mode, records: Arc<AtomicU64>) {
    listener.set_nonblocking(true).expect("a port to wait for");
    let listener = tokio::net::TcpListener::from_std(listener).expect("a port");
    while let Ok((stream, _)) = listener.accept().await {
        // Small answers would wait for acknowledgements else.
        let _ = stream.set_nodelay(true);
        let records = Arc::clone(&records);
        tokio::spawn(async move {
            let answer = |request| answer(request, mode, Arc::clone(&records));
            let server = auto::Builder::new(TokioExecutor::new());
            let _ = server
                .serve_connection(TokioIo::new(stream), service_fn(answer))
                .await;
        });
    }
}

type Body = http_body_util::combinators::UnsyncBoxBody<Bytes, Infallible>;

async fn answer(
    request: Request<Incoming>,
    mode: Mode,
    records: Arc<AtomicU64>,
) -> Result<Response<Body>, hyper::Error> {
    let is_grpc = (request.headers().get("content-type"))
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc"));
    let body = request.into_body().collect().await?.to_bytes();
    if mode == Mode::Hanging {
        std::future::pending::<()>().await;
    }
    let message = if is_grpc { body.slice(5..) } else { body };
    let decoded = ExportLogsServiceRequest::decode(message).expect("a request");
    let scopes = decoded
        .resource_logs
        .iter()
        .flat_map(|logs| &logs.scope_logs);
    let count: usize = scopes.map(|scope| scope.log_records.len()).sum();
    records.fetch_add(count as u64, Relaxed);
    if !is_grpc {
        return Ok(Response::new(Full::default().boxed_unsync()));
    }
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", "0".parse().expect("a value"));
    let frames = [
        Ok(Frame::data(Bytes::from_static(&[0; 5]))),
        Ok(Frame::trailers(trailers)),
    ];
    let body = StreamBody::new(futures_util::stream::iter(frames));
    let response = Response::builder().header("content-type", "application/grpc");
    Ok(response.body(body.boxed_unsync()).expect("a response"))
}
