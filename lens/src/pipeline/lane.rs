//! A bounded queue with the handshakes of flush and close.
//!
//! In: items, from any thread. Out: batches, to one sender, in `drain.rs`. Full means the newest
//! item is dropped and counted, unless its caller may wait a while. Nothing else here waits but
//! [`Lane::flushed`].

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::front::{Front, Scope};
use crate::config::Batching;
use crate::diag;
use crate::export::{Item, Units};
use crate::os;
use crate::stats::{Counters, Reason, Signal};

/// The way of some items to one exporter.
#[derive(Debug)]
pub(crate) struct Lane {
    state: Mutex<State>,
    /// Told of everything a flush, a close or a caller without room waits for.
    pub(super) progress: Condvar,
    /// Told of everything the sender waits for, each of its open requests for itself.
    pub(super) wake: watch::Sender<()>,
    pub(super) counters: Arc<Counters>,
    pub(super) batching: Batching,
    /// Where threads leave log records that are encoded.
    pub(super) front: Option<Front>,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) items: VecDeque<Item>,
    /// When the oldest waiting item must leave.
    pub(super) due: Option<Instant>,
    /// How many items came so far.
    pub(super) pushed: u64,
    /// How many of them the sender took.
    taken: u64,
    /// Where each batch begins that has not met its fate.
    open: Vec<u64>,
    /// How often there was room again.
    pub(super) settlings: u64,
    /// Attempts that reached nobody, so that a flush does not outwait a dead receiver.
    pub(super) failures: u64,
    /// Until when the receiver wants to be left alone.
    pub(super) quiet_until: Option<Instant>,
    flush_to: u64,
    /// How often a flush was asked for.
    pub(super) flushes: u64,
    pub(super) close_by: Option<Instant>,
    pub(super) closed: bool,
}

/// A batch that was taken.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) items: Vec<Item>,
    pub(super) ticket: Ticket,
}

/// By what a batch is settled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticket {
    /// How many items were taken before.
    begin: u64,
    pub(super) units: Units,
}

/// What a flush waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    settled: u64,
    failures: u64,
}

impl State {
    pub(super) fn is_urgent(&self) -> bool {
        self.flush_to > self.settled() || self.close_by.is_some()
    }

    /// Up to where all items have met their fate. Batches do not in their order.
    fn settled(&self) -> u64 {
        self.open.iter().copied().min().unwrap_or(self.taken)
    }

    /// Hands out the first items.
    pub(super) fn take(&mut self, count: usize) -> Batch {
        let items: Vec<_> = self.items.drain(..count).collect();
        let ticket = Ticket {
            begin: self.taken,
            units: Units::of(&items),
        };
        self.open.push(ticket.begin);
        self.taken += ticket.units.count;
        Batch { items, ticket }
    }
}

impl Lane {
    pub(crate) fn new(counters: Arc<Counters>, batching: Batching, encoded: bool) -> Self {
        Self {
            state: Mutex::default(),
            progress: Condvar::new(),
            wake: watch::Sender::new(()),
            counters,
            front: encoded.then(|| Front::new(&batching)),
            batching,
        }
    }

    /// Whether it takes log records that are encoded.
    pub(crate) fn takes_encoded(&self) -> bool {
        self.front.is_some()
    }

    /// Has `write` append a log record of `scope`, or drops and counts it.
    #[inline]
    pub(crate) fn push_log(&self, scope: &Scope<'_>, write: impl Fn(&mut Vec<u8>)) {
        let Some(front) = &self.front else { return };
        let push = || {
            let pushed = front.push(scope, &write);
            if matches!(pushed, Err(Reason::QueueFull)) && front.runs_short() {
                self.wake();
            }
            pushed
        };
        match self.with_room(push) {
            Ok(true) => self.wake(),
            Ok(false) => {}
            Err(reason) => {
                self.counters.emitted(Signal::Logs, 1);
                self.refused(Signal::Logs, reason, 1);
            }
        }
    }

    /// Counts what threads left and have not counted.
    pub(crate) fn count(&self) {
        if let (Some(front), Ok(())) = (&self.front, stranded()) {
            front.count(|records| self.counters.emitted(Signal::Logs, records));
        }
    }

    /// Queues an item, or drops and counts it.
    pub(crate) fn push(&self, item: Item) {
        let (signal, count) = (item.signal(), item.count());
        if let Some(signal) = signal {
            self.counters.emitted(signal, count);
        }
        let mut item = Some(item);
        let refused = self.with_room(|| self.queue(&mut item));
        if let (Some(signal), Err(reason)) = (signal, refused) {
            self.refused(signal, reason, count);
        }
    }

