//! A program that forks, and makes spans in both processes.

#![allow(unsafe_code, reason = "there is no other way to fork")]

use lens::opentelemetry::global;
use lens::opentelemetry::trace::{Span as _, Tracer as _};
use lens_tests::scenario;

#[lens::main(logs = true)]
fn main() {
    if scenario::mode() == "log" {
        return log();
    }
    ids();
    // SAFETY: the child makes spans, prints, and ends.
    let child = unsafe { libc::fork() };
    let ids = ids();
    if child == 0 {
        println!("{ids}");
        // SAFETY: ends this process at once, without what the parent has yet to do.
        unsafe { libc::_exit(0) };
    }
    let mut status = 0;
    // SAFETY: the pointer is that of a local.
    unsafe { libc::waitpid(child, &raw mut status, 0) };
    println!("{ids}");
}

/// Logs in both processes; the child ends as programs do.
fn log() {
    log::info!("of the parent");
    lens::counter!("processes", 1);
    // SAFETY: the child logs, and ends.
    let child = unsafe { libc::fork() };
    if child == 0 {
        log::info!("of the child");
        lens::counter!("processes", 10);
        log::logger().flush();
        drop(lens::span!("of the child"));
        std::process::exit(0);
    }
    let mut status = 0;
    // SAFETY: the pointer is that of a local.
    unsafe { libc::waitpid(child, &raw mut status, 0) };
    log::info!("the child ended with {status}");
}

/// The ids of a new span.
fn ids() -> String {
    let span = global::tracer("forking").start("a span");
    let context = span.span_context().clone();
    format!("{} {}", context.trace_id(), context.span_id())
}
