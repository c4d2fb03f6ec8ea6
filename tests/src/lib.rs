//! What the test programs do, and what runs them.

pub mod harness;
pub mod scenario;
