//! The attribute takes tests of every shape, and adds no warning.

#![deny(warnings)]

use std::num::ParseIntError;

use lens_testkit as kit;
use lens_testkit::Capture;

#[kit::test(crate = kit)]
fn a_renamed_dependency(cap: Capture) {
    log::info!("x");
    cap.logs().one();
}

/// Documented.
#[lens_testkit::test]
#[should_panic(expected = "no")]
fn other_attributes_are_kept() {
    panic!("no");
}

#[lens_testkit::test]
#[ignore = "an attribute that is kept"]
fn ignored(mut _cap: Capture) {
    panic!("ignored");
}

#[lens_testkit::test(flavor = "multi_thread", worker_threads = 1 + 1, strict = cfg!(unix))]
async fn expressions_as_values(_: Capture) -> Result<(), String> {
    Ok(())
}

#[lens_testkit::test]
fn a_pattern_and_a_question_mark(cap: Capture) -> Result<(), ParseIntError> {
    let n: i64 = "7".parse()?;
    log::info!(n; "parsed");
    cap.logs().one().has_attr("n", n);
    Ok(())
}

#[lens_testkit::test]
fn a_body_that_returns_early() {
    if cfg!(unix) {
        return;
    }
    log::info!("elsewhere");
}
