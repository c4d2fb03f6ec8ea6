//! What a span costs whose group is off, and a measurement where lens is, in instructions: a
//! function with it minus the same function without, both in one run under callgrind.
//!
//! `cargo bench -p lens-benches --bench span_off`; needs `valgrind`.

use std::hint::black_box;
use std::pin::pin;
use std::process::ExitCode;
use std::task::{Context, Poll, Waker};

use lens_benches::callgrind;

/// How often each function is called in the measured run.
const CALLS: u64 = 10_000;
/// What is measured, each without a span and with one, and how many instructions more the
/// latter may have: a load, a test and a jump, and the registers saved for the case that it is
/// on; a future is moved into another one, too.
const FORMS: [(&str, f64); 5] = [
    ("function", 25.0),
    ("fallible", 25.0),
    ("guard", 25.0),
    ("future", 100.0),
    ("measurement", 25.0),
];

mod bare {
    use super::black_box;

    #[inline(never)]
    pub fn function(i: u64) -> u64 {
        black_box(i) ^ 7
    }

    #[inline(never)]
    pub fn fallible(i: u64) -> Result<u64, String> {
        black_box(i).checked_add(7).ok_or_else(String::new)
    }

    #[inline(never)]
    pub fn guard(i: u64) -> u64 {
        black_box(i) ^ 7
    }

    pub async fn future(i: u64) -> Result<u64, String> {
        black_box(i).checked_add(7).ok_or_else(String::new)
    }

    #[inline(never)]
    pub fn measurement(i: u64) -> u64 {
        black_box(i) ^ 7
    }
}

mod traced {
    use super::black_box;

    #[lens::trace(group = "off", fields(i))]
    #[inline(never)]
    pub fn function(i: u64) -> u64 {
        black_box(i) ^ 7
    }

    #[lens::trace(group = "off", fields(i))]
    #[inline(never)]
    pub fn fallible(i: u64) -> Result<u64, String> {
        black_box(i).checked_add(7).ok_or_else(String::new)
    }

    #[inline(never)]
    pub fn guard(i: u64) -> u64 {
        let _span = lens::span!("guard", group = "off", i);
        black_box(i) ^ 7
    }

    #[lens::trace(group = "off", fields(i))]
    pub async fn future(i: u64) -> Result<u64, String> {
        black_box(i).checked_add(7).ok_or_else(String::new)
    }

    #[inline(never)]
    pub fn measurement(i: u64) -> u64 {
        lens::counter!("calls", i, optimizer = "sgd");
        black_box(i) ^ 7
    }
}

/// Polls a future that is ready, as a function that no loop swallows.
#[inline(never)]
fn ready<T>(future: impl Future<Output = T>) -> Poll<T> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

macro_rules! loops {
    ($($name:ident: $call:expr;)*) => {
        /// A loop for each function; callgrind counts from one's start to its end.
        mod loops {
            $(
                #[inline(never)]
                pub fn $name(call: impl Fn(u64)) {
                    (0..super::CALLS).for_each(call);
                }
            )*

            #[inline(never)]
            pub fn end() {
                super::black_box(());
            }
        }

        const LOOPS: &[&str] = &[$(stringify!($name)),*];

        fn run_loops() {
            let quiet = lens::Builder::new().env(lens::Env::default()).silent(true);
            let _off = quiet.enabled(false).start();
            $(loops::$name(|i| _ = black_box($call(black_box(i))));)*
            loops::end();
        }
    };
}

loops! {
    function_bare: bare::function;
    function_traced: traced::function;
    fallible_bare: bare::fallible;
    fallible_traced: traced::fallible;
    guard_bare: bare::guard;
    guard_traced: traced::guard;
    future_bare: |i| ready(bare::future(i));
    future_traced: |i| ready(traced::future(i));
    measurement_bare: bare::measurement;
    measurement_traced: traced::measurement;
}

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "loops") {
        run_loops();
        return ExitCode::SUCCESS;
    }
    let Some(counts) = callgrind::count("span_off", &["loops"], LOOPS) else {
        return ExitCode::SUCCESS;
    };
    let count = |form: &str, kind: &str| counts[&*format!("{form}_{kind}")] as f64 / CALLS as f64;
    let is_fine = callgrind::compare(
        ["bare", "off"],
        &FORMS,
        |form| count(form, "bare"),
        |form| count(form, "traced"),
    );
    if is_fine {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
