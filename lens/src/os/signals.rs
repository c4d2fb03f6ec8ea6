//! SIGTERM and SIGINT, told before they end the program.
//!
//! A handler may hardly do anything, so it writes a byte to a socket, which a thread reads. A
//! handler that the program had before is called as ever, and the program lives or dies as
//! without lens.

#![allow(unsafe_code, reason = "the one room that may; each block is argued")]

use std::cell::UnsafeCell;
use std::io::{self, Read};
use std::mem::MaybeUninit;
use std::os::fd::IntoRawFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

use libc::{SA_SIGINFO, SIG_DFL, SIG_IGN, SIGINT, SIGTERM, c_int, c_void, sigaction, siginfo_t};

/// Those that ask a program to end.
const SIGNALS: [c_int; 2] = [SIGTERM, SIGINT];
/// In a byte beside the number of a signal: the program ends by it.
const ENDS: u8 = 0x80;

/// The socket's end that the handler writes to. It is opened once, and so is the other one.
static SOCKET: AtomicI32 = AtomicI32::new(-1);
/// Held by whoever changes what is below.
static CHANGE: Mutex<()> = Mutex::new(());
/// The process whose signals these are; not that of a child which has a copy of all this.
static OWNER: AtomicI32 = AtomicI32::new(0);
/// What was to be done with each of [`SIGNALS`] before.
static BEFORE: [Before; 2] = [Before::new(), Before::new()];
/// Somebody wants to know.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);
/// The program is about to end by one that came.
static ENDING: AtomicBool = AtomicBool::new(false);

/// What was done with a signal.
struct Before {
    action: UnsafeCell<MaybeUninit<sigaction>>,
    /// It was written, and the handler is the one here.
    is_known: AtomicBool,
}

// SAFETY: written before `is_known` is set, by one who holds `CHANGE` while the handler here is not
// in effect; after that only read.
unsafe impl Sync for Before {}

impl Before {
    const fn new() -> Self {
        Self {
            action: UnsafeCell::new(MaybeUninit::uninit()),
            is_known: AtomicBool::new(false),
        }
    }

    fn of(signal: c_int) -> Option<&'static Self> {
        let at = SIGNALS.iter().position(|known| *known == signal)?;
        BEFORE.get(at)
    }

    fn action(&self) -> Option<sigaction> {
        // SAFETY: it was written where it is known.
        self.is_known
            .load(SeqCst)
            .then(|| unsafe { (*self.action.get()).assume_init() })
    }

    fn keep(&self, action: sigaction) {
        // SAFETY: see above; nobody reads it yet.
        unsafe { (*self.action.get()).write(action) };
        self.is_known.store(true, SeqCst);
    }
}

/// Has `on_signal` run, on a thread of its own, for each signal that asks the program to end, with
/// whether it ends by it. One that the program ignores stays ignored.
#[expect(
    clippy::disallowed_methods,
    reason = "whatever hangs elsewhere, this thread hears of it"
)]
pub(crate) fn watch(on_signal: fn(c_int, bool)) -> io::Result<()> {
    let _one = CHANGE.lock().unwrap_or_else(PoisonError::into_inner);
    if SOCKET.load(SeqCst) < 0 {
        let (mut read, write) = UnixStream::pair()?;
        // A handler must not wait; a byte that finds no room is one of many.
        write.set_nonblocking(true)?;
        let listen = move || {
            super::mark_own_thread();
            let mut byte = [0];
            while read.read_exact(&mut byte).is_ok() {
                let [byte] = byte;
                on_signal((byte & !ENDS).into(), byte & ENDS != 0);
            }
        };
        let thread = std::thread::Builder::new().name("lens-signals".to_owned());
        thread.spawn(listen)?;
        SOCKET.store(write.into_raw_fd(), SeqCst);
    }
    // SAFETY: only asks for a number.
    OWNER.store(unsafe { libc::getpid() }, SeqCst);
    ENDING.store(false, SeqCst);
    IS_WATCHED.store(true, SeqCst);
    for signal in SIGNALS {
        if let (Some(before), Some(action)) = (Before::of(signal), get(signal))
            && action.sa_sigaction != SIG_IGN
            && action.sa_sigaction != here()
            && !may_call_here(before, &action)
        {
            before.is_known.store(false, SeqCst);
            before.keep(action);
            set(signal, &ours(&action));
        }
    }
    Ok(())
}

/// Whether `action` was set after the handler here was, which it may then call: each would call
/// the other for ever.
fn may_call_here(before: &Before, action: &sigaction) -> bool {
    let before = before.action();
    before.is_some_and(|before| before.sa_sigaction != action.sa_sigaction)
}

