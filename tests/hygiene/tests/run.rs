//! What compiles among shadowed names and forbidden lints also runs.

use std::process::Command;

#[test]
fn the_programs_run() {
    for program in [
        env!("CARGO_BIN_EXE_forbidding"),
        env!("CARGO_BIN_EXE_shadowing"),
    ] {
        let status = Command::new(program).status().expect("the program starts");
        assert!(status.success(), "{program}: {status}");
    }
}
