#![deny(warnings, missing_docs)]
//! A crate.

/// The documentation of main.
#[allow(unused_variables)]
#[lens::main(exporter = "none")]
#[cfg(not(any()))]
#[allow(dead_code)]
pub(crate) fn main() {
    let unused = 7;
}
