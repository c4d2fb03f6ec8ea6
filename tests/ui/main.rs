//! What the macros take and refuse, and in which words.

/// The compiler whose wording the golden files have.
const GOLDEN: &str = "rustc 1.95.0";

#[test]
fn what_is_legal_compiles_and_runs() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/main/pass/*.rs");
    cases.pass("ui/trace/pass/*.rs");
    cases.pass("ui/span/pass/*.rs");
    cases.pass("ui/metric/pass/*.rs");
    cases.pass("ui/bridge/pass/*.rs");
}

#[test]
fn every_mistake_is_told_at_its_token() {
    let compiler = std::process::Command::new("rustc")
        .arg("--version")
        .output();
    let compiler = compiler.map(|output| output.stdout).unwrap_or_default();
    if !compiler.starts_with(GOLDEN.as_bytes()) {
        eprintln!("skipped: the golden files are those of {GOLDEN}");
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/main/fail/*.rs");
    cases.compile_fail("ui/trace/fail/*.rs");
    cases.compile_fail("ui/span/fail/*.rs");
    cases.compile_fail("ui/metric/fail/*.rs");
    cases.compile_fail("ui/bridge/fail/*.rs");
    cases.compile_fail("ui/test/fail/*.rs");
}
