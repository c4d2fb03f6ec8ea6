//! What the test programs do.

pub mod ending;
pub mod load;
pub mod loggers;
mod measured;
mod passed_on;
pub mod rooted;
pub mod scenario;
