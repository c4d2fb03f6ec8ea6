//! What the test programs do.

pub mod ending;
pub mod loggers;
pub mod rooted;
pub mod scenario;
