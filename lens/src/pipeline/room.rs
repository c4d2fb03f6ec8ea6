//! How much room is taken, of bytes or of records.

#[cfg(not(lens_model))]
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

#[cfg(lens_model)]
use shuttle::sync::atomic::AtomicUsize;

/// Room for so much, of whatever kind, and how much of it is taken.
#[derive(Debug)]
pub(super) struct Room {
    most: usize,
    /// What is enough for a request.
    pub(super) step: usize,
    /// What has not met its fate, and what threads took for more.
    pub(super) waiting: AtomicUsize,
    /// What the sender has been told of and has not collected.
    pub(super) fresh: AtomicUsize,
}

impl Room {
    pub(super) fn new(most: usize, step: usize) -> Self {
        Self {
            most,
            // Where there is little room, waiting for more would be waiting for what cannot come.
            step: step.min(most / 2).max(1),
            waiting: AtomicUsize::new(0),
            fresh: AtomicUsize::new(0),
        }
    }

    /// Takes some, if it is free. A record that is longer than all room there is has its chance
    /// when it is `alone`.
    pub(super) fn take(&self, amount: usize, alone: bool) -> bool {
        let taken = self.waiting.fetch_update(Relaxed, Relaxed, |waiting| {
            let with = waiting.saturating_add(amount);
            (with <= self.most || (alone && waiting == 0)).then_some(with)
        });
        taken.is_ok()
    }

    /// Tells of more to collect; whether the sender must hear of it.
    pub(super) fn tell(&self, amount: usize) -> bool {
        let before = self.fresh.fetch_add(amount, Relaxed);
        before == 0 || before / self.step != (before + amount) / self.step
    }

    pub(super) fn has_step(&self) -> bool {
        self.fresh.load(Relaxed) >= self.step
    }

    /// What was taken and told of does not come.
    pub(super) fn put_back(&self, amount: usize) {
        self.collected(amount);
        self.release(amount);
    }

    pub(super) fn collected(&self, amount: usize) {
        self.fresh.fetch_sub(amount, Relaxed);
    }

    pub(super) fn release(&self, amount: usize) {
        self.waiting.fetch_sub(amount, Relaxed);
    }
}
