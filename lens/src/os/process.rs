//! What only the operating system can tell: that the process exits, that it forked,
//! what its machine is called, and which threads are lens's own.

#![allow(unsafe_code, reason = "the one room that may; each block is argued")]

use std::cell::Cell;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::during::during;
use crate::epoch;

static REGISTERED: Once = Once::new();
static FORKS: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static OWN_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// Marks the current thread as one of lens's: what it logs is never exported.
pub(crate) fn mark_own_thread() {
    let _ = OWN_THREAD.try_with(|own| own.set(true));
}

/// Runs code of the program's on a thread of lens's: what it logs is like anybody's.
pub(crate) fn as_of_the_program<R>(run: impl FnOnce() -> R) -> R {
    during(&OWN_THREAD, false, run)
}

/// Whether the current thread is one of lens's.
#[inline]
pub(crate) fn is_own_thread() -> bool {
    OWN_THREAD.try_with(Cell::get).unwrap_or(false)
}

/// Whether this process is a forked child: lens's worker thread stayed in the parent.
#[inline]
pub(crate) fn is_forked_child() -> bool {
    forks() > 0
}

/// How many forks there are between this process and the one that started lens.
#[inline]
pub(crate) fn forks() -> u32 {
    FORKS.load(Relaxed)
}

/// What the machine calls itself.
#[cfg(unix)]
pub(crate) fn host_name() -> Option<String> {
    let mut name = [0_u8; 256];
    // SAFETY: the pointer and the length are those of one array, of which the last byte is left
    // alone, so that a name that was cut off has an end, too.
    let failed = unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) };
    let name = std::ffi::CStr::from_bytes_until_nul(&name).ok()?;
    let name = name.to_str().ok().filter(|name| !name.is_empty())?;
    (failed == 0).then(|| name.to_owned())
}

/// What the machine calls itself, where it does not say so.
#[cfg(not(unix))]
pub(crate) fn host_name() -> Option<String> {
    None
}

/// Has `at_exit` run when the process exits in an orderly way; once per process.
///
/// It runs on whichever thread exits, after that thread's locals are gone.
pub(crate) fn on_exit(at_exit: extern "C" fn()) {
    REGISTERED.call_once(|| {
        // SAFETY: `atexit` and `pthread_atfork` only store the function pointers. Both
        // functions are `extern "C"`, live for the whole program and do not unwind: the
        // first catches panics (its caller's duty), the second changes two numbers, which is
        // allowed in a forked child.
        unsafe {
            libc::atexit(at_exit);
            #[cfg(unix)]
            libc::pthread_atfork(None, None, Some(mark_forked_child));
        }
    });
}

#[cfg(unix)]
extern "C" fn mark_forked_child() {
    FORKS.fetch_add(1, Relaxed);
    // A lock of the SDK's may be held for ever there, and nobody collects.
    epoch::end();
}
