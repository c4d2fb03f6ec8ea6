//! An application with lens and a library that instruments itself.
//!
//! `cargo run --example with_lens` shows the library's spans and logs in the application's
//! trace; `NEMO_LENS_SPAN_GROUPS=default` turns the group of its inner loop off.

use tokenizer::Vocabulary;

#[lens::main(
    logs = true,
    exporter = "pretty",
    root_span = "job",
    groups = "default,tokenize"
)]
fn main() {
    let vocabulary = Vocabulary::learn("a rose is a rose is a rose", 2);
    for line in ["a rose is", "a daisy"] {
        match vocabulary.encode(line) {
            Ok(numbers) => log::info!(numbers:? = numbers; "encoded"),
            Err(error) => log::error!("{error}"),
        }
    }
}
