//! The examples are in the folders beside this file; `cargo run --example training` runs one.
