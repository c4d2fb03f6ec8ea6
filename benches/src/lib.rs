//! What lens costs, each thing beside what it is compared with, in one run.
//!
//! `cargo bench -p lens-benches` runs them all. Times are for reading; what must not creep is
//! counted in instructions, and fails the run.

pub mod callgrind;
mod sink;
mod timed;

pub use sink::{lossless, sink};
pub use timed::{time, time_here};
