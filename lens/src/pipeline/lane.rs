//! A bounded queue with the handshakes of flush and close.
//!
//! In: items, from any thread. Out: batches, to one sender. Full means the newest item is
//! dropped and counted; nothing here waits except [`Lane::flushed`] and [`Lane::closed`].

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::front::{Front, REQUEST, Scope};
use crate::diag;
use crate::export::{Item, Units};
use crate::os;
use crate::stats::{Counters, Reason, Signal};

/// Enough for bursts of tens of thousands of items. Bounds their number, not their size.
const CAPACITY: usize = 65_536;
/// Enough for bursts of hundreds of thousands of log records that are encoded.
const CAPACITY_BYTES: usize = 64 * 1024 * 1024;
/// How many items go to an exporter at once.
const BATCH: usize = 512;
/// Between attempts when somebody waits for them.
const SHORT_PAUSE: Duration = Duration::from_millis(100);

/// The way of some items to one exporter.
#[derive(Debug)]
pub(crate) struct Lane {
    state: Mutex<State>,
    /// Told of everything a flush or a close waits for.
    progress: Condvar,
    /// Told of everything the sender waits for.
    wake: Notify,
    counters: Arc<Counters>,
    /// How long an item may wait for company.
    delay: Duration,
    /// Where threads leave log records that are encoded.
    front: Option<Front>,
}

#[derive(Debug, Default)]
struct State {
    items: VecDeque<Item>,
    /// When the oldest waiting item must leave.
    due: Option<Instant>,
    pushed: u64,
    settled: u64,
    /// Attempts that reached nobody, so that a flush does not outwait a dead receiver.
    failures: u64,
    flush_to: u64,
    /// How often a flush was asked for.
    flushes: u64,
    close_by: Option<Instant>,
    closed: bool,
}

/// What a flush waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    settled: u64,
    failures: u64,
}

impl State {
    fn is_urgent(&self) -> bool {
        self.flush_to > self.settled || self.close_by.is_some()
    }
}

impl Lane {
    pub(crate) fn new(counters: Arc<Counters>, delay: Duration, encoded: bool) -> Self {
        Self {
            state: Mutex::default(),
            progress: Condvar::new(),
            wake: Notify::new(),
            counters,
            delay,
            front: encoded.then(|| Front::new(CAPACITY_BYTES)),
        }
    }

    /// Whether it takes log records that are encoded.
    pub(crate) fn takes_encoded(&self) -> bool {
        self.front.is_some()
    }

    /// Has `write` append a log record of `scope`, or drops and counts it.
    pub(crate) fn push_log(&self, scope: &Scope<'_>, write: impl FnOnce(&mut Vec<u8>)) {
        let Some(front) = &self.front else { return };
        self.counters.emitted(Signal::Logs);
        match stranded().and_then(|()| front.push(scope, write)) {
            Ok(true) => self.wake.notify_one(),
            Ok(false) => {}
            Err(reason) => self.refused(Signal::Logs, reason),
        }
    }

    fn refused(&self, signal: Signal, reason: Reason) {
        self.counters.dropped(signal, reason, 1);
        if matches!(reason, Reason::QueueFull) {
            let room = match &self.front {
                Some(_) => format!("{} MiB of", CAPACITY_BYTES >> 20),
                None => CAPACITY.to_string(),
            };
            diag::fault(
                "queue full",
                format_args!(
                    "{room} {} wait to be exported; newer ones are dropped until there is room",
                    signal.items()
                ),
            );
        }
    }

    /// Takes what threads left; with `close` they leave nothing more.
    fn collect(&self, state: &mut State, close: bool) {
        for run in self.front.iter().flat_map(|front| front.collect(close)) {
            state.pushed += run.count;
            state.items.push_back(Item::Run(run));
        }
        if self.front.is_some() {
            state.due = None;
        }
    }

    /// How many of the items go next; none while there are too few.
    fn batch(&self, items: &VecDeque<Item>, is_due: bool) -> usize {
        if self.front.is_none() {
            let is_enough = is_due || items.len() >= BATCH;
            return if is_enough { items.len().min(BATCH) } else { 0 };
        }
        let mut size = 0;
        let fits = |item: &&Item| {
            size += item.buffered();
            size <= REQUEST
        };
        items
            .iter()
            .take_while(fits)
            .count()
            .max(1)
            .min(items.len())
    }

    /// Queues an item, or drops and counts it.
    pub(crate) fn push(&self, item: Item) {
        let signal = item.signal();
        if let Some(signal) = signal {
            self.counters.emitted(signal);
        }
        let refused = stranded().and_then(|()| self.queue(item));
        if let (Some(signal), Err(reason)) = (signal, refused) {
            self.refused(signal, reason);
        }
    }

    fn queue(&self, item: Item) -> Result<(), Reason> {
        let mut state = self.lock();
        if state.close_by.is_some() {
            return Err(Reason::AfterShutdown);
        }
        if state.items.len() >= CAPACITY {
            return Err(Reason::QueueFull);
        }
        state.items.push_back(item);
        state.pushed += 1;
        let waiting = state.items.len();
        if waiting == 1 {
            state.due = Some(Instant::now() + self.delay);
        }
        drop(state);
        if waiting == 1 || waiting.is_multiple_of(BATCH) {
            self.wake.notify_one();
        }
        Ok(())
    }

