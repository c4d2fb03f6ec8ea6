//! What a call of `log::info!` and its like costs, in instructions above a logger that does
//! nothing, or only formats the message where lens exports it: both run under callgrind.
//!
//! `cargo bench -p lens-benches --bench log_cost`; needs `valgrind`.

use std::collections::HashMap;
use std::hint::black_box;
use std::process::ExitCode;

use lens_benches::callgrind;
use log::{LevelFilter, Log, Metadata, Record};

/// How often each call is counted: few enough that nothing of it is sent meanwhile.
const CALLS: u32 = 200;
/// What is measured, and how many instructions it may have above the logger that does nothing:
/// what lens has today and some more, since compilers change.
const FORMS: [(&str, f64); 4] = [
    ("off_by_level", 1.0),
    ("off_by_filter", 230.0),
    ("exported", 1_600.0),
    ("exported_in_a_span", 1_900.0),
];

/// Formats what lens would export, and throws it away.
struct Nothing;

impl Log for Nothing {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        if record.target() != "noisy" {
            black_box(record.args().to_string());
        }
    }

    fn flush(&self) {}
}

/// A loop for each call; callgrind counts from one's start to the next one's.
mod loops {
    use super::CALLS;

    #[inline(never)]
    pub fn off_by_level() {
        (0..CALLS).for_each(|i| log::debug!("iteration {i}"));
    }

    #[inline(never)]
    pub fn off_by_filter() {
        (0..CALLS).for_each(|i| log::info!(target: "noisy", "iteration {i}"));
    }

    #[inline(never)]
    pub fn exported() {
        (0..CALLS).for_each(|i| log::info!("iteration {i}"));
    }

    #[inline(never)]
    pub fn between() {
        super::black_box("a span begins");
    }

    /// Other words, or the compiler would make it the same function.
    #[inline(never)]
    pub fn exported_in_a_span() {
        (0..CALLS).for_each(|i| log::info!("step {i} of it"));
    }

    #[inline(never)]
    pub fn end() {
        super::black_box(());
    }
}

const LOOPS: [&str; 5] = [
    "off_by_level",
    "off_by_filter",
    "exported",
    "between",
    "exported_in_a_span",
];

fn run_loops() {
    // What is done only once is done.
    log::info!("the first one");
    log::info!(target: "noisy", "the first one");
    loops::off_by_level();
    loops::off_by_filter();
    loops::exported();
    loops::between();
    let span = lens::span!("step");
    loops::exported_in_a_span();
    loops::end();
    drop(span);
}

fn with_lens() {
    let lens = lens::Builder::new()
        .filter("info,noisy=off")
        .local("off")
        // Nobody is there; what is emitted waits.
        .endpoint("http://127.0.0.1:9")
        .start();
    run_loops();
    drop(lens);
}

fn with_nothing() {
    log::set_logger(&Nothing).expect("the first logger");
    log::set_max_level(LevelFilter::Info);
    run_loops();
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("nothing") => with_nothing(),
        Some("lens") => with_lens(),
        _ => return compare(),
    }
    ExitCode::SUCCESS
}

fn compare() -> ExitCode {
    let count = |logger: &str| callgrind::count("log_cost", &[logger], &LOOPS);
    let (Some(nothing), Some(lens)) = (count("nothing"), count("lens")) else {
        return ExitCode::SUCCESS;
    };
    let of = |counts: &HashMap<&str, u64>, form: &str| counts[form] as f64 / f64::from(CALLS);
    let is_fine = callgrind::compare(
        ["nothing", "lens"],
        &FORMS,
        |form| of(&nothing, form),
        |form| of(&lens, form),
    );
    if is_fine {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
