//! More than there is room for: what arrives, what is lost, and that each record is one or the other.

use std::ops::RangeInclusive;
use std::time::Duration;

use lens_testkit::{Program, Receiver, Reply, Signal};

use super::{PROTOCOLS, numbers, sync};

/// What became of the items of a storm, as it printed that.
#[derive(Debug)]
pub(super) struct Storm {
    /// How many had passed the filter when lens was stopped, and how many did in all.
    passed: RangeInclusive<u64>,
    emitted: u64,
    exported: u64,
    dropped: u64,
    failed: u64,
    rejected: u64,
    unknown: u64,
    pending: u64,
}

impl Storm {
    pub(super) fn of(printed: &str) -> Self {
        let [
            before,
            passed,
            emitted,
            exported,
            dropped,
            failed,
            rejected,
            unknown,
            pending,
        ] = numbers(printed)[..]
        else {
            panic!("{printed}")
        };
        Self {
            passed: before..=passed,
            emitted,
            exported,
            dropped,
            failed,
            rejected,
            unknown,
            pending,
        }
    }

    /// How many passed the filter in all.
    pub(super) fn passed(&self) -> u64 {
        *self.passed.end()
    }

    /// Every item is in one count, and so many arrived as should.
    pub(super) fn assert_whole(&self, arrived: usize) {
        assert!(self.passed.contains(&self.emitted), "{self:?}");
        let lost = self.dropped + self.failed + self.rejected + self.unknown;
        assert_eq!(
            self.emitted,
            self.exported + lost + self.pending,
            "{self:?}"
        );
        assert_eq!(self.pending, 0, "{self:?}");
        let exported = self.exported + self.rejected;
        let possible = exported..=exported + self.unknown;
        assert!(possible.contains(&(arrived as u64)), "{arrived}: {self:?}");
    }
}

/// With little room, and a receiver that answers some requests with this and takes the others.
fn storm(mode: &str, receiver: &Receiver, replies: &[Reply]) -> Storm {
    let mixed = replies
        .iter()
        .flat_map(|reply| [Reply::ok(), reply.clone()]);
    receiver.script(Signal::Logs, mixed);
    let program: Program = sync(mode, receiver).env("NEMO_LENS_LOGS_QUEUE_BYTES", "300000");
    let run = program.run();
    assert_eq!(run.code(), 0);
    Storm::of(&run.stdout)
}

#[test]
fn each_record_of_sixteen_threads_is_in_one_count() {
    let receiver = Receiver::start();
    let replies = [
        Reply::partial(1, "too old"),
        Reply::status(400),
        Reply::status(503),
        Reply::ok().after(Duration::from_millis(300)),
    ];
    let storm = storm("storm", &receiver, &replies);
    storm.assert_whole(receiver.logs().count());
    assert_eq!(storm.passed, storm.emitted..=storm.emitted);
    assert!(storm.dropped > 0 && storm.failed > 0, "{storm:?}");
    assert_eq!((storm.rejected, storm.unknown), (1, 0));
}

#[test]
fn each_record_is_in_one_count_when_lens_is_stopped_among_them() {
    for protocol in PROTOCOLS {
        let receiver = Receiver::start();
        let storm = storm("storm cut short", &receiver, &[Reply::status(503)]);
        storm.assert_whole(receiver.logs().count());
        let refused = (storm.failed, storm.rejected, storm.unknown);
        assert_eq!(refused, (0, 0, 0), "{protocol}: {storm:?}");
    }
}

// https://github.com/open-telemetry/opentelemetry-rust/issues/2177 (EXP-12)
#[test]
fn a_queue_that_is_full_is_one_line_and_the_total_at_the_end() {
    for queue in ["1", "10"] {
        let receiver = Receiver::start();
        let run = sync("storm", &receiver)
            .env("OTEL_BLRP_MAX_QUEUE_SIZE", queue)
            .env("OTEL_BLRP_SCHEDULE_DELAY", "60000")
            .run();
        assert_eq!(run.code(), 0);
        let storm = Storm::of(&run.stdout);
        storm.assert_whole(receiver.logs().count());
        let notices = run.notices();
        let room = format!("{queue} log records, or 64 MiB of them, wait to be exported; newer");
        let total = format!("{0} of 64000 log records were not exported", storm.dropped);
        assert_eq!(notices.len(), 2, "{notices:?}");
        assert!(notices[0].starts_with(&room), "{notices:?}");
        assert!(notices[1].starts_with(&total), "{notices:?}");
    }
}
