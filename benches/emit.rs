//! What `log::info!` costs the thread that calls it, above formatting its message: lens beside
//! `opentelemetry-appender-log` with the SDK's batch processor, in one run.
//!
//! `cargo bench -p lens-benches --bench emit`; nanoseconds of CPU time of one call, the least of
//! several rounds in which all take turns. Nothing is lost: the SDK's queue is long enough and
//! its exporter throws everything away, lens sends to a server that answers and throws away.

use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::time::Duration;

use lens::opentelemetry_sdk::logs::SdkLoggerProvider;
use lens_benches::{lossless, sink};
use log::{LevelFilter, Log, Metadata, Record};
use opentelemetry_appender_log::OpenTelemetryLogBridge;

const CALLS: u32 = 20_000;
const ROUNDS: usize = 15;

/// Which logger is behind lens.
static BEHIND: AtomicU8 = AtomicU8::new(NOBODY);
const NOBODY: u8 = 0;
const PEER: u8 = 1;

/// Hands records to the peer when it is its turn.
struct Behind(OpenTelemetryLogBridge<SdkLoggerProvider, lens::opentelemetry_sdk::logs::SdkLogger>);

impl Log for Behind {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        BEHIND.load(Relaxed) == PEER && self.0.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        if BEHIND.load(Relaxed) == PEER {
            self.0.log(record);
        }
    }

    fn flush(&self) {}
}

/// Nanoseconds of CPU time of one call, of each of so many threads on average.
fn time(threads: usize, call: fn(u32)) -> f64 {
    lens_benches::time(threads, CALLS, call)
}

fn log_one(i: u32) {
    log::info!("iteration {} loss {:.4}", i, f64::from(i) * 0.001);
}

fn format_one(i: u32) {
    let mut text = String::new();
    let _ = write!(text, "iteration {} loss {:.4}", i, f64::from(i) * 0.001);
    black_box(text);
}

fn main() {
    let provider = lossless(CALLS);
    let behind = Behind(OpenTelemetryLogBridge::new(&provider));
    let _lens = lens::Builder::new()
        .endpoint(sink())
        .level("info")
        .local((LevelFilter::Info, behind))
        .start();
    let lens = lens::handle();
    println!("CPU time of the calling thread, ns a call");
    println!(
        "threads  formatting  off  filtered  appender-log  lens  lens / appender-log, above formatting"
    );
    for threads in [1, 2] {
        let mut best = [f64::INFINITY; 5];
        for _ in 0..ROUNDS {
            let format = time(threads, format_one);
            lens.set_filter("off,emit=off").expect("directives");
            log::set_max_level(LevelFilter::Off);
            let off = time(threads, log_one);
            log::set_max_level(LevelFilter::Info);
            let filtered = time(threads, log_one);
            BEHIND.store(PEER, Relaxed);
            let peer = time(threads, log_one);
            BEHIND.store(NOBODY, Relaxed);
            let _ = provider.force_flush();
            lens.set_filter("").expect("directives");
            let own = time(threads, log_one);
            let report = lens.flush(Duration::from_secs(10));
            assert_eq!(
                report.stats.logs.lost(),
                0,
                "nothing may be lost: {:?}",
                report.stats
            );
            for (best, measured) in best.iter_mut().zip([format, off, filtered, peer, own]) {
                *best = best.min(measured);
            }
        }
        let [format, off, filtered, peer, own] = best;
        // The peer stands behind lens, which asks itself first.
        let peer = peer - filtered;
        let ratio = (own - format) / (peer - format);
        println!(
            "{threads:>7} {format:>11.0} {off:>4.1} {filtered:>9.1} {peer:>13.0} {own:>5.0} {ratio:>10.2}"
        );
    }
}
