//! Whole programs, run as children, and what a receiver got from them.

use std::time::Duration;

use lens_testkit::{LogRecord, Program, Receiver};

mod answers;
mod chaos;
#[cfg(unix)]
mod connections;
mod console;
mod correlation;
mod exits;
mod explain;
mod file;
#[cfg(unix)]
mod forks;
mod input;
mod load;
mod metrics;
mod outages;
mod own;
mod propagation;
mod records;
mod roots;
mod runtimes;
mod scopes;
mod settings;
#[cfg(unix)]
mod signals;
mod stats;
mod storm;
mod subscribed;
mod system;
mod throttling;

/// What a test waits for what must come, at most.
const PATIENCE: Duration = Duration::from_secs(20);

const PROTOCOLS: [&str; 2] = ["http/protobuf", "grpc"];

/// A program of this package by its name, doing what the mode says.
macro_rules! program {
    ($name:literal, $mode:expr) => {
        lens_testkit::bin!($name).arg($mode)
    };
}
use program;

/// The program without a runtime, sending to `receiver`.
fn sync(mode: &str, receiver: &Receiver) -> Program {
    program!("sync", mode).exporting(&receiver.endpoint(), "http/protobuf")
}

fn bodies(logs: &[LogRecord]) -> Vec<&str> {
    logs.iter().map(LogRecord::body_str).collect()
}

/// The numbers in what a program printed.
fn numbers(text: &str) -> Vec<u64> {
    let words = text.split_whitespace();
    words.map(|word| word.parse().expect("a number")).collect()
}

/// What panics print, without the ids of their threads.
fn without_digits(text: &str) -> String {
    text.replace(|c: char| c.is_ascii_digit(), "")
}

/// What was printed, without the times that consoles put in front of it.
fn timeless(text: &str) -> String {
    let before_time = |piece| {
        let before =
            str::trim_end_matches(piece, |c: char| c.is_ascii_digit() || "-:.TZ".contains(c));
        match without_digits(&piece[before.len()..]).as_str() {
            "--T::Z" | "--T::.Z" => before,
            _ => piece,
        }
    };
    text.split_inclusive('Z').map(before_time).collect()
}
