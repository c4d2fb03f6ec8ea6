//! What only the operating system can tell. The only `unsafe` of the crate.

mod process;
#[cfg(unix)]
mod signals;

pub(crate) use process::{
    as_of_the_program, forks, host_name, is_forked_child, is_own_thread, mark_own_thread, on_exit,
};
#[cfg(unix)]
pub(crate) use signals::{end_by, unwatch, watch};
