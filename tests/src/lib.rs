//! What the test programs do.

pub mod ending;
pub mod load;
pub mod loggers;
pub mod rooted;
pub mod scenario;
