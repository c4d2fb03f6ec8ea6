//! Empties one lane into its exporter, on the worker.
//!
//! In: batches. Out: outcomes, to the counters. Retries what can be retried, until the
//! budget of a batch is spent or the lane's deadline passes.

use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use futures_util::future::{Either, select};
use futures_util::stream::{FuturesUnordered, StreamExt};
use opentelemetry_sdk::Resource;

use super::Lane;
use crate::config::Target;
use crate::diag;
use crate::export::{Console, Item, JsonLines, Pretty, Units, encode};
use crate::stats::{Counters, Outcome, Signal};
use crate::transport::{Attempt, Client, Fault};

/// How many requests are open at once, so that a receiver far away is as fast as a near one.
///
/// <https://opentelemetry.io/docs/specs/otlp/#otlpgrpc-concurrent-requests>
const OPEN: usize = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How often a sink that holds items back is asked again.
const TICK: Duration = Duration::from_millis(250);

/// Where the items of a lane go.
pub(crate) enum Sink {
    Otlp(Signal, Box<Target>, Resource),
    File(Signal, PathBuf, Resource),
    Console(Console),
    Pretty(Pretty),
}

/// Runs until `lane` is closed.
pub(super) async fn run(lane: Arc<Lane>, sink: Sink, counters: Arc<Counters>) {
    let _end = End(&lane);
    match sink {
        Sink::Otlp(signal, target, resource) => {
            let sender = Sender {
                lane: &lane,
                client: Client::new(signal, *target),
                signal,
                counters: &counters,
                reached: AtomicBool::new(false),
                fails: AtomicBool::new(false),
            };
            sender.run(&resource).await;
        }
        Sink::File(signal, path, resource) => {
            let mut file = JsonLines::new(path);
            while let Some(batch) = lane.next(None).await {
                let units = Units::of(&batch);
                let request = encode(signal, batch, &resource);
                let outcome = written(&mut file, signal, &request);
                counters.settled(signal, &outcome, units.count);
                lane.settle(&units);
                tokio::task::yield_now().await;
            }
        }
        Sink::Console(mut console) => {
            while let Some(batch) = lane.next(None).await {
                let written = console.write(&batch);
                settle(&lane, &counters, &batch, written);
                // No await above ever waits here, and the other lanes live on the same thread.
                tokio::task::yield_now().await;
            }
        }
        Sink::Pretty(mut pretty) => {
            while let Some(batch) = lane.next(pretty.is_holding().then_some(TICK)).await {
                let written = pretty.write(&batch, false);
                settle(&lane, &counters, &batch, written);
                // No await above ever waits here, and the other lanes live on the same thread.
                tokio::task::yield_now().await;
            }
            pretty.write(&[], true);
        }
    }
}

/// Appends a request, and tells when that begins and ceases to fail.
fn written(file: &mut JsonLines, signal: Signal, request: &[u8]) -> Outcome {
    let (items, shown) = (signal.items(), file.shown());
    let key = format!("write {items} {shown}");
    match file.write(signal, request) {
        Ok(()) => {
            diag::recovered(&key, format_args!("{items} are written to {shown} again"));
            Outcome::Exported { rejected: 0 }
        }
        Err(error) => {
            diag::fault(
                &key,
                format_args!("export of {items} fails: cannot write to {shown}: {error}"),
            );
            Outcome::Failed
        }
    }
}

/// Ends the lane however its sender ends, so that nobody waits for it.
struct End<'a>(&'a Lane);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

fn settle(lane: &Lane, counters: &Counters, batch: &[Item], written: bool) {
    let outcome = if written {
        Outcome::Exported { rejected: 0 }
    } else {
        Outcome::Failed
    };
    for signal in batch.iter().filter_map(Item::signal) {
        counters.settled(signal, &outcome, 1);
    }
    lane.settle(&Units::of(batch));
}

struct Sender<'a> {
    lane: &'a Lane,
    client: Client,
    signal: Signal,
    counters: &'a Counters,
    /// Whether the receiver ever answered.
    reached: AtomicBool,
    /// Whether the latest attempt failed.
    fails: AtomicBool,
}

