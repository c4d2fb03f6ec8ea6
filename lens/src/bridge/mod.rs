//! From `log::info!`, and the events of `tracing`, to an OpenTelemetry log record, next to the
//! console that stays.

mod about;
mod admitted;
mod body;
#[cfg(feature = "tracing")]
mod event;
mod event_name;
#[cfg(feature = "tracing")]
mod field;
mod held_back;
mod install;
mod limit;
mod local;
mod logger;
mod origin;
mod own;
mod site;
#[cfg(feature = "structured")]
mod structured;
mod taken;
mod value;

pub use install::Bridge;

pub(crate) use about::about_main;
pub(crate) use admitted::release_held_panic;
#[cfg(feature = "tracing")]
pub(crate) use event::{note_event, take_event};
#[cfg(feature = "tracing")]
pub(crate) use field::{Each, Given};
pub(crate) use held_back::{tell_all, tell_due};
pub(crate) use install::{take_slot, unreachable_level};
