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

use super::load::{Storm, numbers};
use super::{PROTOCOLS, program};

/// What the program keeps to be exported, of each signal, in bytes.
const QUEUE: u64 = 1_000_000;
/// What it may grow by, in KiB: the queues, requests on their way, sixteen threads.
const GROWTH: u64 = 64 * 1024;

/// A number from the environment of the tests, which a person sets to look for more.
fn asked(name: &str, or: u64) -> u64 {
    std::env::var(name).map_or(or, |text| text.parse().expect("a number"))
}

/// A receiver in good health, which takes its time.
fn healthy(rng: &mut Rng) -> Reply {
    Reply::ok().after(Duration::from_millis(rng.u64(..20)))
}

/// One that may do anything.
fn broken(rng: &mut Rng, protocol: &str) -> Reply {
    let (busy, bad) = if protocol == "grpc" {
        (14, 3)
    } else {
        (503, 400)
    };
    let reply = match rng.u8(..100) {
        0..10 => Reply::status(busy),
        10..13 => Reply::status(busy).retry_after(1),
        13..20 => Reply::status(bad),
        20..28 => Reply::partial(1, "at random"),
        28..34 => Reply::close(),
        34..40 => Reply::reset(),
        40..45 => Reply::oversize(1 << 16),
        45..47 => Reply::hang(),
        _ => Reply::ok(),
    };
    reply.after(Duration::from_millis(rng.u64(..20)))
}

/// Runs the program against a receiver that gives these; returns how many calls it made.
fn calls(seconds: u64, protocol: &str, mut reply: impl FnMut() -> Reply) -> u64 {
    let receiver = Receiver::start();
    for signal in [Signal::Logs, Signal::Traces] {
        let replies = std::iter::repeat_with(&mut reply);
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
    let seed = asked("LENS_CHAOS_SEED", 8);
    let seconds = asked("LENS_CHAOS_SECONDS", 2);
    for protocol in PROTOCOLS {
        let mut rng = Rng::with_seed(seed);
        let beside_broken = calls(seconds, protocol, || broken(&mut rng, protocol));
        let beside_healthy = calls(seconds, protocol, || healthy(&mut rng));
        println!(
            "{protocol}, seed {seed}: {} records a second beside a broken receiver, {} beside a \
             healthy one",
            beside_broken / seconds,
            beside_healthy / seconds
        );
    }
}
