//! `async_trait`, which takes `Box` to be what it usually is.

use ::core::result::Result;
use ::std::boxed::Box;
use ::std::string::{String, ToString as _};
use ::std::vec::Vec;

/// A trait.
#[::async_trait::async_trait]
trait Load {
    /// Loads.
    async fn load(&self, name: &str) -> Result<usize, String>;
}

/// A model.
struct Model(Vec<u8>);

#[::async_trait::async_trait]
impl Load for Model {
    #[::telemetry::trace(crate = ::telemetry, group = "step", fields(name, size = self.0.len()))]
    async fn load(&self, name: &str) -> Result<usize, String> {
        ::tokio::task::yield_now().await;
        if name.is_empty() {
            return Result::Err(name.to_string());
        }
        Result::Ok(self.0.len())
    }
}

/// Whether a model loads.
pub async fn load(weights: &[u8]) -> bool {
    Model(weights.to_vec()).load("a").await.is_ok()
}
