//! A program that links a library with scopes and does not name them.

use lens_testkit::{Receiver, prefix};

use super::{bodies, program};

// https://github.com/rust-lang/log/issues/680 (FIL-02)
#[test]
fn the_scopes_of_a_library_count_and_the_console_is_as_ever() {
    let receiver = Receiver::start();
    let program = program!("scopes", "").exporting(&receiver.endpoint(), "http/protobuf");
    let run = program.run();
    assert_eq!(run.code(), 0);
    assert_eq!(
        bodies(&receiver.logs().to_vec()),
        ["an error", "a warning", "an information", "a detail"]
    );
    let console = run.own_stderr();
    let console: Vec<_> = console
        .lines()
        .map(|line| line.rsplit("] ").next())
        .collect();
    assert_eq!(console, [Some("an error"), Some("of no interest")]);
}

#[test]
fn what_is_held_back_is_told_while_the_program_is_silent() {
    let receiver = Receiver::start();
    let program = program!("scopes", "flood").exporting(&receiver.endpoint(), "http/protobuf");
    let running = program.stdin().start();
    assert!(receiver.wait_for_logs(4, super::PATIENCE));
    let told = receiver.logs().body(prefix("held back")).one();
    told.has_attr("lens.held_back.max_per_second", 97);
    let run = running.finish();
    assert_eq!(
        run.notices(),
        ["97 of 101 log records were not exported (97 held back by max_per_second)"]
    );
}

#[test]
fn the_gate_of_the_log_crate_follows_the_filter() {
    let receiver = Receiver::start();
    let program = program!("scopes", "switch").exporting(&receiver.endpoint(), "http/protobuf");
    let run = program.run();
    assert_eq!(
        run.stdout,
        // The scope of the library is at debug, whatever is said of everything.
        "\"trace\": true TRACE\n\"off\": true DEBUG\n\"loud=very\": false DEBUG\n"
    );
}
