//! Requests to a receiver: several at once, tried again, split where they are too large.
//!
//! In: batches of a lane. Out: outcomes, to the counters. Retries what can be retried, until the
//! time for a batch is spent or the lane's deadline passes.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::future::{Either, select};
use futures_util::stream::{FuturesUnordered, StreamExt};

use super::Lane;
use super::lane::Batch;
use crate::diag;
use crate::export::{Encoder, Smaller, json, smaller};
use crate::stats::{Counters, Outcome, Signal};
use crate::transport::{Attempt, Client, Fault, Payload};

/// How many requests are open at once, so that a receiver far away is as fast as a near one.
///
/// <https://opentelemetry.io/docs/specs/otlp/#otlpgrpc-concurrent-requests>
const OPEN: usize = 4;
/// A receiver that closes the connection on a request of so many bytes, again and again, refuses
/// it before its end, in an answer that nobody could read.
const LARGE: usize = 1024 * 1024;
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// How long a receiver is left alone at most: what it says may be a mistake, or its clock.
const LONGEST_WAIT: Duration = Duration::from_secs(600);
/// The part of a pause that is waited for at least.
const LEAST_JITTER: f64 = 0.1;
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Brings what comes out of a lane to a receiver, until the lane is closed.
pub(super) async fn deliver(lane: &Lane, client: Client, counters: &Counters, encoder: &Encoder) {
    let sender = Sender {
        lane,
        signal: client.signal(),
        client,
        counters,
        reached: AtomicBool::new(false),
        fails: AtomicBool::new(false),
    };
    sender.run(encoder).await;
}

/// A request: a batch, or a part of one.
struct Part {
    request: Bytes,
    count: u64,
    /// When it, or what it is a part of, was tried first.
    began: Instant,
    /// An attempt had no answer, so that all of it may have arrived.
    is_unanswered: bool,
}

impl Part {
    /// A part of this one.
    fn of(&self, request: Bytes, count: u64) -> Self {
        Self {
            request,
            count,
            ..*self
        }
    }

    /// What came of it when it is not tried again.
    fn given_up(&self) -> Outcome {
        if self.is_unanswered {
            Outcome::Unknown
        } else {
            Outcome::Failed
        }
    }

    /// How often a receiver closes the connection on it before that is for its size: splitting
    /// costs nothing, cutting costs texts.
    fn closed_for_its_size(&self) -> u32 {
        if self.count > 1 { 2 } else { 5 }
    }
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
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
    async fn run(&self, encoder: &Encoder) {
        let mut open = FuturesUnordered::new();
        let mut is_ended = false;
        while !is_ended || !open.is_empty() {
            let most = self.most_open();
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
                Some(batch) => open.push(self.send(batch, encoder)),
                None => is_ended = true,
            }
        }
    }

    /// How many requests may be open now. A data point that comes after a later one of its
    /// stream is refused by many receivers, so metrics go one after the other:
    /// <https://opentelemetry.io/docs/specs/otel/metrics/data-model/#single-writer>
    fn most_open(&self) -> usize {
        let in_order = matches!(self.signal, Signal::Metrics);
        if in_order || self.fails.load(Relaxed) {
            1
        } else {
            OPEN
        }
    }

    async fn send(&self, batch: Batch, encoder: &Encoder) {
        let ticket = batch.ticket;
        let whole = Part {
            request: encoder.encode(self.signal, batch.items).into(),
            count: ticket.units.count,
            began: Instant::now(),
            is_unanswered: false,
        };
        let mut parts = vec![whole];
        while let Some(mut part) = parts.pop() {
            let outcome = match self.bring(&mut part).await {
                Ok(outcome) => outcome,
                Err(fault) => match smaller(self.signal, &part.request) {
                    Smaller::Split([first, second]) => {
                        let halves = [second, first];
                        parts.extend(halves.map(|(request, count)| part.of(request, count)));
                        continue;
                    }
                    Smaller::Cut(request) => {
                        self.too_large(&fault, "its texts are cut");
                        parts.push(part.of(request, part.count));
                        continue;
                    }
                    Smaller::Not => {
                        self.too_large(&fault, "it is dropped");
                        part.given_up()
                    }
                },
            };
            self.counters.settled(self.signal, &outcome, part.count);
        }
        self.lane.settle(ticket);
    }

    /// Tries one request until something comes of it, which is an error where it is too large.
    async fn bring(&self, part: &mut Part) -> Result<Outcome, Fault> {
        let payload = if self.client.takes_json() {
            // What was encoded here is decoded as well.
            self.client
                .prepare(&json(self.signal, &part.request).unwrap_or_default().into())
        } else {
            self.client.prepare(&part.request)
        };
        let mut pause = FIRST_PAUSE;
        let mut closed = 0;
        loop {
            let flushes = self.lane.flushes();
            if !self.may_ask(part.began).await {
                return Ok(part.given_up());
            }
            match self.attempt(payload.clone()).await {
                Attempt::Accepted { outcome, message } => {
                    self.accepted(&outcome, message);
                    return Ok(outcome);
                }
                Attempt::TooLarge(fault) => {
                    // An earlier attempt that had no answer was too large as well.
                    part.is_unanswered = false;
                    return Err(fault);
                }
                Attempt::Failed(fault) => {
                    self.failed(&fault);
                    return Ok(part.given_up());
                }
                Attempt::Retry(fault) => {
                    part.is_unanswered |= fault.unanswered;
                    closed = if fault.closed { closed + 1 } else { 0 };
                    if payload.len() > LARGE && closed >= part.closed_for_its_size() {
                        return Err(fault);
                    }
                    self.failed(&fault);
                    if self.gives_up(&fault, part.began) {
                        return Ok(part.given_up());
                    }
                    if let Some(wait) = fault.wait {
                        self.lane.be_quiet(wait.min(LONGEST_WAIT));
                    }
                    // Senders that failed together shall not come back together.
                    let jitter = rand::random_range(LEAST_JITTER..=1.0);
                    self.lane.pause(pause.mul_f64(jitter), flushes).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// Waits until the receiver may be asked; `false` where there is no time for that.
    async fn may_ask(&self, began: Instant) -> bool {
        let timeout = self.lane.batching.timeout;
        let given_up = timeout.map(|timeout| began + timeout);
        // Another answer may make it longer meanwhile.
        while let Some(quiet_until) = self.lane.quiet_until() {
            let until = given_up.map_or(quiet_until, |given_up| quiet_until.min(given_up));
            self.lane.rest(until).await;
            if Instant::now() < quiet_until {
                return false;
            }
        }
        true
    }

    /// One attempt, cut off at the lane's deadline.
    async fn attempt(&self, payload: Payload) -> Attempt {
        let sent = Arc::new(AtomicBool::new(false));
        let attempt = pin!(self.client.attempt(payload, &sent));
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
        let items = self.signal.items();
        let (key, what) = if fault.unreachable {
            (self.unreachable_key(), "export".to_owned())
        } else {
            (self.refused_key(), format!("export of {items}"))
        };
        let waiting = grouped(self.counters.pending(self.signal));
        diag::fault(
            &key,
            format_args!("{what} fails: {}; {waiting} {items} waiting", fault.text),
        );
    }

    /// Something is larger by itself than the receiver takes.
    fn too_large(&self, fault: &Fault, remedy: &str) {
        self.reached.store(true, Relaxed);
        let items = self.signal.items();
        diag::fault(
            &format!("too large {items} {} {remedy}", self.client.shown()),
            format_args!(
                "one of the {items} is too large for the receiver, {remedy}: {}",
                fault.text
            ),
        );
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
