//! From tokens to arguments and a function; knows no rule about their combination.

mod args;
mod attrs;
mod block;
mod call;
mod errors;
mod field;
mod func;
mod key;
mod near;

pub(crate) use args::{Args, Value, parse_args};
pub(crate) use attrs::Attributes;
pub(crate) use block::{Block, Item, ItemKind, functions, parse_block};
pub(crate) use call::{MetricCall, SpanCall, parse_metric, parse_record, parse_span, split_path};
pub(crate) use errors::Errors;
pub(crate) use field::{Capture, Field};
pub(crate) use func::{FnItem, other_item, parse_fn};
pub(crate) use key::{BRIDGE, MAIN, TEST, TRACE};
pub(crate) use near::nearest;
