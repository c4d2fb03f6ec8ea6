//! Which log records leave: by target and module, and by how many there are.

mod decide;
mod flood;

pub(crate) use decide::Decider;
pub(crate) use flood::{Flood, HeldBack};
