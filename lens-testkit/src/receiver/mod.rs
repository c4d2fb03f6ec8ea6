//! An OTLP receiver with scripted replies.

mod attempts;
mod connection;
mod decode;
mod exchange;
mod points;
mod script;
mod server;
mod store;
#[cfg(feature = "tls")]
mod tls;
mod wire;

pub(crate) use points::points;

pub use attempts::{Attempt, Attempts};
pub use script::{Reply, Signal};
pub use server::Receiver;
#[cfg(feature = "tls")]
pub use tls::{Certificate, Identity};
