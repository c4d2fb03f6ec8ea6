//! SIGTERM and SIGINT: what is buffered is delivered, and the program ends as without lens.

use std::time::{Duration, Instant};

use lens_testkit::{Program, Receiver, Reply, Running};

use super::{PROTOCOLS, bodies, program};

const TERM: i32 = 15;
const INT: i32 = 2;

/// Ctrl-C; not where whoever runs the tests ignores it, and so does what they start.
fn interrupt() -> (&'static str, i32) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|ignored| u64::from_str_radix(ignored.trim(), 16).ok());
    if ignored.is_some_and(|ignored| ignored & (1 << (INT - 1)) != 0) {
        ("TERM", TERM)
    } else {
        ("INT", INT)
    }
}

/// A program that waits, and flushes when it is asked to end.
fn waiting(name: &str, receiver: &Receiver, protocol: &str) -> Program {
    let program = match name {
        "sync" => program!("sync", "burst and wait"),
        "current_thread" => program!("current_thread", "burst and wait"),
        "one_worker" => program!("one_worker", "burst and wait"),
        _ => program!("tokio_below", "burst and wait"),
    };
    let program = program.sending_to(receiver, protocol);
    // Nothing leaves by itself.
    program.env("OTEL_BLRP_SCHEDULE_DELAY", "600000")
}

/// Waits until the program has logged all.
fn until_logged(program: &mut Running) {
    assert_eq!(program.line(), "ready\n");
}

#[test]
fn what_is_buffered_is_delivered_and_the_signal_ends_the_program() {
    for name in ["sync", "current_thread", "one_worker", "tokio_below"] {
        for (protocol, (signal, number)) in PROTOCOLS.into_iter().zip([("TERM", TERM), interrupt()])
        {
            let receiver = Receiver::start();
            let program = waiting(name, &receiver, protocol);
            let mut program = program.env("NEMO_LENS_FLUSH_ON_SIGNAL", "1").start();
            until_logged(&mut program);
            program.signal(signal);
            let run = program.finish();
            assert_eq!(run.signal(), Some(number), "{name}");
            assert_eq!(run.notices(), [""; 0], "{name}");
            assert_eq!(receiver.logs().count(), 10_000, "{name}");
        }
    }
}

#[test]
fn without_the_setting_a_signal_ends_the_program_as_ever() {
    let receiver = Receiver::start();
    let mut program = waiting("sync", &receiver, "grpc").start();
    until_logged(&mut program);
    program.signal("TERM");
    assert_eq!(program.finish().signal(), Some(TERM));
}

/// A program whose records nobody answers for.
fn stuck(timeout: &str) -> (Receiver, Running) {
    let receiver = Receiver::start();
    receiver.always(&Reply::hang());
    let mut program = program!("sync", "burst and wait")
        .sending_to(&receiver, "http/protobuf")
        .env("NEMO_LENS_FLUSH_ON_SIGNAL", "true")
        .env("NEMO_LENS_SHUTDOWN_TIMEOUT", timeout)
        .start();
    until_logged(&mut program);
    (receiver, program)
}

#[test]
fn a_collector_that_hangs_costs_the_deadline() {
    let began = Instant::now();
    let (_receiver, program) = stuck("500");
    program.signal("TERM");
    let run = program.finish();
    assert_eq!(run.signal(), Some(TERM));
    assert!(
        run.stderr.contains("sent without an answer"),
        "{}",
        run.stderr
    );
    assert!(
        began.elapsed() < Duration::from_secs(15),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn a_second_signal_does_not_wait() {
    let (_receiver, mut program) = stuck("600000");
    program.signal("TERM");
    // Two that come at once may be one.
    while !program.line().contains("lens is stopping") {}
    program.signal("TERM");
    assert_eq!(program.finish().signal(), Some(TERM));
}

#[test]
fn a_handler_of_the_programs_own_is_called_and_decides() {
    for (when, signals) in [
        ("before", 1),
        ("after", 1),
        ("after, and calls lens", 3),
        ("after, and calls lens that starts again", 3),
    ] {
        let receiver = Receiver::start();
        let mut program = program!("handling", when)
            .sending_to(&receiver, "grpc")
            .start();
        for _ in 0..signals {
            until_logged(&mut program);
            program.signal("TERM");
        }
        let run = program.finish();
        assert_eq!((run.code(), run.stderr.as_str()), (7, ""), "{when}");
        let logs = receiver.logs().to_vec();
        assert_eq!(bodies(&logs), ["one line", "asked to end"], "{when}");
    }
}

#[test]
fn a_program_that_is_stopped_and_goes_on_loses_nothing() {
    let receiver = Receiver::start();
    let mut program = program!("sync", "until told")
        .sending_to(&receiver, "grpc")
        .stdin()
        .start();
    assert!(receiver.wait_for_logs(1, super::PATIENCE));
    program.signal("STOP");
    program.tell("while it was stopped");
    program.signal("CONT");
    let run = program.finish();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    let logs = receiver.logs().to_vec();
    assert_eq!(
        bodies(&logs),
        ["one line", "while it was stopped", "the end"]
    );
}
