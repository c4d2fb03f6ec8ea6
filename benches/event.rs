//! What an event of `tracing` costs the thread that makes it, above formatting its message: beside a
//! record of `log`, and beside `opentelemetry-appender-tracing` with the SDK's batch processor, in
//! one run.
//!
//! `cargo bench -p lens-benches --features tracing --bench event`. First instructions, counted by
//! callgrind where that is installed: an event may have 1.5 times those of a record. Then
//! nanoseconds of CPU time of one call, the least of several rounds in which all take turns. Nothing
//! is lost: the SDK's queue is long enough and its exporter throws everything away, lens sends to a
//! server that answers and throws away.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

use lens_benches::{callgrind, lossless, sink, time, time_here};
use opentelemetry_appender_tracing::layer::OpenTelemetryTracingBridge;
use tracing::Dispatch;
use tracing::dispatcher::with_default;
use tracing_subscriber::prelude::*;

type Call = fn(u32);

const CALLS: u32 = 2_000;
const ROUNDS: usize = 300;
/// How often each call is counted: few enough that nothing of it is sent meanwhile.
const COUNTED: u32 = 200;
/// How many times the instructions of a record an event may have.
const ALLOWED: f64 = 1.5;
/// What an event may have that is filtered out: what `tracing` itself needs to see that.
const ALLOWED_OFF: f64 = 60.0;

/// A loop for each call; callgrind counts from one's start to the next one's.
mod loops {
    use super::COUNTED;

    #[inline(never)]
    pub fn formatted() {
        (0..COUNTED).for_each(super::format_one);
    }

    #[inline(never)]
    pub fn off() {
        (0..COUNTED).for_each(|i| tracing::info!(target: "noisy", "iteration {i}"));
    }

    #[inline(never)]
    pub fn log() {
        (0..COUNTED).for_each(super::log_one);
    }

    #[inline(never)]
    pub fn event() {
        (0..COUNTED).for_each(super::event_one);
    }

    #[inline(never)]
    pub fn log_fields() {
        (0..COUNTED).for_each(super::log_fields);
    }

    #[inline(never)]
    pub fn event_fields() {
        (0..COUNTED).for_each(super::event_fields);
    }

    #[inline(never)]
    pub fn end() {
        super::black_box(());
    }
}

const LOOPS: [&str; 6] = [
    "formatted",
    "off",
    "log",
    "event",
    "log_fields",
    "event_fields",
];

fn run_loops() {
    let _lens = lens::Builder::new()
        .filter("info,noisy=off")
        .local("off")
        .tracing(true)
        // Nobody is there; what is emitted waits.
        .endpoint("http://127.0.0.1:9")
        .start();
    // What is done only once is done.
    (0..2).for_each(|i| {
        tracing::info!(target: "noisy", "iteration {i}");
        let calls = [format_one, log_one, event_one, log_fields, event_fields];
        calls.iter().for_each(|call| call(i));
    });
    loops::formatted();
    loops::off();
    loops::log();
    loops::event();
    loops::log_fields();
    loops::event_fields();
    loops::end();
}

/// Whether an event has no more instructions than it may.
fn count() -> bool {
    let Some(counts) = callgrind::count("event", &["loops"], &LOOPS) else {
        return true;
    };
    let of = |form: &str| counts[form] as f64 / f64::from(COUNTED);
    let above = |form: &str| of(form) - of("formatted");
    println!("instructions of a call, above formatting its message");
    let mut is_fine = true;
    for (log, event) in [("log", "event"), ("log_fields", "event_fields")] {
        let (own, ratio) = (above(event), above(event) / above(log));
        println!(
            "{event}: {own:.0}, of a record {:.0}: {ratio:.2} ({ALLOWED} allowed)",
            above(log)
        );
        is_fine &= ratio <= ALLOWED;
    }
    let off = of("off");
    println!("filtered out: {off:.1} ({ALLOWED_OFF} allowed)\n");
    is_fine && off <= ALLOWED_OFF
}

thread_local! {
    static TEXT: RefCell<String> = RefCell::new(String::with_capacity(128));
}

/// Into a text that is there already, as neither lens nor its peer takes memory for it.
fn format_one(i: u32) {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        let _ = write!(text, "iteration {} loss {:.4}", i, f64::from(i) * 0.001);
        black_box(text);
    });
}

fn log_one(i: u32) {
    log::info!("iteration {} loss {:.4}", i, f64::from(i) * 0.001);
}

fn event_one(i: u32) {
    tracing::info!("iteration {} loss {:.4}", i, f64::from(i) * 0.001);
}

fn log_fields(i: u32) {
    log::info!(rank = i % 8, loss = 0.5, optimizer = "sgd"; "iteration {} loss {:.4}", i, f64::from(i) * 0.001);
}

fn event_fields(i: u32) {
    tracing::info!(
        rank = i % 8,
        loss = 0.5,
        optimizer = "sgd",
        "iteration {} loss {:.4}",
        i,
        f64::from(i) * 0.001
    );
}

/// The same with a subscriber for the one thread, as the peer has it.
fn subscribed(subscriber: &Dispatch, call: Call) -> f64 {
    with_default(subscriber, || time_here(CALLS, call))
}

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "loops") {
        run_loops();
        return ExitCode::SUCCESS;
    }
    let is_fine = count();
    measure();
    match is_fine {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn measure() {
    let provider = lossless(CALLS);
    let bridge = OpenTelemetryTracingBridge::new(&provider);
    let peer = Dispatch::new(tracing_subscriber::registry().with(bridge));
    let own = Dispatch::new(tracing_subscriber::registry().with(lens::layer()));
    let _lens = lens::Builder::new()
        .endpoint(sink())
        .level("info")
        .tracing(true)
        .local("off")
        .start();
    let lens = lens::handle();
    println!("CPU time of the calling thread, ns a call; ratios are above formatting\n");
    println!(
        "| record | formatting | `log` | event | event / `log` | event, of a thread's subscriber | appender-tracing, the same | lens / appender-tracing |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let kinds: [(&str, Call, Call); 2] = [
        ("a message", log_one, event_one),
        ("and three fields", log_fields, event_fields),
    ];
    for (kind, log, event) in kinds {
        let mut best = [f64::INFINITY; 5];
        for _ in 0..ROUNDS {
            let format = time(1, CALLS, format_one);
            let by_log = time(1, CALLS, log);
            let by_event = time(1, CALLS, event);
            let scoped = subscribed(&own, event);
            let report = lens.flush(Duration::from_secs(10));
            assert_eq!(report.stats.logs.lost(), 0, "{:?}", report.stats);
            let by_peer = subscribed(&peer, event);
            let _ = provider.force_flush();
            let measured = [format, by_log, by_event, scoped, by_peer];
            for (best, measured) in best.iter_mut().zip(measured) {
                *best = best.min(measured);
            }
        }
        let [format, by_log, by_event, scoped, by_peer] = best;
        let to_log = (by_event - format) / (by_log - format);
        let to_peer = (scoped - format) / (by_peer - format);
        println!(
            "| {kind} | {format:.0} | {by_log:.0} | {by_event:.0} | {to_log:.2} | {scoped:.0} | {by_peer:.0} | {to_peer:.2} |"
        );
    }
    assert!(lens.stats().logs.emitted > 0, "{:?}", lens.stats());
}
