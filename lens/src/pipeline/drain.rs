//! The sender's side of a lane: when a batch leaves, and how much is in it.
//!
//! In: what threads queued or left encoded. Out: batches, when there is enough for one, or the
//! oldest item has waited long enough, or somebody waits for all of it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::front::REQUEST;
use super::lane::{Batch, Lane, State};
use crate::export::{Item, Units};
use crate::stats::{FOR_EVER, Reason, Signal};

/// Between attempts when somebody waits for them.
const SHORT_PAUSE: Duration = Duration::from_millis(100);

impl Lane {
    /// The sender's side: the next batch when it is due; `None` when the lane is closed and
    /// empty, or its deadline passed.
    ///
    /// With `tick` an empty batch comes after that time at the latest.
    pub(super) async fn next(&self, tick: Option<Duration>) -> Option<Batch> {
        let tick = tick.map(|tick| Instant::now() + tick);
        let mut wake = self.wake.subscribe();
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
                    let batch = state.take(count);
                    if self.front.is_none() {
                        state.due = (!state.items.is_empty()).then(|| now + self.batching.delay);
                    }
                    return Some(batch);
                }
                if tick.is_some_and(|tick| now >= tick) {
                    return Some(state.take(0));
                }
                [state.due, tick].into_iter().flatten().min()
            };
            woken(&mut wake, until).await;
        }
    }

    /// Takes what threads left when that is enough, or has waited long enough.
    fn collect_due(&self, state: &mut State, now: Instant) {
        let Some(front) = &self.front else { return };
        if state.close_by.is_some() {
            return self.collect(state, true);
        }
        // What was collected goes first: so much is not in two places.
        if front.is_empty() || !state.items.is_empty() {
            state.due = None;
            return;
        }
        let due = *state.due.get_or_insert(now + self.batching.delay);
        if front.has_enough() || now >= due {
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
        let mut wake = self.wake.subscribe();
        loop {
            let hurry = {
                let state = self.lock();
                state.flushes > seen || state.close_by.is_some()
            };
            let until = began + if hurry { pause.min(SHORT_PAUSE) } else { pause };
            if Instant::now() >= until {
                return;
            }
            woken(&mut wake, Some(until)).await;
        }
    }

    /// The receiver wants to be left alone for so long.
    pub(super) fn be_quiet(&self, wait: Duration) {
        let until = Instant::now() + wait;
        let mut state = self.lock();
        state.quiet_until = state.quiet_until.max(Some(until));
        drop(state);
        self.progress.notify_all();
    }

    /// Until when it does, if that is not over.
    pub(super) fn quiet_until(&self) -> Option<Instant> {
        let mut state = self.lock();
        state.quiet_until = state.quiet_until.filter(|until| *until > Instant::now());
        state.quiet_until
    }

    /// Waits until then; not at all where a close comes before that.
    pub(super) async fn rest(&self, until: Instant) {
        let mut wake = self.wake.subscribe();
        while Instant::now() < until {
            let close_by = self.lock().close_by;
            if close_by.is_some_and(|close_by| close_by < until) {
                return;
            }
            woken(&mut wake, Some(until)).await;
        }
    }

    /// Completes when the deadline of a close passes.
    pub(super) async fn out_of_time(&self) {
        let mut wake = self.wake.subscribe();
        while !self.is_out_of_time() {
            let close_by = self.lock().close_by;
            woken(&mut wake, close_by).await;
        }
    }

    /// Completes when the time for one batch is spent, or the deadline of a close passes.
    pub(super) async fn out_of_time_for_one(&self) {
        let until = self.batching.timeout.unwrap_or(FOR_EVER);
        let _ = tokio::time::timeout(until, self.out_of_time()).await;
    }

    /// Whether the deadline of a close has passed.
    pub(super) fn is_out_of_time(&self) -> bool {
        self.lock()
            .close_by
            .is_some_and(|close_by| Instant::now() >= close_by)
    }

    /// What is left until the deadline of a close.
    pub(super) fn time_left(&self) -> Duration {
        let close_by = self.lock().close_by;
        close_by.map_or(FOR_EVER, |close_by| {
            close_by.saturating_duration_since(Instant::now())
        })
    }

    pub(super) fn is_closing(&self) -> bool {
        self.lock().close_by.is_some()
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

    /// Takes what threads left; with `close` they leave nothing more.
    pub(super) fn collect(&self, state: &mut State, close: bool) {
        let Some(front) = &self.front else { return };
        let collected = front.collect(close);
        self.counters.emitted(Signal::Logs, collected.uncounted);
        if collected.is_roomier {
            state.settlings += 1;
            self.progress.notify_all();
        }
        for run in collected.runs {
            state.pushed += run.count;
            state.items.push_back(Item::Run(run));
        }
        state.due = None;
    }

    /// How many of the items go next; none while there are too few.
    fn batch(&self, items: &VecDeque<Item>, is_due: bool) -> usize {
        let most = self.batching.batch();
        if self.front.is_none() {
            let is_enough = is_due || items.len() >= most;
            return if is_enough { items.len().min(most) } else { 0 };
        }
        let most = (self.batching.most_at_once).map_or(u64::MAX, |most| most as u64);
        let mut units = Units::default();
        let fits = |item: &&Item| {
            units.add(item);
            units.buffered <= REQUEST && units.count <= most
        };
        let fit = items.iter().take_while(fits).count();
        fit.max(1).min(items.len())
    }
}

/// Waits for news since it was asked last, or until then.
async fn woken(wake: &mut watch::Receiver<()>, until: Option<Instant>) {
    // Without a sender there is no lane.
    match until {
        Some(until) => _ = tokio::time::timeout_at(until.into(), wake.changed()).await,
        None => _ = wake.changed().await,
    }
}
