//! The program of the documentation, in a file that no formatter touches.

include!("example.rs");
