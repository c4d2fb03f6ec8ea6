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
//! * [`trace`] and [`span!`]: spans; [`thread::spawn`], [`spawn`] and [`spawn_blocking`] keep
//!   them, [`extract`] and [`inject`] take them from process to process.
//! * [`Bridge`]: for a program that has a logger provider of its own.
//! * [`counter!`], [`up_down_counter!`], [`gauge!`], [`histogram!`]: metrics.
//! * [`Builder::tracing`]: programs that use `tracing`.
//! * [`handle`]: flush, shutdown, accounting, a meter.
//! * [`explain`]: what is in effect, why, and what receivers answer.
//!
//! Telemetry never panics, blocks or changes the host program. What lens has to say is a
//! line on stderr that begins `lens: `; `OTEL_LOG_LEVEL=off` turns these off.
//!
//! # What a log record becomes
//!
#![doc = include_str!("../docs/log-record.md")]
//!
//! # Features
//!
//! * `sdk` (default): everything a program needs to export. Without it lens is the API only,
//!   for libraries: spans, groups, scopes and metrics, by OpenTelemetry's global providers.
//! * `tls` (default): `https` endpoints. `env_logger` (default): the console of
//!   `env_logger::init()`. `tokio` (default): `lens::spawn`.
//! * `tower`: a layer for servers (axum, hyper). `http`, `tonic`: their headers and metadata carry
//!   contexts.
//! * `tracing`: its spans and events on the same path, by the same filters and with the same ids.
//! * `structured`: lists and maps in the key-values of log records.
//!
//! lens re-exports the OpenTelemetry crates it uses, so that versions never differ.

// words everybody uses
mod asked;
mod during;
mod epoch;
mod error;
mod semconv;
#[cfg(feature = "sdk")]
mod stats;

// tools without state
mod context;
mod diag;
#[cfg(feature = "sdk")]
mod env;
mod groups;
#[cfg(feature = "tracing")]
mod levels;
#[cfg(feature = "sdk")]
mod os;
mod reentry;
mod scopes;
#[cfg(feature = "sdk")]
mod span_fields;
mod text;

// what went wrong
mod failure;

// what was asked
#[cfg(feature = "sdk")]
mod config;

// facing the outside
#[cfg(feature = "sdk")]
mod ids;
#[cfg(feature = "sdk")]
mod open_spans;
#[cfg(feature = "sdk")]
mod propagation;
#[cfg(feature = "sdk")]
mod transport;

// who sends
#[cfg(feature = "sdk")]
mod resource;

// which records leave
#[cfg(feature = "sdk")]
mod admission;

// what is sent
#[cfg(feature = "sdk")]
mod encode;

// what exporters do
#[cfg(feature = "sdk")]
mod export;

// thread to exporter
#[cfg(feature = "sdk")]
mod pipeline;

// the assembled providers
#[cfg(feature = "sdk")]
mod providers;

// what is installed
#[cfg(feature = "sdk")]
mod state;

// bridged log records
#[cfg(feature = "sdk")]
mod bridge;

// flushed and ended
#[cfg(feature = "sdk")]
mod lifecycle;

// from process to process
mod carrier;

// what code touches
#[cfg(feature = "sdk")]
mod panics;
mod span;
mod switch;

// what code measures
mod metrics;

// frameworks around it
#[cfg(feature = "tower")]
pub mod tower;

// where code runs
pub mod process;
#[cfg(feature = "tokio")]
mod task;
pub mod thread;

// what users hold
#[cfg(feature = "sdk")]
mod explain;
#[cfg(feature = "sdk")]
mod handle;

// spans and events of `tracing`
#[cfg(feature = "tracing")]
mod tracing;

// how it starts
#[cfg(feature = "sdk")]
mod start;

// an annotated main
#[cfg(feature = "sdk")]
mod entry;

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

#[cfg(feature = "sdk")]
pub use bridge::Bridge;
pub use carrier::{Carrier, CarrierMut, extract, inject, inject_context};
#[cfg(feature = "sdk")]
pub use config::{
    Batch, Builder, Export, IntoLocal, IntoStrategy, IntoTracing, Limits, Local, Strategy, Tracing,
};
#[cfg(feature = "sdk")]
pub use env::Env;
pub use error::Error;
#[cfg(feature = "sdk")]
pub use explain::{Explanation, explain};
#[cfg(feature = "sdk")]
pub use handle::{Guard, Handle, handle};
pub use macros::{bridge, main, trace};
pub use metrics::{Amount, Number, Observation};
pub use span::{Field, Instrumented, SpanGuard, current_trace_id};
#[cfg(feature = "sdk")]
pub use stats::{Dropped, Report, SignalStats, Stats};
pub use switch::set_groups;
#[cfg(feature = "tokio")]
pub use task::{spawn, spawn_blocking};
#[cfg(feature = "tracing")]
pub use tracing::layer;

pub use opentelemetry;
#[cfg(feature = "sdk")]
pub use opentelemetry_sdk;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
