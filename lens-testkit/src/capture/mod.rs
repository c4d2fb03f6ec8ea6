//! Telemetry of one test, kept in memory, though the process has one logger and one tracer
//! provider for all tests.

mod convert;
mod handle;
mod registry;
mod router;
mod settings;
mod sink;
mod store;

pub use handle::{Capture, CaptureGuard, Captured};
pub use settings::CaptureBuilder;

pub(crate) use registry::install;
