//! What the test programs do.

pub mod ending;
pub mod load;
pub mod loggers;
pub mod measured;
mod misbehaving;
mod passed_on;
pub mod rooted;
pub mod scenario;
mod tasks;
