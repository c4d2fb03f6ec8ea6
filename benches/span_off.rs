//! What a span costs whose group is off, in instructions: a function with a span minus the
//! same function without, both in one run under callgrind.
//!
//! `cargo bench -p lens-benches --bench span_off`; needs `valgrind`.

use std::collections::HashMap;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::pin::pin;
use std::process::{Command, ExitCode};
use std::task::{Context, Poll, Waker};

/// How often each function is called in the measured run.
const CALLS: u64 = 10_000;
/// What is measured, each without a span and with one, and how many instructions more the
/// latter may have: a load, a test and a jump, and the registers saved for the case that it is
/// on; a future is moved into another one, too.
const FORMS: [(&str, f64); 4] = [
    ("function", 25.0),
    ("fallible", 25.0),
    ("guard", 25.0),
    ("future", 100.0),
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
}

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "loops") {
        run_loops();
        return ExitCode::SUCCESS;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("span_off");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for what is counted");
    let this = std::env::current_exe().expect("a benchmark has a path");
    let callgrind = Command::new("valgrind")
        .args(["--tool=callgrind", "--dump-before=span_off::loops::*"])
        .arg(format!("--callgrind-out-file={}/out", folder.display()))
        .arg(this)
        .arg("loops")
        .output();
    let Ok(callgrind) = callgrind else {
        println!("valgrind is not installed: nothing is counted");
        return ExitCode::SUCCESS;
    };
    let said = String::from_utf8_lossy(&callgrind.stderr);
    assert!(callgrind.status.success(), "{said}");
    let counts = counts(&folder);
    let mut fine = true;
    println!("instructions of a call      bare  span off  difference  allowed");
    for (form, allowed) in FORMS {
        let count = |kind: &str| {
            let count = counts.get(format!("{form}_{kind}").as_str());
            *count.expect("each loop is counted") as f64 / CALLS as f64
        };
        let (bare, traced) = (count("bare"), count("traced"));
        let difference = traced - bare;
        println!("{form:<22} {bare:9.2} {traced:9.2} {difference:11.2} {allowed:8.2}");
        fine &= difference <= allowed;
    }
    if fine {
        ExitCode::SUCCESS
    } else {
        println!("a span that is off costs more than is allowed");
        ExitCode::FAILURE
    }
}

/// The instructions of each loop: where the next one begins a file is written, with what was
/// counted since the last file. The first has what was before all loops.
fn counts(folder: &Path) -> HashMap<&'static str, u64> {
    let files = fs::read_dir(folder).expect("the folder is there");
    let mut parts: Vec<_> = files.filter_map(|file| part(&file.ok()?.path())).collect();
    parts.sort_unstable();
    let parts = parts.into_iter().skip(1).map(|(_, count)| count);
    LOOPS.iter().copied().zip(parts).collect()
}

/// The number of a file, and what was counted.
fn part(file: &Path) -> Option<(u32, u64)> {
    let text = fs::read_to_string(file).ok()?;
    let after = |start: &str| text.lines().find_map(|line| line.strip_prefix(start));
    let number = after("part: ")?.trim().parse().ok()?;
    Some((number, after("summary: ")?.trim().parse().ok()?))
}
