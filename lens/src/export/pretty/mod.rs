//! For a person at a terminal: spans as a tree, with the log lines inside them.

mod convert;
mod forest;
mod line;
mod terminal;

pub use forest::{Node, print_nodes};
pub use line::{LogLine, SpanLine, SpanStatus, Style};

pub(crate) use terminal::Pretty;
