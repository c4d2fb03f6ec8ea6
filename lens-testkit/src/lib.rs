//! Proves in a test that the right line was logged in the right span.
//!
//! ```
//! use lens_testkit::{Capture, Level};
//!
//! mod shop {
//!     #[lens::trace(name = "charge")]
//!     pub fn charge(order: u64) {
//!         log::warn!("order.id" = order; "card declined");
//!     }
//! }
//!
//! #[lens_testkit::test]
//! fn declined_card_is_logged_inside_the_charge_span(cap: Capture) {
//!     shop::charge(7);
//!     let charge = cap.spans().name("charge").one();
//!     cap.logs().level(Level::Warn).body("card declined").one()
//!         .in_span(&charge)
//!         .has_attr("order.id", 7);
//! }
//! # fn main() { let cap = Capture::new(); cap.in_scope(|| shop::charge(7)); cap.logs().one(); }
//! ```
//!
//! * [`macro@test`] captures what a test emits, [`Capture`] does so by hand. Tests run in
//!   parallel, and each sees its own telemetry and no other.
//! * [`Logs`] and [`Spans`] ask and assert; a failure shows what came closest and the tree of
//!   everything that was captured.
//! * [`Capture::tree`] is that tree as text, the same from run to run.
//! * [`Receiver`] is an OTLP receiver whose replies a test scripts, [`bin!`] runs a program
//!   that sends to it.

mod os;

mod watched;

mod model;

mod matchers;

mod normalise;

mod query;

mod tree;

mod capture;

mod receiver;

mod program;

mod expect;

mod secrets;

mod attribute;

pub use capture::{Capture, CaptureBuilder, CaptureGuard, Captured};
pub use matchers::{SpanMatch, TextMatch, ValueMatch, any, contains, loose, prefix, suffix};
pub use model::{Event, Link, LogRecord, Point, Span, Status, Value};
pub use program::{Program, Run, Running};
pub use query::{Logs, Metrics, Spans};
pub use receiver::{Attempt, Attempts, Receiver, Reply, Signal};
pub use tree::TraceTree;

#[cfg(feature = "tls")]
pub use receiver::{Certificate, Identity};

pub use log::Level;

/// Captures what a test emits: put it on a test in place of `#[test]`.
///
/// ```
/// use lens_testkit::Capture;
///
/// #[lens_testkit::test]
/// fn one_line(cap: Capture) {
///     log::info!("hello");
///     cap.logs().body("hello").one();
/// }
///
/// #[lens_testkit::test(flavor = "multi_thread", worker_threads = 4)]
/// async fn from_a_task(cap: Capture) {
///     let _ = lens::spawn(async { log::info!("hello") }).await;
///     cap.logs().body("hello").wait().await.one();
/// }
/// # fn main() {}
/// ```
///
/// Takes sync and async functions, with or without the [`Capture`] as their argument, that
/// return nothing or a `Result`; other attributes are kept. A test that fails shows what was
/// captured. A test that passes must leave nothing behind: no span that never ended, no
/// context that stays attached.
///
/// # Arguments
///
/// * `flavor = "multi_thread"`, `worker_threads = 4`, `start_paused = true`: of the tokio
///   runtime an async test runs on; default `"current_thread"`.
/// * `level = "debug"`, `logger = "shop"`, `filter = "warn,shop=debug"`: what is captured;
///   default everything.
/// * `groups = "step"`: which span groups are on; default all.
/// * `resource(team = "core")`: attributes of the sender.
/// * `env(OTEL_SERVICE_NAME = "billing")`: variables that lens sees in this test alone.
/// * `sampler = "always_off"`, `ids = "counting"`.
/// * `strict = false`: a test may leave something behind.
/// * `isolation = "process"`: the test runs in a process of its own.
/// * `crate = path`: for a renamed dependency.
pub use lens_macros::test;

#[doc(hidden)]
pub use lens::__returns;

/// Every name that generated code may use, and nothing else. Not a public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::__key as key;
    pub use crate::attribute::{Outcome, Test, run, run_async};
    pub use crate::expect::{ExpectedLog, assert_logs, assert_trace};
    pub use crate::secrets::{Searchable, no_secrets};
}

/// The name of the current thread, or its number.
pub(crate) fn thread_name() -> String {
    let thread = std::thread::current();
    match thread.name() {
        Some(name) => name.to_owned(),
        None => format!("{:?}", thread.id()),
    }
}
