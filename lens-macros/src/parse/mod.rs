//! From tokens to arguments and a function; knows no rule about their combination.

mod args;
mod errors;
mod func;
mod key;
mod near;

pub(crate) use args::{Args, Field, Value, parse_args};
pub(crate) use errors::Errors;
pub(crate) use func::{FnItem, parse_fn};
pub(crate) use key::{MAIN, TEST, TRACE};
