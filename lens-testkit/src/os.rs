//! Puts the routers in place before any test, and any static that takes a tracer: by a
//! constructor, which the loader calls. The only `unsafe` of the crate.

#![allow(unsafe_code, reason = "the one module that may; the block is argued")]

extern "C" fn before_main() {
    // A failure is told by the first capture, which can fail a test.
    let _ = std::panic::catch_unwind(crate::capture::install);
}

// SAFETY: the section holds pointers to functions that take nothing and return nothing, which
// the loader calls once before main. This one is `extern "C"`, never unwinds, and uses nothing
// of the standard library that needs main to have begun.
#[used]
#[cfg_attr(
    any(target_os = "linux", target_os = "android", target_os = "freebsd"),
    unsafe(link_section = ".init_array")
)]
#[cfg_attr(
    target_vendor = "apple",
    unsafe(link_section = "__DATA,__mod_init_func")
)]
#[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
static BEFORE_MAIN: extern "C" fn() = before_main;
