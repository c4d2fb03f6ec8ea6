//! From what was asked (code, environment) to what is in effect.
//!
//! `builder` collects, `resolve` settles; after it nothing is optional and nobody can tell
//! where a value came from.

mod batching;
mod builder;
mod filter;
mod limits;
mod local;
mod names;
mod rank;
mod read;
mod redact;
mod resolve;
mod route;
mod table;
mod target;
mod vars;

pub use batching::Batch;
pub use builder::Builder;
pub use local::{IntoLocal, Local, marker};

pub(crate) use batching::Batching;
pub(crate) use builder::{Package, Root};
pub(crate) use filter::Filter;
pub(crate) use limits::LogLimits;
pub(crate) use local::LocalKind;
pub(crate) use names::{names_crate, parse_level, parse_names};
pub(crate) use redact::{REDACTED, Redact};
pub(crate) use resolve::{Config, resolve, resolve_bridge};
pub(crate) use route::Route;
pub(crate) use table::{Decision, Table};
pub(crate) use target::{Protocol, Target, percent_decoded};
