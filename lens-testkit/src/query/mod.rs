//! Questions about what was captured, and what a test that got another answer says.

mod failure;
mod logs;
mod metrics;
mod search;
mod spans;

pub use logs::Logs;
pub use metrics::Metrics;
pub use spans::Spans;

pub(crate) use failure::broken;
pub(crate) use search::{Item, Live};
