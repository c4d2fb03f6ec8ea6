//! Flood control: what a scope holds back, and counts.
//!
//! Errors always pass. Nothing is told here but numbers.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use log::Level;

use crate::scopes::Settings;
use crate::stats::Reason;

/// The records of one scope, counted.
#[derive(Debug)]
pub(crate) struct Flood {
    scope: Settings,
    /// The second of the latest record, and how many passed in it: 32 bits each.
    window: AtomicU64,
    /// How many records were asked about sampling.
    seen: AtomicU64,
    over_rate: AtomicU64,
    not_sampled: AtomicU64,
    /// The second of the first record that was held back and not told of; 0 for none.
    first_held: AtomicU64,
}

/// What was held back since it was told last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeldBack {
    pub(crate) over_rate: u64,
    pub(crate) not_sampled: u64,
}

impl HeldBack {
    pub(crate) fn total(self) -> u64 {
        self.over_rate + self.not_sampled
    }
}

impl Flood {
    pub(crate) fn new(scope: Settings) -> Self {
        Self {
            scope,
            window: AtomicU64::new(0),
            seen: AtomicU64::new(0),
            over_rate: AtomicU64::new(0),
            not_sampled: AtomicU64::new(0),
            first_held: AtomicU64::new(0),
        }
    }

    pub(crate) fn module(&self) -> &'static str {
        self.scope.module
    }

    /// Whether a record of this `second` passes; the reason if it does not.
    pub(crate) fn admit(&self, level: Level, second: u64) -> Result<(), Reason> {
        if level == Level::Error {
            return Ok(());
        }
        let (held, reason) = if !self.is_sampled() {
            (&self.not_sampled, Reason::NotSampled)
        } else if !self.is_within_rate(second) {
            (&self.over_rate, Reason::OverRate)
        } else {
            return Ok(());
        };
        held.fetch_add(1, Relaxed);
        let _ = self
            .first_held
            .compare_exchange(0, second.max(1), Relaxed, Relaxed);
        Err(reason)
    }

    /// Takes every so-manieth record: the part is exact, and no two runs differ.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "exact up to 2^53 records"
    )]
    fn is_sampled(&self) -> bool {
        let Some(part) = self.scope.sample else {
            return true;
        };
        let before = self.seen.fetch_add(1, Relaxed);
        let taken = |count: u64| (count as f64 * part) as u64;
        taken(before + 1) > taken(before)
    }

    fn is_within_rate(&self, second: u64) -> bool {
        let Some(max) = self.scope.max_per_second else {
            return true;
        };
        let second = second & u64::from(u32::MAX);
        let next = |window: u64| {
            let (latest, passed) = (window >> 32, window & u64::from(u32::MAX));
            // A thread may come late with a second that is just over; a clock may be set back.
            let is_same = latest.wrapping_sub(second) <= 1;
            let (second, passed) = if is_same {
                (latest, passed)
            } else {
                (second, 0)
            };
            (passed < u64::from(max)).then_some((second << 32) | (passed + 1))
        };
        self.window.fetch_update(Relaxed, Relaxed, next).is_ok()
    }

    /// Takes what is to be told, once the second in which it began is over.
    pub(crate) fn take_if_due(&self, second: u64) -> Option<HeldBack> {
        let began = self.first_held.load(Relaxed);
        let is_due = began != 0 && began != second;
        let taken = is_due
            && (self.first_held)
                .compare_exchange(began, 0, Relaxed, Relaxed)
                .is_ok();
        taken.then(|| self.take())
    }

    /// Takes what is to be told.
    pub(crate) fn take(&self) -> HeldBack {
        self.first_held.store(0, Relaxed);
        HeldBack {
            over_rate: self.over_rate.swap(0, Relaxed),
            not_sampled: self.not_sampled.swap(0, Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flood(max_per_second: Option<u32>, sample: Option<f64>) -> Flood {
        Flood::new(Settings {
            module: "m",
            level: None,
            max_per_second,
            sample,
        })
    }

    fn passed(flood: &Flood, level: Level, second: u64, records: usize) -> usize {
        let admitted = (0..records).filter(|_| flood.admit(level, second).is_ok());
        admitted.count()
    }

    #[test]
    fn so_many_pass_in_a_second_and_all_errors() {
        let flood = flood(Some(10), None);
        assert_eq!(passed(&flood, Level::Info, 100, 25), 10);
        assert_eq!(passed(&flood, Level::Error, 100, 25), 25);
        assert_eq!(passed(&flood, Level::Info, 101, 5), 5);
        assert_eq!(passed(&flood, Level::Warn, 101, 25), 5);
        let held_back = flood.take();
        assert_eq!((held_back.over_rate, held_back.not_sampled), (35, 0));
        assert_eq!(flood.take().total(), 0);
    }

    #[test]
    fn what_is_held_back_is_told_once_a_second() {
        let flood = flood(Some(1), None);
        passed(&flood, Level::Info, 100, 5);
        assert_eq!(flood.take_if_due(100), None);
        passed(&flood, Level::Info, 101, 3);
        assert_eq!(flood.take_if_due(101).map(HeldBack::total), Some(6));
        assert_eq!(flood.take_if_due(102), None);
    }

    #[test]
    fn the_part_that_is_sampled_is_exact() {
        for (part, taken) in [
            (0.01, 100),
            (0.5, 5_000),
            (1.0, 10_000),
            (0.0, 0),
            (0.333, 3_330),
        ] {
            let flood = flood(None, Some(part));
            assert_eq!(passed(&flood, Level::Info, 1, 10_000), taken, "{part}");
            assert_eq!(flood.take().not_sampled, 10_000 - taken as u64);
        }
    }

    #[test]
    fn what_is_sampled_counts_for_the_rate() {
        let flood = flood(Some(3), Some(0.5));
        assert_eq!(passed(&flood, Level::Info, 1, 10), 3);
        let held_back = flood.take();
        assert_eq!((held_back.over_rate, held_back.not_sampled), (2, 5));
    }

    #[test]
    fn threads_share_what_passes() {
        let flood = flood(Some(1_000), None);
        let passed: usize = std::thread::scope(|threads| {
            let all: Vec<_> = (0..4)
                .map(|_| threads.spawn(|| passed(&flood, Level::Info, 7, 500)))
                .collect();
            all.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(passed, 1_000);
    }
}
