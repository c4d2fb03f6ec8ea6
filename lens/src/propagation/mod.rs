//! The formats in which the active span goes from one process to the next.

#[cfg(test)]
mod arbitrary_tests;
mod b3;
mod baggage;
mod composite;
mod lines;
mod trace_context;

pub(crate) use composite::composite;
