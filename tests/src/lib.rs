//! What the test programs do.

pub mod rooted;
pub mod scenario;
pub mod scoped;
