//! What receivers answer to an empty request.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::future::join_all;
use opentelemetry::Context;
use tokio::time::timeout;

use super::{Attempt, Client};
use crate::config::{Protocol, Target};
use crate::os;
use crate::stats::{Outcome, Signal};

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a receiver answered.
#[derive(Debug)]
pub(crate) struct Probe {
    pub(crate) endpoint: String,
    pub(crate) answer: Result<String, String>,
    pub(crate) took: Duration,
}

impl fmt::Display for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (answer, took) = match &self.answer {
            Ok(answer) => (answer, self.took.as_millis()),
            Err(fault) => return write!(f, "{}: {fault}", self.endpoint),
        };
        write!(f, "{}: {answer} in {took} ms", self.endpoint)
    }
}

/// Asks every receiver at once, on a thread of its own: whoever calls may be a task.
#[expect(
    clippy::disallowed_methods,
    reason = "it ends before its caller goes on"
)]
pub(crate) fn probe(targets: Vec<(Signal, Target)>) -> Vec<(Signal, Probe)> {
    if targets.is_empty() {
        return Vec::new();
    }
    let thread = std::thread::Builder::new().name("lens-probe".to_owned());
    let asked = thread.spawn(move || {
        os::mark_own_thread();
        let _suppressed = Context::enter_telemetry_suppressed_scope();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build();
        let Ok(runtime) = runtime else {
            return Vec::new();
        };
        let probes = targets
            .into_iter()
            .map(|(signal, target)| ask(signal, target));
        let answers = runtime.block_on(join_all(probes));
        // A name that does not resolve keeps a thread; nobody waits for it.
        runtime.shutdown_background();
        answers
    });
    let answers = asked.map(std::thread::JoinHandle::join);
    answers.ok().and_then(Result::ok).unwrap_or_default()
}

async fn ask(signal: Signal, target: Target) -> (Signal, Probe) {
    let endpoint = match target.protocol {
        Protocol::Grpc => format!("{} (gRPC, {})", target.shown(), signal.path()),
        Protocol::HttpProtobuf | Protocol::HttpJson => target.shown_whole(),
    };
    let (empty, accepted) = match target.protocol {
        Protocol::HttpJson => (Bytes::from_static(b"{}"), "200"),
        Protocol::HttpProtobuf => (Bytes::new(), "200"),
        Protocol::Grpc => (Bytes::new(), "OK"),
    };
    let client = Client::new(signal, target);
    let sent = Arc::new(AtomicBool::new(false));
    let began = Instant::now();
    let attempt = client.attempt(client.prepare(&empty), &sent);
    let answer = match timeout(PATIENCE, attempt).await {
        Ok(Attempt::Accepted { outcome, message }) => Ok(match (outcome, message) {
            (Outcome::Exported { .. }, Some(message)) => format!("{accepted} ({message})"),
            _ => accepted.to_owned(),
        }),
        Ok(Attempt::Retry(fault) | Attempt::TooLarge(fault) | Attempt::Failed(fault)) => {
            Err(fault.text)
        }
        Err(_) => Err("no answer in 5 s".to_owned()),
    };
    let took = began.elapsed();
    (
        signal,
        Probe {
            endpoint,
            answer,
            took,
        },
    )
}
