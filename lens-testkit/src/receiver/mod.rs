//! An OTLP receiver with scripted replies.

mod decode;
mod exchange;
mod script;
mod server;
mod store;
#[cfg(feature = "tls")]
mod tls;

pub use script::{Reply, Signal};
pub use server::Receiver;
pub use store::Attempt;
