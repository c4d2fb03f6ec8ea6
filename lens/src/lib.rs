//! One attribute on `main` bridges the `log` crate to OpenTelemetry: every line carries the
//! active span's `trace_id` and `span_id`, leaves over OTLP, and is delivered at every exit
//! a program can have.
//!
//! ```no_run
//! mod training {
//!     #[lens::trace(name = "train.step", fields(iteration = i))]
//!     pub fn step(i: u64) {
//!         log::info!(loss = 1.23; "iteration {i}");
//!     }
//! }
//!
//! #[lens::main(logs = true, level = "info", logger = "crate::training")]
//! fn main() {
//!     for i in 0..10 {
//!         training::step(i);
//!     }
//! }
//! ```
//!
//! * [`main`]: the attribute, its arguments and variables; [`Builder`] does the same by hand.
//! * [`trace`] and [`span!`]: spans; [`thread::spawn`] and [`spawn`] keep them.
//! * [`Bridge`]: for a program that has a logger provider of its own.
//! * [`handle`]: flush, shutdown, accounting.
//!
//! Telemetry never panics, blocks or changes the host program. What lens has to say is a
//! line on stderr that begins `lens: `; `OTEL_LOG_LEVEL=off` turns these off.
//!
//! lens re-exports the OpenTelemetry crates it uses, so that versions never differ.

// words everybody uses
mod error;
mod semconv;
mod stats;

// tools without state
mod diag;
mod env;
mod os;
mod reentry;

// what was asked
mod config;

// facing the outside
mod open_spans;
mod resource;
mod transport;

// what exporters do
mod export;

// thread to exporter
mod pipeline;

// the assembled providers
mod providers;

// what is installed
mod state;

// flushed and ended
mod lifecycle;

// bridged log records
mod bridge;

// what code touches
mod panics;
mod span;
#[cfg(feature = "tokio")]
mod task;
pub mod thread;

// what users hold
mod handle;

// how it starts
mod start;

// how tests see
#[cfg(feature = "__testkit")]
#[doc(hidden)]
#[path = "testkit.rs"]
pub mod __testkit;

// what macros print
#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

// what attributes mean
mod macros;

pub use bridge::Bridge;
pub use config::{Builder, IntoLocal, Local};
pub use env::Env;
pub use error::Error;
pub use handle::{Guard, Handle, current_trace_id, handle};
pub use macros::{main, trace};
pub use span::{Field, Instrumented, SpanGuard};
pub use stats::{Dropped, Report, SignalStats, Stats};
#[cfg(feature = "tokio")]
pub use task::spawn;

pub use opentelemetry;
pub use opentelemetry_sdk;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
