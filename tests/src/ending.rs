//! Threads that end while something of lens lies in their locals.

use std::cell::RefCell;
use std::pin::{Pin, pin};
use std::task::{Context, Waker};

type Parked = Pin<Box<dyn Future<Output = ()>>>;

thread_local! {
    static PARKED: RefCell<Option<Parked>> = const { RefCell::new(None) };
    static LAST: RefCell<Option<LogsAtTheEnd>> = const { RefCell::new(None) };
}

struct LogsAtTheEnd;

impl Drop for LogsAtTheEnd {
    fn drop(&mut self) {
        let _span = lens::span!("at the end");
        lens::record!(late = true);
        log::info!("at the end");
        let _ = lens::thread::spawn(|| log::info!("started at the end")).join();
        let _ = pin!(traced()).poll(&mut Context::from_waker(Waker::noop()));
    }
}

#[lens::trace(name = "parked")]
async fn traced() {
    let _last = LogsWhenDropped;
    std::future::pending::<()>().await;
}

struct LogsWhenDropped;

impl Drop for LogsWhenDropped {
    fn drop(&mut self) {
        log::info!("dropped");
    }
}

/// Panics in main, with a value on the stack that logs as it is dropped.
pub fn unwinding() {
    let _loud = LogsWhenDropped;
    panic!("the last one");
}

/// Logs in a span behind a panic that something caught outside of any.
pub fn behind_a_panic() {
    let _ = std::panic::catch_unwind(|| panic!("caught outside"));
    let _span = lens::span!("later");
    log::info!("inside");
}

/// Logs beside a thread that does so to the very end.
pub fn beside_a_thread() {
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for i in 0_u64.. {
            log::info!("line {i}");
            if i == 100 {
                let _ = tell.send(());
            }
        }
    });
    let _ = told.recv();
    log::info!("last words");
}

/// Logs by a console that panics.
pub struct Panics;

impl log::Log for Panics {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, _: &log::Record<'_>) {
        panic!("the console is broken");
    }

    fn flush(&self) {}
}

/// Ends a thread whose locals hold a traced future that was polled once, and a value that uses
/// everything of lens when it is dropped; each made before lens touches the thread, or after.
pub fn run() {
    for early in [true, false] {
        let thread = std::thread::spawn(move || {
            if early {
                PARKED.with(|_| ());
                LAST.set(Some(LogsAtTheEnd));
            }
            let mut future: Parked = Box::pin(traced());
            let _ = future
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()));
            log::info!("while it lives");
            PARKED.set(Some(future));
            LAST.set(Some(LogsAtTheEnd));
        });
        assert!(thread.join().is_ok());
    }
    println!("survived");
}

/// Ends threads whose locals log and end spans when they are dropped, made after a record and
/// without one.
pub fn in_thread_locals() {
    struct LogsOnDrop;
    impl Drop for LogsOnDrop {
        fn drop(&mut self) {
            log::info!("from a destructor");
            let _span = lens::span!("from a destructor");
        }
    }
    thread_local! {
        static VALUE: LogsOnDrop = const { LogsOnDrop };
        static SPAN: RefCell<Option<lens::SpanGuard>> = const { RefCell::new(None) };
    }
    for log_first in [true, false] {
        let thread = std::thread::spawn(move || {
            if log_first {
                log::info!("first");
            }
            VALUE.with(|_| ());
            SPAN.with(|span| span.replace(Some(lens::span!("never dropped before"))));
            log::info!("last");
        });
        thread.join().expect("the thread ends in peace");
    }
}
