//! Who sends: the resource attributes of every signal.

mod cluster;
mod machine;
mod merge;

pub(crate) use merge::resource;
