//! What is installed in this process: the one mutable fact of lens.

mod active;
mod facts;
mod fields;
mod installed;
#[cfg(feature = "__testkit")]
pub(crate) mod scope;
#[cfg(feature = "tracing")]
mod subscribers;

pub(crate) use active::{Active, Bridge, Main};
pub(crate) use facts::{Facts, facts, set_facts};
#[cfg(feature = "tracing")]
pub(crate) use fields::asked_fields;
pub(crate) use fields::{add_field, with_fields};
pub(crate) use installed::{
    current, has_logger_slot, hold_open, inherited, install, latest, refresh_level_gate,
    set_inherited, set_local_level, set_propagator,
};
#[cfg(feature = "tracing")]
pub(crate) use subscribers::add_subscriber;
