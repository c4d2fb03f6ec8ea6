//! The example does what the README says it does.

use std::process::{Command, Output};

/// Runs the example as it was built beside this test.
fn training(env: &[(&str, &str)]) -> Output {
    let test = std::env::current_exe().expect("this test has a path");
    let target = test
        .parent()
        .and_then(|deps| deps.parent())
        .expect("below the target folder");
    let example = target.join("examples").join("training");
    let mut command = Command::new(example);
    command.env_clear().envs(env.iter().copied());
    command
        .output()
        .expect("`cargo build --examples` has built it")
}

/// A line without its duration.
fn timeless(line: &str) -> String {
    let is_duration = |word: &str| {
        let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        unit.len() < word.len() && matches!(unit, "ns" | "µs" | "ms" | "s")
    };
    let words: Vec<_> = line.split(' ').filter(|word| !is_duration(word)).collect();
    words.join(" ")
}

#[test]
fn the_readme_shows_what_the_example_prints() {
    let readme = include_str!("../../README.md");
    let shown = readme
        .split("```text\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let output = training(&[]);
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let printed = String::from_utf8(output.stdout).expect("text");
    let mut printed = printed.lines().map(timeless);
    let mut skipping = false;
    for line in shown.expect("the README shows output").lines() {
        if line.trim() == "…" {
            skipping = true;
        } else if skipping {
            assert!(printed.any(|printed| printed == timeless(line)), "{line}");
            skipping = false;
        } else {
            assert_eq!(printed.next(), Some(timeless(line)));
        }
    }
    assert_eq!(printed.next(), None);
}

#[test]
fn the_console_has_one_object_a_line_for_each_span_and_record() {
    let output = training(&[("NEMO_LENS_EXPORTER", "console")]);
    let printed = String::from_utf8(output.stdout).expect("text");
    let count = |start: &str| {
        printed
            .lines()
            .filter(|line| line.starts_with(start))
            .count()
    };
    // A job, loading twice, six steps with two parts each, two evaluations, a checkpoint.
    assert_eq!(count(r#"{"type":"span","name":""#), 24);
    assert_eq!(count(r#"{"type":"log","time":""#), 23);
    assert_eq!(count(r#"{"type":"metric","name":"train."#), 2);
    assert_eq!(printed.lines().count(), 49);
    assert!(
        printed
            .lines()
            .all(|line| line.ends_with(r#","service":"training"}"#))
    );
}
