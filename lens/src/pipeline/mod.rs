//! From the calling thread to the exporter: a bounded queue, and the worker that empties it.

mod delivery;
mod drain;
mod front;
mod lane;
mod room;
mod sender;
mod worker;

pub(crate) use front::Scope;
pub(crate) use lane::Lane;
pub(crate) use sender::Sink;
pub(crate) use worker::{Errand, Every, Stop, Tick, Worker};
