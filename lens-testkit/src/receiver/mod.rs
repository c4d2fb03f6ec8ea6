//! An OTLP receiver with scripted replies.

mod decode;
mod exchange;
mod model;
mod script;
mod server;
mod store;
#[cfg(feature = "tls")]
mod tls;

pub use model::{LogRecord, Resource, Span, Value};
pub use script::{Reply, Signal};
pub use server::Receiver;
pub use store::Attempt;
