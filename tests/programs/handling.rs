//! A program that handles SIGTERM itself, set before lens starts or after.

#![allow(unsafe_code, reason = "there is no other way to handle a signal")]

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use lens_tests::scenario;

static ASKED: AtomicBool = AtomicBool::new(false);

extern "C" fn asked(_: libc::c_int) {
    ASKED.store(true, SeqCst);
}

fn handle() {
    let asked: extern "C" fn(libc::c_int) = asked;
    // SAFETY: the handler stores to an atomic.
    unsafe { libc::signal(libc::SIGTERM, asked as libc::sighandler_t) };
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
    log::info!("one line");
    eprintln!("ready");
    while !ASKED.load(SeqCst) {
        std::thread::yield_now();
    }
    log::info!("asked to end");
    std::process::exit(7);
}
