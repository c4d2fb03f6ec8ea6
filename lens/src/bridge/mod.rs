//! From `log::info!` to an OpenTelemetry log record, next to the console it keeps.

mod about;
mod body;
mod event_name;
mod held_back;
mod install;
mod limit;
mod local;
mod logger;
mod own;
mod site;
#[cfg(feature = "structured")]
mod structured;
mod taken;
mod value;

pub use install::Bridge;

pub(crate) use about::about_main;
pub(crate) use held_back::{tell_all, tell_due};
pub(crate) use install::{take_slot, unreachable_level};
pub(crate) use logger::release_held_panic;
