//! The application sees what the library does.

use std::process::Command;

#[test]
fn the_spans_and_metrics_of_the_library_are_the_applications() {
    let output = Command::new(env!("CARGO_BIN_EXE_own_sdk"))
        .output()
        .expect("it runs");
    assert!(output.status.success());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "inside tokenizer::Vocabulary::learn by tokenizer\n\
         inside tokenizer::Vocabulary::encode by tokenizer\n\
         inside tokenizer::Vocabulary::encode by tokenizer error=\"unknown word \\\"daisy\\\"\"\n\
         root job by own_sdk error=\"unknown word \\\"daisy\\\"\"\n\
         tokenizer.words in {word}\n"
    );
}
