//! The accounting: what was emitted and what became of it, per signal.
//!
//! For each signal `emitted = exported + dropped + failed + rejected + unknown + pending`.
//! In: one call per event. Out: snapshots. Never decides anything.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A kind of telemetry that is exported on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Signal {
    Logs,
    Traces,
    Metrics,
}

impl Signal {
    pub(crate) const ALL: [Self; 3] = [Self::Logs, Self::Traces, Self::Metrics];

    /// The name in an OTLP path (`v1/logs`).
    pub(crate) fn path(self) -> &'static str {
        match self {
            Signal::Logs => "logs",
            Signal::Traces => "traces",
            Signal::Metrics => "metrics",
        }
    }

    /// What one item is called, for sentences that count them.
    pub(crate) fn items(self) -> &'static str {
        match self {
            Signal::Logs => "log records",
            Signal::Traces => "spans",
            Signal::Metrics => "data points",
        }
    }
}

/// Why an item was dropped before it was handed to its exporter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reason {
    QueueFull,
    OverRate,
    NotSampled,
    Reentrant,
    ThreadExit,
    AfterShutdown,
    Unsent,
}

/// What became of a batch that was handed to its exporter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The receiver took it, except for `rejected` of its items.
    Exported { rejected: u64 },
    /// It was not delivered.
    Failed,
    /// It was sent, and no answer came.
    Unknown,
}

/// What became of the items of one signal.
///
/// `emitted` equals the sum of all other counts; see [`Stats`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SignalStats {
    /// Log records emitted, spans ended, or data points collected; with several exporters once
    /// for each.
    pub emitted: u64,
    /// Acknowledged by the receiver, or written by a local exporter.
    pub exported: u64,
    /// Given up before sending, by reason.
    pub dropped: Dropped,
    /// Handed to the exporter and not delivered.
    pub failed: u64,
    /// Refused by the receiver in a partial success.
    pub rejected: u64,
    /// Sent without an answer: the receiver may or may not have them.
    pub unknown: u64,
    /// Still waiting to be sent.
    pub pending: u64,
}

impl SignalStats {
    /// How many items did not reach the receiver, as far as lens knows.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.dropped.total() + self.failed + self.rejected + self.unknown
    }
}

/// How many items were dropped before sending, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dropped {
    /// The queue was full; the newest items are dropped.
    pub queue_full: u64,
    /// The scope the record was made in has `max_per_second`, and it was one more.
    pub over_rate: u64,
    /// The scope the record was made in has `sample`, and it was not among those.
    pub not_sampled: u64,
    /// The record was made while lens or an exporter was handling another one.
    pub reentrant: u64,
    /// The record was made by a thread-local destructor of a thread that was ending.
    pub thread_exit: u64,
    /// The item came after the shutdown.
    pub after_shutdown: u64,
    /// The shutdown deadline passed before the item was sent.
    pub unsent: u64,
}

impl Dropped {
    /// The sum over all reasons.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.queue_full
            + self.over_rate
            + self.not_sampled
            + self.reentrant
            + self.thread_exit
            + self.after_shutdown
            + self.unsent
    }
}

/// The accounting of a running or stopped lens.
///
/// For each signal `emitted = exported + dropped + failed + rejected + unknown + pending`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Log records.
    pub logs: SignalStats,
    /// Spans.
    pub spans: SignalStats,
    /// Data points of metrics. They are collected anew each time, and cumulative ones that were
    /// lost are in the next.
    pub metrics: SignalStats,
    /// Spans that were still open at shutdown, ended by lens and marked `nemo.span.truncated`.
    pub truncated_spans: u64,
}

/// What a [flush](crate::Handle::flush) or [shutdown](crate::Handle::shutdown) achieved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The accounting when it ended.
    pub stats: Stats,
    /// How long it took.
    pub elapsed: Duration,
    /// Whether the time allowed ran out first.
    pub timed_out: bool,
}

/// A year: what a clock can still tell.
pub(crate) const FOR_EVER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The end of `timeout` from now, or of a year.
pub(crate) fn deadline(timeout: Duration) -> Instant {
    Instant::now() + timeout.min(FOR_EVER)
}

/// One line when something was lost or left; empty when everything arrived.
impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (signal, stats) in [
            (Signal::Logs, &self.logs),
            (Signal::Traces, &self.spans),
            (Signal::Metrics, &self.metrics),
        ] {
            let missing = stats.lost() + stats.pending;
            if missing == 0 {
                continue;
            }
            write!(
                f,
                "{separator}{missing} of {} {} were not exported (",
                stats.emitted,
                signal.items()
            )?;
            let parts = [
                (stats.failed, "failed"),
                (stats.rejected, "rejected"),
                (stats.unknown, "sent without an answer"),
                (stats.dropped.queue_full, "dropped, queue full"),
                (stats.dropped.over_rate, "held back by max_per_second"),
                (stats.dropped.not_sampled, "held back by sample"),
                (stats.dropped.unsent, "unsent at the deadline"),
                (stats.dropped.reentrant, "dropped, re-entrant"),
                (stats.dropped.thread_exit, "dropped, thread ending"),
                (stats.dropped.after_shutdown, "dropped, after shutdown"),
                (stats.pending, "still waiting"),
            ];
            let mut comma = "";
            for (count, what) in parts.into_iter().filter(|(count, _)| *count > 0) {
                write!(f, "{comma}{count} {what}")?;
                comma = ", ";
            }
            f.write_str(")")?;
            separator = "; ";
        }
        Ok(())
    }
}

