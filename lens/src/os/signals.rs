//! SIGTERM and SIGINT, told to the worker before they end the program.
//!
//! A handler may hardly do anything, so it writes a byte to a socket. A handler that the program
//! had before is called as ever, and the program lives or dies as without lens.

#![allow(unsafe_code, reason = "the one room that may; each block is argued")]

use std::io;
use std::os::fd::IntoRawFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering::SeqCst};

use libc::{SA_SIGINFO, SIG_DFL, SIG_IGN, SIGINT, SIGTERM, c_int, c_void, sigaction, siginfo_t};

use super::process::is_forked_child;

/// Those that ask a program to end.
const SIGNALS: [c_int; 2] = [SIGTERM, SIGINT];

/// The socket's end that the handler writes to; never closed once it is open.
static SOCKET: AtomicI32 = AtomicI32::new(-1);
/// What was to be done with each of [`SIGNALS`] before.
static BEFORE: [Before; 2] = [Before::new(), Before::new()];
/// One came, and the program is about to end by it.
static CAME: AtomicBool = AtomicBool::new(false);

/// What is done with a signal.
struct Before {
    handler: AtomicUsize,
    flags: AtomicI32,
    is_ours: AtomicBool,
}

impl Before {
    const fn new() -> Self {
        Self {
            handler: AtomicUsize::new(SIG_DFL),
            flags: AtomicI32::new(0),
            is_ours: AtomicBool::new(false),
        }
    }

    fn of(signal: c_int) -> Option<&'static Self> {
        let at = SIGNALS.iter().position(|known| *known == signal)?;
        BEFORE.get(at)
    }
}

/// Hears of signals until it is dropped.
#[derive(Debug)]
pub(crate) struct Watch(UnixStream);

impl Watch {
    /// The socket, which has a byte for each signal that came.
    pub(crate) fn socket(&self) -> &UnixStream {
        &self.0
    }
}

/// Puts things back, where nobody else has changed them since.
impl Drop for Watch {
    fn drop(&mut self) {
        for signal in SIGNALS {
            let Some(before) = Before::of(signal) else {
                continue;
            };
            if before.is_ours.swap(false, SeqCst) && is_handled_here(signal) {
                set(
                    signal,
                    before.handler.load(SeqCst),
                    before.flags.load(SeqCst),
                );
            }
        }
    }
}

/// Begins to hear of signals; one that the program ignores stays ignored.
pub(crate) fn watch() -> io::Result<Watch> {
    let (read, write) = UnixStream::pair()?;
    // A handler must not wait; a byte that finds no room is one of many.
    write.set_nonblocking(true)?;
    read.set_nonblocking(true)?;
    SOCKET.store(write.into_raw_fd(), SeqCst);
    CAME.store(false, SeqCst);
    let ours: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = came;
    for signal in SIGNALS {
        let (Some(before), Some((handler, flags))) = (Before::of(signal), get(signal)) else {
            continue;
        };
        if handler == SIG_IGN || handler == ours as usize {
            continue;
        }
        before.handler.store(handler, SeqCst);
        before.flags.store(flags, SeqCst);
        before.is_ours.store(true, SeqCst);
        set(
            signal,
            ours as usize,
            SA_SIGINFO | libc::SA_RESTART | libc::SA_ONSTACK,
        );
    }
    Ok(Watch(read))
}

/// Whether `signal` would end the program, were it not for lens.
pub(crate) fn ends_here(signal: c_int) -> bool {
    let by_default = |before: &Before| before.handler.load(SeqCst) == SIG_DFL;
    Before::of(signal).is_some_and(by_default) && is_handled_here(signal)
}

/// Ends the program by `signal`, as it would have ended.
pub(crate) fn end_by(signal: c_int) {
    set(signal, SIG_DFL, 0);
    // SAFETY: a signal to this process, which is ended by it.
    unsafe { libc::kill(libc::getpid(), signal) };
}

fn is_handled_here(signal: c_int) -> bool {
    let ours: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = came;
    get(signal).is_some_and(|(handler, _)| handler == ours as usize)
}

fn get(signal: c_int) -> Option<(usize, c_int)> {
    // SAFETY: all zeros is a valid `sigaction`, and the call writes to this local only.
    let (result, action) = unsafe {
        let mut action: sigaction = std::mem::zeroed();
        (
            libc::sigaction(signal, std::ptr::null(), &raw mut action),
            action,
        )
    };
    (result == 0).then_some((action.sa_sigaction, action.sa_flags))
}

fn set(signal: c_int, handler: usize, flags: c_int) {
    // SAFETY: the handler is the default, one that was in effect before, or `came`, which is
    // `extern "C"`, lives for ever and does only what a handler may.
    unsafe {
        let mut action: sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        action.sa_flags = flags;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(signal, &raw const action, std::ptr::null_mut());
    }
}

/// The handler: touches atomics, writes a byte, and calls what was there before.
extern "C" fn came(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let Some(before) = Before::of(signal) else {
        return;
    };
    let handler = before.handler.load(SeqCst);
    if handler == SIG_DFL && (is_forked_child() || CAME.swap(true, SeqCst)) {
        // In a forked child nobody listens, and whoever asks twice does not want to wait.
        return end_by(signal);
    }
    if !is_forked_child() {
        tell(signal);
    }
    if handler == SIG_DFL || handler == SIG_IGN {
        return;
    }
    // SAFETY: what the program had as its handler of this signal, of the kind its flags say, with
    // the arguments that came.
    unsafe {
        if before.flags.load(SeqCst) & SA_SIGINFO == 0 {
            let handler: extern "C" fn(c_int) = std::mem::transmute(handler);
            handler(signal);
        } else {
            let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) =
                std::mem::transmute(handler);
            handler(signal, info, context);
        }
    }
}

fn tell(signal: c_int) {
    let byte = [u8::try_from(signal).unwrap_or_default()];
    // SAFETY: `write` may be called in a handler; the socket stays open, the byte is a local. The
    // number of the latest error is the interrupted code's, and is left as it was.
    unsafe {
        let error = errno();
        let saved = *error;
        libc::write(SOCKET.load(SeqCst), byte.as_ptr().cast(), byte.len());
        *error = saved;
    }
}

/// Where the thread keeps the number of its latest error.
fn errno() -> *mut c_int {
    // SAFETY: the call returns a pointer that is valid as long as the thread lives.
    #[cfg(any(target_os = "linux", target_os = "emscripten", target_os = "hurd"))]
    unsafe {
        libc::__errno_location()
    }
    // SAFETY: as above.
    #[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
    unsafe {
        libc::__error()
    }
    // SAFETY: as above.
    #[cfg(any(target_os = "android", target_os = "netbsd", target_os = "openbsd"))]
    unsafe {
        libc::__errno()
    }
}
