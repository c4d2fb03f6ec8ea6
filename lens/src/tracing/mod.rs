//! Programs that use `tracing`: its spans and events on the path of everything else, and records
//! of `log` to its subscriber.

mod forward;
mod given;
mod install;
mod kept;
mod layer;
mod spans;
mod wanted;

pub use layer::layer;

#[cfg(feature = "__testkit")]
pub(crate) use install::install_layer;
pub(crate) use install::{built_with, install};
