//! What the test programs do.

pub mod scenario;