/// Puts things back, where nobody else has changed them since.
pub(crate) fn unwatch() {
    let _one = CHANGE.lock().unwrap_or_else(PoisonError::into_inner);
    IS_WATCHED.store(false, SeqCst);
    for signal in SIGNALS {
        let before = Before::of(signal).and_then(Before::action);
        if let Some(before) = before.filter(|_| is_handled_here(signal)) {
            set(signal, &before);
        }
    }
}

/// Ends the program by `signal`, as it would have ended.
pub(crate) fn end_by(signal: c_int) {
    // SAFETY: all zeros, but for the handler, is what a signal has by default; the signal goes to
    // this process. Both may be done in a handler.
    unsafe {
        let mut by_default: sigaction = std::mem::zeroed();
        by_default.sa_sigaction = SIG_DFL;
        set(signal, &by_default);
        libc::kill(libc::getpid(), signal);
    }
}

/// The handler's address.
fn here() -> usize {
    let came: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = came;
    came as usize
}

/// The handler, otherwise as the one before it.
fn ours(before: &sigaction) -> sigaction {
    let mut action = *before;
    action.sa_sigaction = here();
    action.sa_flags |= SA_SIGINFO;
    if before.sa_sigaction == SIG_DFL {
        action.sa_flags |= libc::SA_RESTART | libc::SA_ONSTACK;
    }
    action
}

fn is_handled_here(signal: c_int) -> bool {
    get(signal).is_some_and(|action| action.sa_sigaction == here())
}

fn get(signal: c_int) -> Option<sigaction> {
    let mut action = MaybeUninit::uninit();
    // SAFETY: the call writes to this local, unless it fails.
    unsafe {
        let result = libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
        (result == 0).then(|| action.assume_init())
    }
}

fn set(signal: c_int, action: &sigaction) {
    // SAFETY: the handler is the default, one that was in effect before, or `came`, which is
    // `extern "C"`, lives for ever and does only what a handler may.
    unsafe { libc::sigaction(signal, action, std::ptr::null_mut()) };
}

/// The handler: touches atomics, asks the system what a handler may ask, writes a byte, and calls
/// what was there before. It may be called by a later handler, which then decides.
extern "C" fn came(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let before = Before::of(signal).and_then(Before::action);
    let handler = before.map_or(SIG_DFL, |before| before.sa_sigaction);
    // SAFETY: only asks for a number.
    let process = unsafe { libc::getpid() };
    // The first process of a machine or a container is not ended by what has no handler.
    let ends = handler == SIG_DFL && process != 1 && is_handled_here(signal);
    let is_owner = process == OWNER.load(SeqCst);
    if ends && (!is_owner || ENDING.swap(true, SeqCst)) {
        // In a child nobody listens, and whoever asks twice does not want to wait.
        return end_by(signal);
    }
    if is_owner && (ends || IS_WATCHED.load(SeqCst)) {
        tell(u8::try_from(signal).unwrap_or_default() | if ends { ENDS } else { 0 });
    }
    let Some(before) = before.filter(|_| handler != SIG_DFL && handler != SIG_IGN) else {
        return;
    };
    // SAFETY: what the program had as its handler of this signal, of the kind its flags say, with
    // the arguments that came.
    unsafe {
        if before.sa_flags & SA_SIGINFO == 0 {
            let handler: extern "C" fn(c_int) = std::mem::transmute(handler);
            handler(signal);
        } else {
            let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) =
                std::mem::transmute(handler);
            handler(signal, info, context);
        }
    }
}

fn tell(byte: u8) {
    let write = || {
        // SAFETY: `write` may be called in a handler; both ends of the socket stay open, and the
        // byte is a local.
        unsafe { libc::write(SOCKET.load(SeqCst), (&raw const byte).cast(), 1) };
    };
    // The number of the latest error is the interrupted code's.
    match errno() {
        Some(errno) => {
            // SAFETY: valid as long as the thread lives.
            let saved = unsafe { *errno };
            write();
            // SAFETY: as above.
            unsafe { *errno = saved };
        }
        None => write(),
    }
}

/// Where the thread keeps the number of its latest error, on systems where that is known.
fn errno() -> Option<*mut c_int> {
    #[cfg(any(target_os = "linux", target_os = "emscripten", target_os = "hurd"))]
    // SAFETY: only returns a pointer.
    return Some(unsafe { libc::__errno_location() });
    #[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
    // SAFETY: only returns a pointer.
    return Some(unsafe { libc::__error() });
    #[cfg(any(target_os = "android", target_os = "netbsd", target_os = "openbsd"))]
    // SAFETY: only returns a pointer.
    return Some(unsafe { libc::__errno() });
    #[expect(unreachable_code, reason = "on other systems it is reached")]
    None
}
