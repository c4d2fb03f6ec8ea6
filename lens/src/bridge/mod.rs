//! From `log::info!` to an OpenTelemetry log record, next to the console it keeps.

mod convert;
mod error_chain;
mod install;
mod local;
mod logger;
mod text;
mod value;

pub use error_chain::Failure;
pub use install::Bridge;

pub(crate) use convert::about_main;
pub(crate) use install::{take_slot, unreachable_level};
pub(crate) use logger::release_held_panic;
