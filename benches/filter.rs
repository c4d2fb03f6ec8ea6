//! What it costs to decide that a record is not bridged, beside `env_filter`.
//!
//! `cargo bench -p lens-benches --bench filter`; nanoseconds of one call, the least of several
//! rounds in which all take turns.

use std::hint::black_box;
use std::time::Instant;

use log::{Level, LevelFilter, Metadata};

const CALLS: u32 = 1_000_000;
const ROUNDS: usize = 15;
const DIRECTIVES: [usize; 3] = [1, 10, 1_000];

/// Directives for so many loggers, none of which is this one.
fn directives(count: usize) -> String {
    let others: Vec<_> = (1..count)
        .map(|i| format!("other_{i}::module=debug"))
        .collect();
    format!("info,filter=off,{}", others.join(","))
}

/// The nanoseconds of one call.
fn time(mut call: impl FnMut()) -> f64 {
    let began = Instant::now();
    for _ in 0..CALLS {
        call();
    }
    began.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
}

fn main() {
    let _lens = lens::Builder::new()
        .logs(true)
        // Nobody is there; what is filtered is not even formatted, and nothing is sent.
        .endpoint("http://127.0.0.1:9")
        .local("off")
        .start();
    let peers = DIRECTIVES.map(|count| {
        let mut builder = env_filter::Builder::new();
        builder.parse(&directives(count)).build()
    });
    let mut best = [[f64::INFINITY; 3]; 3];
    for _ in 0..ROUNDS {
        for (place, count) in DIRECTIVES.into_iter().enumerate() {
            log::set_max_level(LevelFilter::Off);
            let own = time(|| log::info!("{}", black_box(1)));
            log::set_max_level(LevelFilter::Trace);
            lens::handle()
                .set_filter(&directives(count))
                .expect("directives");
            assert!(log::max_level() >= LevelFilter::Info, "lens is asked");
            let lens = time(|| log::info!("{}", black_box(1)));
            let metadata = Metadata::builder()
                .level(Level::Info)
                .target(module_path!())
                .build();
            let peer = time(|| _ = black_box(peers[place].enabled(black_box(&metadata))));
            for (best, measured) in best[place].iter_mut().zip([own, lens, peer]) {
                *best = best.min(measured);
            }
        }
    }
    println!("a record that is filtered out by its logger's name, ns");
    println!("directives  log's own check  with lens  lens alone  env_filter  lens / env_filter");
    for (count, [own, lens, peer]) in DIRECTIVES.into_iter().zip(best) {
        let alone = lens - own;
        println!(
            "{count:>10} {own:>16.2} {lens:>10.2} {alone:>11.2} {peer:>11.2} {:>18.2}",
            alone / peer
        );
    }
}
