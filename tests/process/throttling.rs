//! Receivers that say when they want to be asked again.

use std::time::{Duration, Instant};

use lens_testkit::{Receiver, Reply};

use super::answers::{SIGNALS, answered, arrived};
use super::{PATIENCE, program};

#[test]
fn a_receiver_is_left_alone_as_long_as_it_says() {
    let seconds = Reply::status(503).retry_after(1);
    let info = Reply::status(8).retry_after(1);
    let unavailable = Reply::status(14).retry_after(1);
    for (protocol, reply) in [
        ("http/protobuf", seconds.clone()),
        ("http/json", seconds),
        ("grpc", info),
        ("grpc", unavailable),
    ] {
        let (receiver, _) = answered(protocol, &[reply.clone(), reply]);
        assert_eq!(arrived(&receiver), [1, 1, 1], "{protocol}");
        for signal in SIGNALS {
            let attempts = receiver.attempts().of(signal);
            attempts
                .assert_count(3)
                .assert_same_payload()
                .assert_gaps(Duration::from_millis(950)..=PATIENCE);
        }
    }
}

#[test]
fn what_says_nothing_of_a_time_is_a_pause_as_ever() {
    let after = |value: &'static str| Reply::status(429).header("retry-after", value);
    for (protocol, reply) in [
        ("http/protobuf", after("Sun, 06 Nov 1994 08:49:37 GMT")),
        ("http/protobuf", after("soon")),
        ("grpc", Reply::status(14).retry_after(0)),
    ] {
        let (receiver, _) = answered(protocol, &[reply]);
        assert_eq!(arrived(&receiver), [1, 1, 1], "{protocol}");
        receiver.attempts().assert_count(6);
    }
}

#[test]
fn a_receiver_that_wants_more_time_than_there_is_costs_none_at_the_end() {
    let receiver = Receiver::start();
    receiver.always(&Reply::status(503).header("retry-after", "3600"));
    let began = Instant::now();
    let run = program!("sync", "log")
        .sending_to(&receiver, "http/protobuf")
        .env("NEMO_LENS_SHUTDOWN_TIMEOUT", "30000")
        .run();
    assert!(
        began.elapsed() < Duration::from_secs(15),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(run.code(), 0);
    let notices = run.notices();
    assert!(
        notices[0].ends_with("503 Service Unavailable; 1 log records waiting"),
        "{notices:?}"
    );
    assert!(notices[1].contains("(1 failed)"), "{notices:?}");
    receiver.attempts().assert_count(1);
}
