//! From `log::info!` to an OpenTelemetry log record, next to the console it keeps.

mod convert;
mod held_back;
mod install;
mod local;
mod logger;
mod value;

pub use install::Bridge;

pub(crate) use convert::about_main;
pub(crate) use held_back::{tell_all, tell_due};
pub(crate) use install::{take_slot, unreachable_level};
pub(crate) use logger::release_held_panic;
