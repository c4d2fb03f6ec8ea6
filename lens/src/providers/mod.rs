//! The OpenTelemetry providers lens builds, and their one end.

mod build;
mod meters;
mod processors;
mod spans;
mod stop;

#[cfg(feature = "__testkit")]
pub use processors::{Redactor, TrackOpen};

pub(crate) use build::Providers;
pub(crate) use meters::Meters;
