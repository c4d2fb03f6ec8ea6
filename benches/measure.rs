//! What a measurement costs the thread that makes it: the macros of lens beside an instrument of
//! the SDK used by hand, by the same provider, in one run.
//!
//! `cargo bench -p lens-benches --bench measure`; nanoseconds of CPU time of one call, the least
//! of several rounds in which all take turns.

use std::hint::black_box;

use cpu_time::ThreadTime;
use lens::opentelemetry::KeyValue;

const CALLS: u32 = 100_000;
const ROUNDS: usize = 21;

/// Nanoseconds of a call of `f`.
fn once(f: &mut dyn FnMut(u64)) -> f64 {
    let began = ThreadTime::now();
    for i in 0..CALLS {
        f(black_box(u64::from(i)));
    }
    began.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
}

/// The least of each, measured in turns.
fn least<const N: usize>(mut each: [&mut dyn FnMut(u64); N]) -> [f64; N] {
    let mut least = [f64::INFINITY; N];
    for _ in 0..ROUNDS {
        for (least, f) in least.iter_mut().zip(&mut each) {
            *least = least.min(once(f));
        }
    }
    least
}

fn row(what: &str, [hand, lens]: [f64; 2]) {
    println!("| {what} | {hand:.1} | {lens:.1} | {:.2} |", lens / hand);
}

fn main() {
    let quiet = || lens::Builder::new().env(lens::Env::default()).silent(true);
    let off = quiet().enabled(false).start();
    let [nothing, measured] = least([
        &mut |i| {
            black_box(i);
        },
        &mut |i| lens::counter!("bench.off", i, optimizer = "sgd"),
    ]);
    println!("off: {measured:.2} ns, where a loop without it takes {nothing:.2} ns\n");
    drop(off);

    let _lens = quiet().exporter("file:/dev/null").start();
    let meter = lens::handle().meter();
    let counter = meter.u64_counter("bench.by_hand").build();
    let histogram = meter.f64_histogram("bench.by_hand.seconds").build();
    println!("| measurement | the SDK's by hand, ns | lens, ns | ratio |");
    println!("|---|---|---|---|");
    row(
        "counter",
        least([&mut |i| counter.add(i, &[]), &mut |i| {
            lens::counter!("bench.counter", i)
        }]),
    );
    row(
        "counter, one attribute",
        least([
            &mut |i| counter.add(i, &[KeyValue::new("optimizer", "sgd")]),
            &mut |i| lens::counter!("bench.counter.of_one", i, optimizer = "sgd"),
        ]),
    );
    row(
        "counter, three attributes",
        least([
            &mut |i| {
                let rank = (i % 8) as i64;
                counter.add(
                    i,
                    &[
                        KeyValue::new("optimizer", "sgd"),
                        KeyValue::new("rank", rank),
                        KeyValue::new("last", i % 2 == 0),
                    ],
                );
            },
            &mut |i| {
                lens::counter!(
                    "bench.counter.of_three",
                    i,
                    optimizer = "sgd",
                    rank = i % 8,
                    last = i % 2 == 0
                );
            },
        ]),
    );
    row(
        "histogram, one attribute",
        least([
            &mut |i| histogram.record(i as f64, &[KeyValue::new("optimizer", "sgd")]),
            &mut |i| lens::histogram!("bench.histogram", i as f64, optimizer = "sgd"),
        ]),
    );
}
