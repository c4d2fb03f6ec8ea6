//! Sixteen threads at full speed, and a receiver that does whatever it likes.
//!
//! The same seed gives the same receiver. For longer, and to see how fast the program was:
//!
//! ```text
//! LENS_CHAOS_SEED=7 LENS_CHAOS_SECONDS=60 \\
//!     cargo test --release -p lens-tests --test process chaos -- --nocapture
//! ```

use std::collections::HashSet;
use std::time::Duration;

use fastrand::Rng;
use lens_testkit::{Receiver, Reply, Signal, Span};

use super::storm::Storm;
use super::{PROTOCOLS, numbers, program};

/// What the program keeps to be exported, of each signal, in bytes.
const QUEUE: u64 = 1_000_000;
/// What it may grow by, in KiB: the queues, requests on their way, sixteen threads.
const GROWTH: u64 = 64 * 1024;

/// A number from the environment of the tests, which a person sets to look for more.
fn asked(name: &str, or: u64) -> u64 {
    std::env::var(name).map_or(or, |text| text.parse().expect("a number"))
}

/// How long a receiver takes: longer where the program runs for longer, since the test keeps what
/// arrives.
fn pause(rng: &mut Rng, seconds: u64) -> Duration {
    Duration::from_millis(rng.u64(..5 * (seconds + 2)))
}

/// A receiver in good health.
fn healthy(_: &mut Rng, _: &str) -> Reply {
    Reply::ok()
}

/// One that may do anything.
fn broken(rng: &mut Rng, protocol: &str) -> Reply {
    let (busy, bad) = if protocol == "grpc" {
        (14, 3)
    } else {
        (503, 400)
    };
    match rng.u8(..100) {
        0..10 => Reply::status(busy),
        10..13 => Reply::status(busy).retry_after(1),
        13..20 => Reply::status(bad),
        20..28 => Reply::partial(1, "at random"),
        28..34 => Reply::close(),
        34..40 => Reply::reset(),
        40..45 => Reply::oversize(1 << 16),
        45..47 => Reply::hang(),
        _ => Reply::ok(),
    }
}

/// Runs the program against a receiver that gives these; returns how many calls it made.
fn calls(seconds: u64, protocol: &str, reply: fn(&mut Rng, &str) -> Reply) -> u64 {
    let receiver = Receiver::start();
    let mut rng = Rng::with_seed(asked("LENS_CHAOS_SEED", 8));
    for signal in [Signal::Logs, Signal::Traces] {
        let replies =
            std::iter::repeat_with(|| reply(&mut rng, protocol).after(pause(&mut rng, seconds)));
        receiver.script(
            signal,
            replies.take(usize::try_from(seconds).unwrap_or(1) * 400),
        );
    }
    let queue = QUEUE.to_string();
    let run = program!("sync", "chaos")
        .arg(seconds.to_string())
        .exporting(&receiver.endpoint(), protocol)
        .env("NEMO_LENS_LOGS_QUEUE_BYTES", queue)
        .env("OTEL_EXPORTER_OTLP_TIMEOUT", "1500")
        .limit(Duration::from_secs(seconds + 60))
        .run();
    assert_eq!(run.code(), 0);
    assert_eq!(
        run.own_stderr(),
        "",
        "no panic, nothing of the libraries below"
    );
    let [logs, spans, grown] = run.stdout.lines().collect::<Vec<_>>()[..] else {
        panic!("{}", run.stdout)
    };
    let (logs, spans) = (Storm::of(logs), Storm::of(spans));
    // What was taken on a connection that ended before it could be said comes twice.
    let arrived = receiver.logs().to_vec();
    let arrived = arrived.iter().map(|log| (log.span_id(), log.body_str()));
    logs.assert_whole(arrived.collect::<HashSet<_>>().len());
    let arrived = receiver.spans().to_vec();
    spans.assert_whole(
        arrived
            .iter()
            .map(Span::span_id)
            .collect::<HashSet<_>>()
            .len(),
    );
    let [grown] = numbers(grown)[..] else {
        panic!("{grown}")
    };
    assert!(grown < GROWTH, "{grown} KiB");
    logs.passed()
}

#[test]
fn each_item_is_in_one_count_whatever_the_receiver_does() {
    let seconds = asked("LENS_CHAOS_SECONDS", 2);
    for protocol in PROTOCOLS {
        let beside_broken = calls(seconds, protocol, broken);
        let beside_healthy = calls(seconds, protocol, healthy);
        println!(
            "{protocol}: {} records a second beside a broken receiver, {} beside a \
             healthy one",
            beside_broken / seconds,
            beside_healthy / seconds
        );
    }
}
