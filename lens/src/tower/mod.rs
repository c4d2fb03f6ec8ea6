//! Servers: a [tower](https://docs.rs/tower) layer that puts each request into its span, for axum,
//! hyper and everything else made of tower's services. With the feature `tower`.

mod body;
mod exchange;
mod future;
mod layer;
mod request;

pub use body::ServerBody;
pub use future::ServerFuture;
pub use layer::{Server, ServerLayer};
