//! Ids of traces and spans, which no other thread, process or forked child has.
//!
//! Each thread has a generator of its own, seeded by the system. A forked child has copies of
//! them, and seeds them anew.

use std::cell::RefCell;

use opentelemetry::trace::{SpanId, TraceId};
use opentelemetry_sdk::trace::IdGenerator;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::os;

thread_local! {
    static SOURCE: RefCell<Option<Source>> = const { RefCell::new(None) };
}

struct Source {
    generator: SmallRng,
    /// Of how many forks the thread knew when it was seeded.
    forks: u32,
}

/// Generates ids at random, whatever the program seeds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RandomIds;

impl IdGenerator for RandomIds {
    fn new_trace_id(&self) -> TraceId {
        TraceId::from(random())
    }

    fn new_span_id(&self) -> SpanId {
        #[expect(clippy::cast_possible_truncation, reason = "half of it")]
        SpanId::from(random() as u64)
    }
}

/// A random UUID.
pub(crate) fn uuid() -> String {
    // Version 4, variant 1: <https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-4>
    let version = 0xf << 76;
    let variant = 0x3 << 62;
    let bits = (random() & !version & !variant) | (0x4 << 76) | (0x2 << 62);
    let hex = format!("{bits:032x}");
    let part = |range| hex.get(range).unwrap_or_default();
    [
        part(0..8),
        part(8..12),
        part(12..16),
        part(16..20),
        part(20..32),
    ]
    .join("-")
}

/// Random bits, never all zero in either half.
fn random() -> u128 {
    let drawn = SOURCE.try_with(|source| {
        let mut source = source.try_borrow_mut().ok()?;
        let forks = os::forks();
        let seeded = source.take().filter(|source| source.forks == forks);
        let source = source.insert(seeded.unwrap_or_else(|| Source {
            generator: SmallRng::from_os_rng(),
            forks,
        }));
        Some(source.generator.random())
    });
    // A thread that is ending has no generator any more.
    let bits: u128 = drawn.ok().flatten().unwrap_or_else(rand::random);
    // An id of zeros is none.
    bits | u128::from(bits as u64 == 0) | (u128::from(bits >> 64 == 0) << 64)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_are_valid_and_no_two_are_the_same() {
        let spans: HashSet<_> = (0..1_000).map(|_| RandomIds.new_span_id()).collect();
        let traces: HashSet<_> = (0..1_000).map(|_| RandomIds.new_trace_id()).collect();
        assert_eq!((spans.len(), traces.len()), (1_000, 1_000));
        assert!(!spans.contains(&SpanId::INVALID) && !traces.contains(&TraceId::INVALID));
    }

    #[test]
    fn an_instance_has_a_uuid() {
        let uuid = uuid();
        let parts: Vec<_> = uuid.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12], "{uuid}");
        assert_eq!(uuid.as_bytes()[14], b'4', "{uuid}");
        assert!(
            matches!(uuid.as_bytes()[19], b'8' | b'9' | b'a' | b'b'),
            "{uuid}"
        );
    }
}
