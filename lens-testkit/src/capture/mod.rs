//! Telemetry of one test, kept in memory, though the process has one logger, one tracer
//! provider and one meter provider for all tests.

mod convert;
mod handle;
mod meters;
mod registry;
mod router;
mod settings;
mod sink;
mod store;

pub use handle::{Capture, CaptureGuard, Captured};
pub use settings::CaptureBuilder;

pub(crate) use registry::install;
