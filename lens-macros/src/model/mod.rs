//! Which combinations are legal; prints nothing.

mod bridge;
mod logger_init;
mod main;
mod test;
mod trace;

pub(crate) use bridge::{Bridge, bridge, scope};
pub(crate) use main::{Body, Main, main, main_without_sdk};
pub(crate) use test::{Test, test};
pub(crate) use trace::{Trace, TraceBlock, Traced, trace};
