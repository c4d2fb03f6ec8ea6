//! Much at once: what arrives, how it is cut, and what it takes of memory.

use std::time::Duration;

use lens_testkit::{Receiver, Reply, Signal};

use super::{PROTOCOLS, bodies, numbers, program, sync};

#[test]
fn no_span_is_lost_in_steps_of_two_hundred() {
    for protocol in PROTOCOLS {
        let receiver = Receiver::start();
        let run = program!("sync", "steps of spans")
            .exporting(&receiver.endpoint(), protocol)
            .run();
        assert_eq!((run.code(), run.stderr.as_str()), (0, ""), "{protocol}");
        assert_eq!(receiver.spans().count(), 20_000, "{protocol}");
    }
}

// https://github.com/open-telemetry/opentelemetry-python/issues/2701 (EXP-04)
#[test]
fn nobody_there_no_room_and_the_end_behind_it_are_a_few_lines() {
    let down = Receiver::start_down();
    let run = sync("burst around the end", &down)
        .env("OTEL_BLRP_MAX_QUEUE_SIZE", "1")
        .env("RUST_LOG", "info")
        .run();
    assert_eq!(run.code(), 0);
    let printed = run.own_stderr();
    assert_eq!(printed.lines().count(), 11_000, "each line is printed");
    let notices = run.notices();
    assert!((2..=4).contains(&notices.len()), "{notices:?}");
    let total = "10000 of 10000 log records were not exported";
    assert!(
        notices.iter().any(|notice| notice.starts_with(total)),
        "{notices:?}"
    );
}

#[test]
fn a_program_that_may_wait_for_room_loses_nothing() {
    let receiver = Receiver::start();
    receiver.script(
        Signal::Logs,
        [Reply::ok().after(Duration::from_millis(200))],
    );
    let run = sync("storm", &receiver)
        .env("NEMO_LENS_LOGS_QUEUE_BYTES", "100000")
        .env("NEMO_LENS_WAIT_WHEN_FULL", "20000")
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    assert_eq!(receiver.logs().count(), 64_000);
}

#[test]
fn a_program_waits_for_room_no_longer_than_it_may() {
    let receiver = Receiver::start();
    receiver.always(&Reply::hang());
    let run = sync("burst", &receiver)
        .env("OTEL_BLRP_MAX_QUEUE_SIZE", "9990")
        .env("NEMO_LENS_WAIT_WHEN_FULL", "20")
        .env("NEMO_LENS_SHUTDOWN_TIMEOUT", "100")
        .run();
    assert_eq!(run.code(), 0);
    let told = "9990 log records, or 64 MiB of them, wait to be exported";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    assert!(
        run.stderr.contains("10 dropped, queue full"),
        "{}",
        run.stderr
    );
}

#[test]
fn requests_have_as_many_records_as_the_variables_say_and_leave_when_they_do() {
    let receiver = Receiver::start();
    let mut program = sync("burst until told", &receiver)
        .env("OTEL_TRACES_EXPORTER", "none")
        .env("OTEL_BLRP_MAX_EXPORT_BATCH_SIZE", "300")
        .env("OTEL_BLRP_SCHEDULE_DELAY", "60000")
        .stdin()
        .start();
    // Nothing is due yet: what waits for more is less than a request, if anything.
    assert!(receiver.wait_for_logs(9_701, super::PATIENCE));
    program.tell("end");
    let run = program.finish();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    assert_eq!(receiver.logs().count(), 10_000);
    let sizes: Vec<_> = (receiver.attempts().iter())
        .map(|attempt| attempt.items)
        .collect();
    assert!(sizes.iter().all(|size| *size <= 300), "{sizes:?}");
}