/// The live counters behind [`Stats`].
#[derive(Debug, Default)]
pub(crate) struct Counters {
    logs: SignalCounters,
    spans: SignalCounters,
    metrics: SignalCounters,
    truncated: AtomicU64,
    /// Of those that were dropped, the ones a forked child emitted.
    stranded: AtomicU64,
}

#[derive(Debug, Default)]
struct SignalCounters {
    emitted: AtomicU64,
    exported: AtomicU64,
    failed: AtomicU64,
    rejected: AtomicU64,
    unknown: AtomicU64,
    queue_full: AtomicU64,
    over_rate: AtomicU64,
    not_sampled: AtomicU64,
    reentrant: AtomicU64,
    thread_exit: AtomicU64,
    after_shutdown: AtomicU64,
    unsent: AtomicU64,
}

impl Counters {
    pub(crate) fn emitted(&self, signal: Signal, items: u64) {
        self.of(signal).emitted.fetch_add(items, Relaxed);
    }

    pub(crate) fn dropped(&self, signal: Signal, reason: Reason, items: u64) {
        let counters = self.of(signal);
        let counter = match reason {
            Reason::QueueFull => &counters.queue_full,
            Reason::OverRate => &counters.over_rate,
            Reason::NotSampled => &counters.not_sampled,
            Reason::Reentrant => &counters.reentrant,
            Reason::ThreadExit => &counters.thread_exit,
            Reason::AfterShutdown => &counters.after_shutdown,
            Reason::Unsent => &counters.unsent,
        };
        counter.fetch_add(items, Relaxed);
    }

    pub(crate) fn settled(&self, signal: Signal, outcome: &Outcome, items: u64) {
        let counters = self.of(signal);
        match outcome {
            Outcome::Exported { rejected } => {
                let rejected = (*rejected).min(items);
                counters.rejected.fetch_add(rejected, Relaxed);
                counters.exported.fetch_add(items - rejected, Relaxed);
            }
            Outcome::Failed => _ = counters.failed.fetch_add(items, Relaxed),
            Outcome::Unknown => _ = counters.unknown.fetch_add(items, Relaxed),
        }
    }

    /// Counts items that a forked child emitted, beside their being dropped.
    pub(crate) fn stranded(&self, items: u64) {
        self.stranded.fetch_add(items, Relaxed);
    }

    /// What there is to say of a forked child at its end; all else is its parent's.
    pub(crate) fn of_forked_child(&self) -> String {
        match self.stranded.load(Relaxed) {
            0 => String::new(),
            items => format!(
                "{items} log records and spans of a forked child were not exported; a \
                 child exports where lens starts after the fork"
            ),
        }
    }

    pub(crate) fn truncated(&self, spans: u64) {
        self.truncated.fetch_add(spans, Relaxed);
    }

    pub(crate) fn snapshot(&self) -> Stats {
        Stats {
            logs: self.logs.snapshot(),
            spans: self.spans.snapshot(),
            metrics: self.metrics.snapshot(),
            truncated_spans: self.truncated.load(Relaxed),
        }
    }

    /// How many items of `signal` wait or are on their way.
    pub(crate) fn pending(&self, signal: Signal) -> u64 {
        self.of(signal).snapshot().pending
    }

    fn of(&self, signal: Signal) -> &SignalCounters {
        match signal {
            Signal::Logs => &self.logs,
            Signal::Traces => &self.spans,
            Signal::Metrics => &self.metrics,
        }
    }
}

impl SignalCounters {
    fn snapshot(&self) -> SignalStats {
        let mut stats = SignalStats {
            emitted: 0,
            exported: self.exported.load(Relaxed),
            dropped: Dropped {
                queue_full: self.queue_full.load(Relaxed),
                over_rate: self.over_rate.load(Relaxed),
                not_sampled: self.not_sampled.load(Relaxed),
                reentrant: self.reentrant.load(Relaxed),
                thread_exit: self.thread_exit.load(Relaxed),
                after_shutdown: self.after_shutdown.load(Relaxed),
                unsent: self.unsent.load(Relaxed),
            },
            failed: self.failed.load(Relaxed),
            rejected: self.rejected.load(Relaxed),
            unknown: self.unknown.load(Relaxed),
            pending: 0,
        };
        // Read last: an item is counted as emitted before anything else can become of it.
        stats.emitted = self.emitted.load(Relaxed);
        stats.pending = stats.emitted.saturating_sub(stats.exported + stats.lost());
        stats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_emitted_item_is_in_exactly_one_count() {
        let counters = Counters::default();
        counters.emitted(Signal::Logs, 10);
        counters.settled(Signal::Logs, &Outcome::Exported { rejected: 1 }, 4);
        counters.settled(Signal::Logs, &Outcome::Failed, 2);
        counters.dropped(Signal::Logs, Reason::QueueFull, 1);
        let logs = counters.snapshot().logs;
        assert_eq!(
            (logs.exported, logs.rejected, logs.failed, logs.pending),
            (3, 1, 2, 3)
        );
        assert_eq!(logs.emitted, logs.exported + logs.lost() + logs.pending);
    }

    #[test]
    fn the_totals_line_names_only_what_was_lost() {
        let counters = Counters::default();
        assert_eq!(counters.snapshot().to_string(), "");
        counters.emitted(Signal::Traces, 1);
        counters.settled(Signal::Traces, &Outcome::Failed, 1);
        assert_eq!(
            counters.snapshot().to_string(),
            "1 of 1 spans were not exported (1 failed)"
        );
    }
}
