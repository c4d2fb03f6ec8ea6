//! What is done with a batch: encoded for OTLP, or written to stdout or a file.

mod console;
mod file;
mod item;
mod json;
mod otlp;
mod oversize;
mod points;
mod pretty;
mod request;
mod text;

pub(crate) use console::Console;
pub(crate) use file::JsonLines;
pub(crate) use item::{Collected, Item, Log, Units};
pub(crate) use json::json;
pub(crate) use otlp::Encoder;
pub(crate) use oversize::{Smaller, smaller};
pub(crate) use pretty::Pretty;

pub use pretty::{LogLine, Node, SpanLine, SpanStatus, Style, print_nodes};
pub use text::{kind as kind_name, string as text_value};
