//! Which combinations are legal; prints nothing.

mod logger_init;
mod main;
mod test;
mod trace;

pub(crate) use main::{Body, Main, main};
pub(crate) use test::{Test, test};
pub(crate) use trace::{Trace, trace};