impl Sender<'_> {
    /// Sends until the lane is closed; several requests at once while all goes well.
    async fn run(&self, resource: &Resource) {
        let mut open = FuturesUnordered::new();
        let mut is_ended = false;
        while !is_ended || !open.is_empty() {
            let most = if self.fails.load(Relaxed) { 1 } else { OPEN };
            if is_ended || open.len() >= most {
                open.next().await;
                continue;
            }
            let next = pin!(self.lane.next(None));
            let batch = if open.is_empty() {
                next.await
            } else {
                match select(next, open.next()).await {
                    Either::Left((batch, _)) => batch,
                    Either::Right(_) => continue,
                }
            };
            match batch {
                Some(batch) => open.push(self.send(batch, resource)),
                None => is_ended = true,
            }
        }
    }

    async fn send(&self, batch: Vec<Item>, resource: &Resource) {
        let units = Units::of(&batch);
        let body = self.client.prepare(encode(self.signal, batch, resource));
        let began = Instant::now();
        let mut pause = FIRST_PAUSE;
        let mut unanswered = false;
        let outcome = loop {
            let flushes = self.lane.flushes();
            match self.attempt(body.clone()).await {
                Attempt::Accepted { outcome, message } => {
                    self.accepted(&outcome, message);
                    break outcome;
                }
                Attempt::Failed(fault) => {
                    self.failed(&fault);
                    // An earlier attempt may have arrived all the same.
                    break if unanswered {
                        Outcome::Unknown
                    } else {
                        Outcome::Failed
                    };
                }
                Attempt::Retry(fault) => {
                    self.failed(&fault);
                    unanswered |= fault.unanswered;
                    if self.gives_up(&fault, began) {
                        break if unanswered {
                            Outcome::Unknown
                        } else {
                            Outcome::Failed
                        };
                    }
                    self.lane.pause(pause, flushes).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        };
        self.counters.settled(self.signal, &outcome, units.count);
        self.lane.settle(&units);
    }

    /// One attempt, cut off at the lane's deadline.
    async fn attempt(&self, body: bytes::Bytes) -> Attempt {
        let sent = Arc::new(AtomicBool::new(false));
        let attempt = pin!(self.client.attempt(body, &sent));
        match select(attempt, pin!(self.lane.out_of_time())).await {
            Either::Left((attempt, _)) => attempt,
            Either::Right(_) => {
                Attempt::Retry(Fault::out_of_time(self.client.shown(), sent.load(Relaxed)))
            }
        }
    }

    fn gives_up(&self, fault: &Fault, began: Instant) -> bool {
        // A receiver that was never there costs no time at exit.
        let hopeless = fault.unreachable && !self.reached.load(Relaxed);
        (self.lane.is_closing() && (hopeless || self.lane.is_out_of_time()))
            || (self.lane.batching.timeout).is_some_and(|timeout| began.elapsed() >= timeout)
    }

    fn accepted(&self, outcome: &Outcome, message: Option<String>) {
        self.reached.store(true, Relaxed);
        self.fails.store(false, Relaxed);
        let (signal, shown) = (self.signal.items(), self.client.shown());
        for key in [self.unreachable_key(), self.refused_key()] {
            diag::recovered(&key, format_args!("{signal} are exported to {shown} again"));
        }
        if let Outcome::Exported { rejected: 1.. } = outcome {
            let message = message.as_deref().unwrap_or("no reason given");
            diag::fault(
                &format!("rejected {signal} {shown}"),
                format_args!("{shown} rejected some {signal}: {message}"),
            );
        }
    }

    fn failed(&self, fault: &Fault) {
        self.fails.store(true, Relaxed);
        if !fault.unreachable && !fault.unanswered {
            self.reached.store(true, Relaxed);
        }
        if fault.unreachable {
            self.lane.unreachable();
        }
        // That nobody was ever there is told by the totals line alone.
        if fault.refused && self.lane.is_closing() {
            return;
        }
        let (key, text) = if fault.unreachable {
            (
                self.unreachable_key(),
                format!("export fails: {}", fault.text),
            )
        } else {
            let items = self.signal.items();
            (
                self.refused_key(),
                format!("export of {items} fails: {}", fault.text),
            )
        };
        diag::fault(&key, text);
    }

    /// Signals that share a receiver share that it is not there.
    fn unreachable_key(&self) -> String {
        format!("unreachable {}", self.client.shown())
    }

    /// What a receiver answers is the signal's own affair.
    fn refused_key(&self) -> String {
        format!("refused {} {}", self.signal.items(), self.client.shown())
    }
}
