//! Programs that emit much: how much is printed, to be compared with what arrived.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use lens::SignalStats;

/// 100 steps of 10,000 records, one each 50 ms.
pub fn steps() {
    let began = Instant::now();
    for step in 0..100 {
        (0..10_000).for_each(|i| log::info!("line {i} of step {step}"));
        let end = began + (step + 1) * Duration::from_millis(50);
        thread::sleep(end.saturating_duration_since(Instant::now()));
    }
}

/// 100 steps of 200 spans.
pub fn spans() {
    for step in 0..100 {
        let _span = lens::span!("step", step);
        (1..200).for_each(|i| drop(lens::span!("micro batch", i)));
    }
}

/// 16 threads with 4,000 records each that pass the filter, and as many that do not; prints how
/// many passed, and the accounting.
///
/// With `cut_short` lens is stopped while they are at it. The first number is then how many had
/// passed before, the second how many passed in all.
pub fn storm(cut_short: bool) {
    const THREADS: u64 = 16;
    const EACH: u64 = 4_000;
    static PASSED: AtomicU64 = AtomicU64::new(0);
    let threads: Vec<_> = (0..THREADS)
        .map(|thread| {
            thread::spawn(move || {
                for i in 0..EACH {
                    log::debug!("passed over");
                    log::info!(i, thread; "line {i} of thread {thread}");
                    PASSED.fetch_add(1, Relaxed);
                }
            })
        })
        .collect();
    let stop = || lens::handle().shutdown(Duration::from_secs(20));
    let (before, report) = if cut_short {
        while PASSED.load(Relaxed) < THREADS * EACH / 4 {
            thread::yield_now();
        }
        (PASSED.load(Relaxed), Some(stop()))
    } else {
        (THREADS * EACH, None)
    };
    threads
        .into_iter()
        .for_each(|thread| thread.join().expect("no panic"));
    let report = report.unwrap_or_else(stop);
    // Also what came while it stopped has met its fate by now.
    let logs = lens::handle().stats().logs;
    assert!(logs.emitted >= report.stats.logs.emitted);
    println!("{before} {}", PASSED.load(Relaxed));
    print_stats(&logs);
}

/// 16 threads that log as fast as they can for so many seconds, now and then in a span; prints
/// the accounting of both, each after how many there were, and by how many KiB the process grew.
pub fn chaos(seconds: u64) {
    log::info!("one line");
    let before = peak();
    let end = Instant::now() + Duration::from_secs(seconds);
    let threads: Vec<_> = (0..16_u64)
        .map(|thread| {
            thread::spawn(move || {
                let (mut lines, mut spans) = (0, 0);
                while Instant::now() < end {
                    spans += 1;
                    let _span = lens::span!("round", thread);
                    for i in 0..100 {
                        log::info!(i, thread; "line {i} of thread {thread}");
                    }
                    lines += 100;
                }
                (lines, spans)
            })
        })
        .collect();
    let (mut lines, mut spans) = (1, 0);
    for thread in threads {
        let (of_lines, of_spans) = thread.join().expect("no panic");
        lines += of_lines;
        spans += of_spans;
    }
    let stats = lens::handle().shutdown(Duration::from_secs(20)).stats;
    print!("{lines} {lines} ");
    print_stats(&stats.logs);
    print!("{spans} {spans} ");
    print_stats(&stats.spans);
    println!("{}", peak() - before);
}

fn print_stats(stats: &SignalStats) {
    println!(
        "{} {} {} {} {} {} {}",
        stats.emitted,
        stats.exported,
        stats.dropped.total(),
        stats.failed,
        stats.rejected,
        stats.unknown,
        stats.pending
    );
}

/// Logs more than there is room for, from two threads; prints by how many KiB the process grew,
/// and the accounting.
pub fn overfull() {
    log::info!("one line");
    let before = peak();
    let threads = [0, 1].map(|thread| {
        thread::spawn(move || {
            (0..400_000).for_each(|i| log::info!("line {i} of thread {thread}, and some words"));
        })
    });
    for thread in threads {
        thread.join().expect("no panic");
    }
    let report = lens::handle().shutdown(Duration::from_secs(1));
    println!("{}", peak() - before);
    println!("{}", report.stats.logs.emitted);
    println!("{}", report.stats.logs.lost());
}

/// The most memory that the process had, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number
        .and_then(|number| number.parse().ok())
        .expect("a number of kB")
}