    /// Asks for everything queued so far to be exported now.
    pub(crate) fn ask_flush(&self) -> Asked {
        let mut state = self.lock();
        self.collect(&mut state, false);
        state.flush_to = state.pushed;
        state.flushes += 1;
        let asked = Asked {
            settled: state.pushed,
            failures: state.failures,
        };
        drop(state);
        self.wake.notify_one();
        asked
    }

    /// Waits for what was asked; `false` when the receiver did not take it or the deadline
    /// passed.
    pub(crate) fn flushed(&self, asked: Asked, deadline: Instant) -> bool {
        let mut state = self.lock();
        while state.settled < asked.settled && !state.closed && state.failures == asked.failures {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.wait(state, left);
        }
        state.settled >= asked.settled
    }

    /// Takes nothing more, and has what is queued exported until `deadline`.
    pub(crate) fn close(&self, deadline: Instant) {
        self.lock().close_by.get_or_insert(deadline);
        self.wake.notify_one();
    }

    /// Waits for the sender to end; `false` when `deadline` passed first.
    pub(crate) fn closed(&self, deadline: Instant) -> bool {
        let mut state = self.lock();
        while !state.closed {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self.wait(state, left);
        }
        true
    }

    /// The sender's side: the next batch when it is due; `None` when the lane is closed and
    /// empty, or its deadline passed.
    ///
    /// With `tick` an empty batch comes after that time at the latest.
    pub(super) async fn next(&self, tick: Option<Duration>) -> Option<Vec<Item>> {
        let tick = tick.map(|tick| Instant::now() + tick);
        loop {
            let until = {
                let mut state = self.lock();
                let now = Instant::now();
                self.collect_due(&mut state, now);
                if let Some(close_by) = state.close_by
                    && (state.items.is_empty() || now >= close_by)
                {
                    return None;
                }
                let is_due = state.due.is_some_and(|due| now >= due) || state.is_urgent();
                let count = self.batch(&state.items, is_due);
                if count > 0 {
                    let batch = state.items.drain(..count).collect();
                    if self.front.is_none() {
                        state.due = (!state.items.is_empty()).then(|| now + self.delay);
                    }
                    return Some(batch);
                }
                if tick.is_some_and(|tick| now >= tick) {
                    return Some(Vec::new());
                }
                [state.due, tick].into_iter().flatten().min()
            };
            self.woken(until).await;
        }
    }

    /// Takes what threads left when that is enough, or has waited long enough.
    fn collect_due(&self, state: &mut State, now: Instant) {
        let Some(front) = &self.front else { return };
        if state.close_by.is_some() {
            return self.collect(state, true);
        }
        // What was collected goes first: so much is not in two places.
        if front.fresh() == 0 || !state.items.is_empty() {
            state.due = None;
            return;
        }
        let due = *state.due.get_or_insert(now + self.delay);
        if front.fresh() >= REQUEST || now >= due {
            self.collect(state, false);
        }
    }

    /// How often a flush was asked for, so that [`pause`](Self::pause) can tell a new one.
    pub(super) fn flushes(&self) -> u64 {
        self.lock().flushes
    }

    /// Waits before another attempt; a close, or a flush asked for after `seen`, makes it
    /// soon.
    pub(super) async fn pause(&self, pause: Duration, seen: u64) {
        let began = Instant::now();
        loop {
            let hurry = {
                let state = self.lock();
                state.flushes > seen || state.close_by.is_some()
            };
            let until = began + if hurry { pause.min(SHORT_PAUSE) } else { pause };
            if Instant::now() >= until {
                return;
            }
            self.woken(Some(until)).await;
        }
    }

    /// Completes when the deadline of a close passes.
    pub(super) async fn out_of_time(&self) {
        while !self.is_out_of_time() {
            let close_by = self.lock().close_by;
            self.woken(close_by).await;
        }
    }

    /// Whether the deadline of a close has passed.
    pub(super) fn is_out_of_time(&self) -> bool {
        self.lock()
            .close_by
            .is_some_and(|close_by| Instant::now() >= close_by)
    }

    pub(super) fn is_closing(&self) -> bool {
        self.lock().close_by.is_some()
    }

    /// There is nobody to export to; a flush stops waiting.
    pub(super) fn unreachable(&self) {
        self.lock().failures += 1;
        self.progress.notify_all();
    }

    /// Items of the queue have met their fate.
    pub(super) fn settle(&self, items: &Units) {
        self.lock().settled += items.count;
        if let Some(front) = &self.front {
            front.release(items.buffered);
        }
        self.progress.notify_all();
    }

    /// The sender ends; what it leaves behind is counted.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        state.close_by.get_or_insert_with(Instant::now);
        self.collect(&mut state, true);
        state.closed = true;
        for item in std::mem::take(&mut state.items) {
            if let Some(signal) = item.signal() {
                self.counters.dropped(signal, Reason::Unsent, item.count());
            }
        }
        drop(state);
        self.progress.notify_all();
    }

    async fn woken(&self, until: Option<Instant>) {
        match until {
            Some(until) => _ = tokio::time::timeout_at(until.into(), self.wake.notified()).await,
            None => self.wake.notified().await,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&'a self, state: MutexGuard<'a, State>, left: Duration) -> MutexGuard<'a, State> {
        let (state, _) =
            (self.progress.wait_timeout(state, left)).unwrap_or_else(PoisonError::into_inner);
        state
    }
}

/// In a forked child nobody takes what is pushed, and a lock may be held for ever.
fn stranded() -> Result<(), Reason> {
    if os::is_forked_child() {
        return Err(Reason::Unsent);
    }
    Ok(())
}
