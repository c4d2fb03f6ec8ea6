//! The only network code: one attempt to deliver the bytes of one request.
//!
//! In: bytes and a target. Out: what the receiver made of them, or the fault and whether
//! trying again can help. Never retries, never counts, never follows a redirect.

mod client;
mod connect;
mod fault;
mod grpc;
mod http;
mod payload;
mod probe;
mod prompt;
mod wait;

pub(crate) use client::{Attempt, Client};
pub(crate) use fault::Fault;
pub(crate) use payload::Payload;
pub(crate) use probe::{Probe, probe};
