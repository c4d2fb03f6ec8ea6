//! A program that handles SIGTERM itself, set before lens starts or after.

#![allow(unsafe_code, reason = "there is no other way to handle a signal")]

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use lens_tests::scenario;

static ASKED: AtomicUsize = AtomicUsize::new(0);
/// What there was before, where it is called as well.
static BEFORE: AtomicUsize = AtomicUsize::new(0);

extern "C" fn asked(signal: libc::c_int) {
    ASKED.fetch_add(1, SeqCst);
    let before = BEFORE.load(SeqCst);
    if before > 1 {
        // SAFETY: the handler that lens set, which takes three arguments and uses the first.
        unsafe {
            let before: extern "C" fn(libc::c_int, *mut libc::c_void, *mut libc::c_void) =
                std::mem::transmute(before);
            before(signal, std::ptr::null_mut(), std::ptr::null_mut());
        }
    }
}

fn handle() -> usize {
    let asked: extern "C" fn(libc::c_int) = asked;
    // SAFETY: the handler stores to an atomic, and calls what was there before.
    unsafe { libc::signal(libc::SIGTERM, asked as libc::sighandler_t) }
}

fn main() {
    let mode = scenario::mode();
    if mode == "before" {
        handle();
    }
    let _lens = lens::Builder::new().logs(true).signals(true).start();
    if mode == "after" {
        handle();
    }
    let mut signals = 1;
    if mode.starts_with("after, and calls lens") {
        BEFORE.store(handle(), SeqCst);
        signals = 3;
    }
    let _again = mode.ends_with("that starts again").then(|| {
        lens::handle().shutdown(Duration::from_secs(5));
        lens::Builder::new().logs(true).signals(true).start()
    });
    log::info!("one line");
    for signal in 1..=signals {
        eprintln!("ready");
        while ASKED.load(SeqCst) < signal {
            std::thread::yield_now();
        }
    }
    log::info!("asked to end");
    std::process::exit(7);
}
