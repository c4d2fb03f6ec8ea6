//! For a person at a terminal: spans as a tree, with the log lines inside them.

mod forest;
mod line;
mod terminal;

pub(crate) use terminal::Pretty;
