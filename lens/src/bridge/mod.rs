//! From `log::info!` to an OpenTelemetry log record, next to the console it keeps.

mod convert;
mod install;
mod local;
mod logger;
mod value;

pub use install::Bridge;

pub(crate) use convert::about_main;
pub(crate) use install::{take_slot, unreachable_level};
pub(crate) use logger::release_held_panic;
