//! What comes of each answer of a receiver: for each signal, over each protocol.

use std::time::Duration;

use lens_testkit::{Program, Receiver, Reply, Run, Signal};

use super::{PATIENCE, program};

pub(super) const SIGNALS: [Signal; 3] = [Signal::Logs, Signal::Traces, Signal::Metrics];
const ALL: [&str; 3] = ["http/protobuf", "http/json", "grpc"];
const HTTP: [&str; 2] = ["http/protobuf", "http/json"];
const GRPC: [&str; 1] = ["grpc"];

/// Sends one item of each signal to a receiver that answers each with these, and then takes it.
pub(super) fn answered(protocol: &str, replies: &[Reply]) -> (Receiver, Run) {
    let receiver = Receiver::start();
    let run = one_of_each(&receiver, protocol, replies).run();
    assert_eq!(run.code(), 0);
    (receiver, run)
}

fn one_of_each(receiver: &Receiver, protocol: &str, replies: &[Reply]) -> Program {
    for signal in SIGNALS {
        receiver.script(signal, replies.iter().cloned());
    }
    program!("sync", "one of each").sending_to(receiver, protocol)
}

/// How many items arrived, in the order of `SIGNALS`.
pub(super) fn arrived(receiver: &Receiver) -> [usize; 3] {
    [
        receiver.logs().count(),
        receiver.spans().count(),
        receiver.metrics().count(),
    ]
}

/// How often these words were said.
fn told(run: &Run, words: &str) -> usize {
    run.stderr.matches(words).count()
}

#[test]
fn what_can_be_retried_is_retried_and_nothing_arrives_twice() {
    let of = |codes: &[u16]| codes.iter().copied().map(Reply::status).collect();
    let closed = |code| vec![Reply::status(code), Reply::close(), Reply::reset()];
    let rows: [(&[&str], Vec<Reply>); 4] = [
        (&HTTP, of(&[429, 502, 503, 504])),
        (&HTTP, closed(503)),
        (&GRPC, of(&[1, 4, 10, 11, 14, 15])),
        (&GRPC, closed(14)),
    ];
    for (protocols, replies) in rows {
        for protocol in protocols {
            let (receiver, _) = answered(protocol, &replies);
            assert_eq!(arrived(&receiver), [1, 1, 1], "{protocol} {replies:?}");
            for signal in SIGNALS {
                let attempts = receiver.attempts().of(signal);
                attempts
                    .assert_count(replies.len() + 1)
                    .assert_same_payload()
                    .assert_gaps(Duration::from_millis(9)..=PATIENCE);
            }
        }
    }
}

#[test]
fn what_cannot_be_retried_is_not() {
    let rows: [(&[&str], u16, &str); 14] = [
        (&HTTP, 301, "redirects are not followed"),
        (&HTTP, 400, "400 Bad Request"),
        (&HTTP, 401, "check the credentials"),
        (&HTTP, 403, "check the credentials"),
        (&HTTP, 404, "check the endpoint's path"),
        (&HTTP, 500, "500 Internal Server Error"),
        (&HTTP, 501, "501 Not Implemented"),
        (&GRPC, 2, "UNKNOWN"),
        (&GRPC, 3, "INVALID_ARGUMENT"),
        (&GRPC, 7, "PERMISSION_DENIED"),
        (&GRPC, 8, "RESOURCE_EXHAUSTED"),
        (&GRPC, 12, "UNIMPLEMENTED"),
        (&GRPC, 13, "INTERNAL"),
        (&GRPC, 16, "UNAUTHENTICATED"),
    ];
    for (protocols, code, words) in rows {
        for protocol in protocols {
            let refusal = Reply::status(code).header("location", "http://127.0.0.1:1/");
            let (receiver, run) = answered(protocol, &[refusal]);
            assert_eq!(arrived(&receiver), [0, 0, 0], "{protocol} {code}");
            receiver.attempts().assert_count(3);
            assert_eq!(told(&run, words), 3, "{protocol}: {}", run.stderr);
            assert_eq!(told(&run, "(1 failed)"), 3, "{protocol}: {}", run.stderr);
        }
    }
}

#[test]
fn an_answer_that_cannot_be_read_is_still_a_success() {
    for protocol in ALL {
        for reply in [Reply::malformed(), Reply::oversize(5 << 20)] {
            let (receiver, run) = answered(protocol, &[reply]);
            assert_eq!(run.stderr, "", "{protocol}");
            receiver.attempts().assert_count(3);
        }
    }
}

#[test]
fn a_partial_success_is_counted_and_not_sent_again() {
    for protocol in ALL {
        let (receiver, run) = answered(protocol, &[Reply::partial(1, "too old")]);
        receiver.attempts().assert_count(3);
        assert_eq!(told(&run, "too old"), 3, "{protocol}: {}", run.stderr);
        assert_eq!(told(&run, "(1 rejected)"), 3, "{protocol}: {}", run.stderr);

        // Nothing is rejected, so nothing is wrong.
        let (receiver, run) = answered(protocol, &[Reply::partial(0, "a newer path is there")]);
        receiver.attempts().assert_count(3);
        assert_eq!(run.stderr, "", "{protocol}");
    }
}

#[test]
fn an_attempt_without_an_answer_ends_and_is_made_again() {
    for protocol in ALL {
        let receiver = Receiver::start();
        let run = one_of_each(&receiver, protocol, &[Reply::hang()])
            .env("OTEL_EXPORTER_OTLP_TIMEOUT", "1000")
            .run();
        assert_eq!(run.code(), 0);
        assert_eq!(arrived(&receiver), [1, 1, 1], "{protocol}: {}", run.stderr);
        receiver.attempts().assert_count(6);
    }
}

#[test]
fn one_item_that_is_too_large_is_made_smaller_or_counted() {
    for (protocols, refusal) in [(&HTTP[..], 413), (&GRPC[..], 8)] {
        for protocol in protocols {
            let refusal = Reply::status(refusal).message("message larger than max (1 vs. 0)");
            let (receiver, run) = answered(protocol, &vec![refusal; 9]);
            assert_eq!(arrived(&receiver), [0, 0, 0], "{protocol}");
            assert!(receiver.attempts().len() <= 6, "{protocol}");
            assert_eq!(told(&run, "(1 failed)"), 3, "{protocol}: {}", run.stderr);
        }
    }
}
