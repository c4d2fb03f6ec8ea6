//! An instrument that is made once for each meter provider, and found without a lock.

use std::sync::OnceLock;

/// The instruments of a place in the code, of which there is one for each start.
#[derive(Debug)]
pub(super) struct Cached<I> {
    first: OnceLock<Entry<I>>,
}

#[derive(Debug)]
struct Entry<I> {
    epoch: u32,
    instrument: I,
    next: OnceLock<Box<Entry<I>>>,
}

impl<I> Cached<I> {
    pub(super) const fn new() -> Self {
        Self {
            first: OnceLock::new(),
        }
    }

    /// The instrument of `epoch`, made if need be.
    #[inline]
    pub(super) fn get(&self, epoch: u32, make: impl Fn() -> I) -> &I {
        let entry = || Entry {
            epoch,
            instrument: make(),
            next: OnceLock::new(),
        };
        let mut last = self.first.get_or_init(entry);
        while last.epoch != epoch {
            last = last.next.get_or_init(|| Box::new(entry()));
        }
        &last.instrument
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn there_is_one_instrument_for_each_start() {
        let (cached, made) = (Cached::new(), Cell::new(0));
        let get = |epoch| {
            *cached.get(epoch, || {
                made.set(made.get() + 1);
                made.get()
            })
        };
        assert_eq!(
            [get(1), get(1), get(2), get(1), get(3), get(2)],
            [1, 1, 2, 1, 3, 2]
        );
        assert_eq!(made.get(), 3);
    }
}
