//! What `log::info!` costs the thread that calls it, above formatting its message: lens beside
//! `opentelemetry-appender-log` with the SDK's batch processor, in one run.
//!
//! `cargo bench -p lens-benches --bench emit`; nanoseconds of CPU time of one call, the least of
//! several rounds in which all take turns. Nothing is lost: the SDK's queue is long enough and
//! its exporter throws everything away, lens sends to a server that answers and throws away.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use cpu_time::ThreadTime;
use lens::opentelemetry_sdk::error::OTelSdkResult;
use lens::opentelemetry_sdk::logs::{
    BatchConfigBuilder, BatchLogProcessor, LogBatch, LogExporter, SdkLoggerProvider,
};
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

#[derive(Debug)]
struct Nowhere;

impl LogExporter for Nowhere {
    async fn export(&self, _: LogBatch<'_>) -> OTelSdkResult {
        Ok(())
    }
}

/// A server that takes every request; returns its address.
fn sink() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || answer(stream));
        }
    });
    format!("http://{address}")
}

fn answer(stream: TcpStream) -> Option<()> {
    let mut requests = BufReader::new(stream.try_clone().ok()?);
    let mut replies = stream;
    let (mut line, mut length) = (String::new(), 0_usize);
    loop {
        line.clear();
        if requests.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let lower = line.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line == "\r\n" {
            std::io::copy(
                &mut requests.by_ref().take(length as u64),
                &mut std::io::sink(),
            )
            .ok()?;
            replies
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
                .ok()?;
        }
    }
}

/// Nanoseconds of CPU time of one call, of each of so many threads on average.
fn time(threads: usize, call: fn(u32)) -> f64 {
    let run = move || {
        let began = ThreadTime::now();
        (0..CALLS).for_each(call);
        began.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
    };
    let all: Vec<_> = (0..threads).map(|_| thread::spawn(run)).collect();
    let times = all
        .into_iter()
        .map(|thread| thread.join().expect("no panic"));
    times.sum::<f64>() / threads as f64
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
    let config = BatchConfigBuilder::default()
        .with_max_queue_size(4 * CALLS as usize)
        .with_max_export_batch_size(512)
        .build();
    let batch = BatchLogProcessor::builder(Nowhere)
        .with_batch_config(config)
        .build();
    let provider = SdkLoggerProvider::builder()
        .with_log_processor(batch)
        .build();
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
