//! The OpenTelemetry providers lens builds, and their one end.

mod build;
mod processors;
mod stop;

pub(crate) use build::Providers;