// https://github.com/open-telemetry/opentelemetry-rust/issues/2578
#[test]
fn a_request_that_is_too_large_is_split_and_every_record_arrives_once() {
    for protocol in PROTOCOLS {
        let receiver = Receiver::start();
        receiver.take_at_most(20_000);
        let run = program!("sync", "burst")
            .exporting(&receiver.endpoint(), protocol)
            // So many requests take their time beside other tests.
            .env("NEMO_LENS_SHUTDOWN_TIMEOUT", "60000")
            .run();
        assert_eq!((run.code(), run.stderr.as_str()), (0, ""), "{protocol}");
        let logs = receiver.logs().to_vec();
        let mut arrived = bodies(&logs);
        arrived.sort_unstable();
        let mut emitted: Vec<_> = (0..10_000)
            .map(|i| format!("line {i} of a burst"))
            .collect();
        emitted.sort_unstable();
        assert!(arrived == emitted, "{protocol}: {} arrived", arrived.len());
    }
}

#[test]
fn a_record_that_is_too_large_is_cut_and_its_neighbours_arrive_whole() {
    for protocol in PROTOCOLS {
        let receiver = Receiver::start();
        receiver.take_at_most(5_000);
        let run = program!("sync", "one large among small")
            .exporting(&receiver.endpoint(), protocol)
            .run();
        assert_eq!(run.code(), 0);
        let notices = run.notices();
        assert_eq!(notices.len(), 1, "{notices:?}");
        let told = "one of the log records is too large for the receiver, its texts are cut";
        assert!(notices[0].starts_with(told), "{notices:?}");
        let cut = format!(
            "{}… [cut from 100000 bytes, too large for the receiver]",
            "x".repeat(1024)
        );
        let logs = receiver.logs().to_vec();
        assert_eq!(bodies(&logs), ["before", &cut, "after"], "{protocol}");
    }
}

#[test]
fn a_record_that_cannot_be_cut_enough_is_counted_and_its_neighbours_are_not() {
    let receiver = Receiver::start();
    receiver.take_at_most(1_000);
    let run = sync("one large among small", &receiver).run();
    assert_eq!(bodies(&receiver.logs().to_vec()), ["before", "after"]);
    let notices = run.notices();
    assert!(
        notices[1].contains("too large for the receiver, it is dropped"),
        "{notices:?}"
    );
    assert!(
        notices[2].starts_with("1 of 3 log records were not exported"),
        "{notices:?}"
    );
}

#[test]
fn a_record_takes_no_memory_but_that_of_its_buffer() {
    let receiver = Receiver::start();
    let run = program!("allocations", "")
        .exporting(&receiver.endpoint(), "http/protobuf")
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    let [
        formatted,
        fixed,
        in_a_span,
        event,
        by_level,
        by_filter,
        no_event,
    ] = numbers(&run.stdout)[..]
    else {
        panic!("{}", run.stdout)
    };
    // Buffers grow, are full, and others begin: not more often than that.
    let buffers = 500;
    let most = formatted.max(fixed).max(in_a_span).max(event);
    assert!(most <= buffers, "{}", run.stdout);
    assert_eq!((by_level, by_filter, no_event), (0, 0, 0));
    assert_eq!(receiver.logs().count(), 40_004);
}

#[test]
#[cfg(target_os = "linux")]
fn memory_is_bounded_and_what_finds_no_room_is_counted() {
    let receiver = Receiver::start();
    receiver.always(&Reply::hang());
    let run = program!("sync", "more than there is room for")
        .exporting(&receiver.endpoint(), "http/protobuf")
        .run();
    assert_eq!(run.code(), 0);
    let [grown, emitted, lost] = numbers(&run.stdout)[..] else {
        panic!("{}", run.stdout)
    };
    // 64 MiB of records, and what it takes to hold them.
    assert!((32 << 10..96 << 10).contains(&grown), "{grown} KiB");
    assert_eq!((emitted, lost), (800_001, 800_001));
    let notices = run.notices();
    assert!(
        notices
            .iter()
            .any(|notice| notice.contains("64 MiB of log records wait")),
        "{notices:?}"
    );
}
