//! Prints tokens; cannot fail.

mod arguments;
mod braces;
mod bridge;
mod main;
mod metric;
mod paths;
mod returned;
mod root;
mod run;
mod setters;
mod site;
mod span;
mod test;
mod trace;

#[cfg(test)]
#[path = "printed_tests.rs"]
mod printed_tests;

pub(crate) use bridge::{bridge, bridge_module};
pub(crate) use main::main;
pub(crate) use metric::metric;
pub(crate) use run::{run, run_call, run_items};
pub(crate) use span::{record, span};
pub(crate) use test::test;
pub(crate) use trace::trace;
