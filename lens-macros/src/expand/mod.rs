//! Prints tokens; cannot fail.

mod arguments;
mod main;
mod paths;
mod returned;
mod run;
mod setters;
mod test;
mod trace;

pub(crate) use main::main;
pub(crate) use run::run;
pub(crate) use test::test;
pub(crate) use trace::trace;
