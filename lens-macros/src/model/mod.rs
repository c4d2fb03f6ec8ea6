//! Which combinations are legal; prints nothing.

mod logger_init;
mod main;
mod test;
mod trace;

pub(crate) use main::{Body, Main, main, main_without_sdk};
pub(crate) use test::{Test, test};
pub(crate) use trace::{Trace, TraceBlock, Traced, trace};