    fn queue(&self, item: &mut Option<Item>) -> Result<(), Reason> {
        let mut state = self.lock();
        if state.close_by.is_some() {
            return Err(Reason::AfterShutdown);
        }
        if state.items.len() >= self.batching.queue() {
            return Err(Reason::QueueFull);
        }
        state.pushed += item.as_ref().map_or(0, Item::count);
        state.items.extend(item.take());
        let waiting = state.items.len();
        if waiting == 1 {
            state.due = Some(Instant::now() + self.batching.delay);
        }
        drop(state);
        if waiting == 1 || waiting.is_multiple_of(self.batching.batch()) {
            self.wake();
        }
        Ok(())
    }

    /// Has the sender look at what has changed.
    fn wake(&self) {
        self.wake.send_replace(());
    }

    #[inline]
    fn with_room<T>(&self, mut attempt: impl FnMut() -> Result<T, Reason>) -> Result<T, Reason> {
        stranded()?;
        match attempt() {
            Err(Reason::QueueFull) if !self.batching.patience.is_zero() => {
                self.wait_for_room(attempt)
            }
            done => done,
        }
    }

    #[cold]
    fn wait_for_room<T>(
        &self,
        mut attempt: impl FnMut() -> Result<T, Reason>,
    ) -> Result<T, Reason> {
        let until = Instant::now() + self.batching.patience;
        loop {
            let seen = self.lock().settlings;
            match attempt() {
                // Who makes room must not wait for it.
                Err(Reason::QueueFull) if !os::is_own_thread() => {}
                done => return done,
            }
            let mut state = self.lock();
            while state.settlings == seen {
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() || state.close_by.is_some() {
                    return Err(Reason::QueueFull);
                }
                state = self.wait(state, left);
            }
        }
    }

    fn refused(&self, signal: Signal, reason: Reason, count: u64) {
        self.counters.dropped(signal, reason, count);
        if os::is_forked_child() {
            self.counters.stranded(count);
        }
        if matches!(reason, Reason::QueueFull) {
            diag::fault(
                "queue full",
                format_args!(
                    "{} wait to be exported; newer ones are dropped until there is room",
                    (self.batching).shown_room(signal.items(), self.takes_encoded()),
                ),
            );
        }
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
        self.wake();
        asked
    }

    /// Waits for what was asked; `false` when the receiver did not take it or the deadline
    /// passed.
    pub(crate) fn flushed(&self, asked: Asked, deadline: Instant) -> bool {
        let mut state = self.lock();
        while state.settled() < asked.settled && !state.closed && state.failures == asked.failures {
            // A receiver that is left alone longer than there is time is as good as none.
            if state.quiet_until.is_some_and(|until| until > deadline) {
                break;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.wait(state, left);
        }
        state.settled() >= asked.settled
    }

    /// Takes nothing more, and has what is queued exported until `deadline`.
    pub(crate) fn close(&self, deadline: Instant) {
        self.lock().close_by.get_or_insert(deadline);
        self.progress.notify_all();
        self.wake();
    }

    /// A batch has met its fate.
    pub(super) fn settle(&self, batch: Ticket) {
        // In this order: who waits for room looks at the number first.
        if let Some(front) = &self.front {
            front.release(&batch.units);
        }
        let mut state = self.lock();
        if let Some(at) = state.open.iter().position(|begin| *begin == batch.begin) {
            state.open.swap_remove(at);
        }
        state.settlings += 1;
        drop(state);
        self.progress.notify_all();
    }

    /// There is nobody to export to; a flush stops waiting.
    pub(super) fn unreachable(&self) {
        self.lock().failures += 1;
        self.progress.notify_all();
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&'a self, state: MutexGuard<'a, State>, left: Duration) -> MutexGuard<'a, State> {
        let (state, _) =
            (self.progress.wait_timeout(state, left)).unwrap_or_else(PoisonError::into_inner);
        state
    }
}

/// In a forked child nobody takes what is pushed, and a lock may be held for ever.
#[inline]
fn stranded() -> Result<(), Reason> {
    if os::is_forked_child() {
        return Err(Reason::Unsent);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flush_waits_for_what_came_before_it_whatever_else_is_done() {
        let batching = Batching {
            most_at_once: Some(1),
            ..Batching::default()
        };
        let lane = Lane::new(Arc::default(), batching, true);
        let push = || lane.push_log(&Scope::Target("a", None), |out| out.push(0));
        let take = || lane.lock().take(1).ticket;
        push();
        push();
        let asked = lane.ask_flush();
        let (first, second) = (take(), take());
        push();
        lane.ask_flush();
        lane.settle(second);
        lane.settle(take());
        assert!(!lane.flushed(asked, Instant::now()));
        lane.settle(first);
        assert!(lane.flushed(asked, Instant::now()));
    }
}
