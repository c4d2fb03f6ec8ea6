//! What `log::info!` costs the thread that calls it, above formatting its message: lens beside
//! `opentelemetry-appender-log` with the SDK's batch processor, in one run.
//!
//! `cargo bench -p lens-benches --bench emit`; nanoseconds of CPU time of one call, the least of
//! many rounds. Each logger has processes of its own, which take turns, since there is one slot in a
//! process. Nothing is lost: the SDK's queue is long enough and its exporter throws everything away,
//! lens sends to a server that answers and throws away.

use std::fmt::Write as _;
use std::hint::black_box;
use std::process::Command;
use std::time::Duration;

use lens::Builder;
use lens_benches::{lossless, sink, time};
use log::LevelFilter;
use opentelemetry_appender_log::OpenTelemetryLogBridge;

const CALLS: u32 = 20_000;
/// How often each process measures, and how many there are for each logger.
const ROUNDS: usize = 20;
const TURNS: usize = 5;

/// What is measured, in the order of the table.
const MODES: [&str; 5] = ["formatting", "off", "filtered", "appender-log", "lens"];

fn log_one(i: u32) {
    log::info!("iteration {} loss {:.4}", i, f64::from(i) * 0.001);
}

fn format_one(i: u32) {
    let mut text = String::new();
    let _ = write!(text, "iteration {} loss {:.4}", i, f64::from(i) * 0.001);
    black_box(text);
}

/// The least of several rounds, with whatever is between them.
fn least(threads: usize, call: fn(u32), between: impl Fn()) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        least = least.min(time(threads, CALLS, call));
        between();
    }
    least
}

/// With lens, and no console.
fn with_lens(threads: usize, filter: &str) -> f64 {
    let _lens = Builder::new()
        .endpoint(sink())
        .filter(filter)
        .local("off")
        .start();
    let lens = lens::handle();
    let least = least(threads, log_one, || {
        lens.flush(Duration::from_secs(10));
    });
    let logs = lens.stats().logs;
    assert_eq!(logs.lost(), 0, "nothing may be lost: {logs:?}");
    let is_on = logs.exported > 0;
    assert_eq!(is_on, filter == "info", "{logs:?}");
    least
}

fn with_peer(threads: usize) -> f64 {
    let provider = lossless(CALLS);
    let bridge = Box::new(OpenTelemetryLogBridge::new(&provider));
    log::set_boxed_logger(bridge).expect("the first logger");
    log::set_max_level(LevelFilter::Info);
    least(threads, log_one, || _ = provider.force_flush())
}

fn measure(mode: &str, threads: usize) -> f64 {
    match mode {
        "formatting" => least(threads, format_one, || {}),
        "off" => with_lens(threads, "warn"),
        "filtered" => with_lens(threads, "info,emit=off"),
        "appender-log" => with_peer(threads),
        "lens" => with_lens(threads, "info"),
        _ => panic!("{mode} is nothing that is measured"),
    }
}

/// The same in a process of its own.
fn measured_apart(mode: &str, threads: usize) -> f64 {
    let this = std::env::current_exe().expect("a benchmark has a path");
    let output = Command::new(this)
        .args([mode, &threads.to_string()])
        .output()
        .expect("a process");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{mode}: {said}");
    let printed = String::from_utf8_lossy(&output.stdout);
    printed.trim().parse().expect("a number")
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if let [mode, threads] = &arguments[..] {
        let threads = threads.parse().expect("a number of threads");
        return println!("{}", measure(mode, threads));
    }
    println!("CPU time of the calling thread, ns a call\n");
    println!(
        "| threads | {} | lens / appender-log, above formatting |",
        MODES.join(" | ")
    );
    println!("|---|---|---|---|---|---|---|");
    for threads in [1, 2] {
        let mut best = [f64::INFINITY; MODES.len()];
        for _ in 0..TURNS {
            for (best, mode) in best.iter_mut().zip(MODES) {
                *best = best.min(measured_apart(mode, threads));
            }
        }
        let [formatting, off, filtered, peer, lens] = best;
        let ratio = (lens - formatting) / (peer - formatting);
        println!(
            "| {threads} | {formatting:.0} | {off:.1} | {filtered:.1} | {peer:.0} | {lens:.0} | {ratio:.2} |"
        );
    }
}
