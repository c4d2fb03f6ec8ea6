//! Groups: which spans are made, and how that is switched.

use std::cell::Cell;

use lens_testkit::{Capture, test};

thread_local! {
    static EVALUATED: Cell<u32> = const { Cell::new(0) };
}

fn evaluated() -> u32 {
    EVALUATED.set(EVALUATED.get() + 1);
    EVALUATED.get()
}

#[lens::trace(name = "job", group = "job")]
fn job() {
    let _ = step();
    let _io = lens::span!("read", group = "io", n = evaluated());
    log::info!("read");
    always();
}

#[lens::trace(name = "step", group = "step", fields(n = evaluated()))]
fn step() -> Result<(), String> {
    log::info!("inside");
    Err("told nobody".to_owned())
}

#[lens::trace(name = "always")]
fn always() {}

#[lens::trace(name = "later", group = "step")]
async fn later() {
    log::info!("later");
}

#[lens::trace(name = "boxed", group = "step")]
fn boxed() -> std::pin::Pin<Box<dyn Future<Output = ()>>> {
    Box::pin(async { log::info!("boxed") })
}

fn names(cap: &Capture) -> Vec<String> {
    let spans = cap.spans().allow_empty().to_vec();
    let mut names: Vec<_> = spans.iter().map(|span| span.name().to_owned()).collect();
    names.sort();
    names
}

#[test(groups = "default")]
async fn a_group_that_is_off_leaves_the_body_as_it_is(cap: Capture) {
    job();
    later().await;
    boxed().await;
    assert_eq!(names(&cap), ["always", "job"]);
    assert_eq!(EVALUATED.get(), 0, "no field is evaluated");
    let job = cap.spans().name("job").one();
    cap.logs().body("inside").one().in_span(&job);
    cap.logs().body("read").one().in_span(&job);
    cap.logs().body("later").uncorrelated().one();
    cap.logs().body("boxed").uncorrelated().one();
    job.has_no_error();
}

#[test(groups = "step,io")]
fn groups_are_turned_on_by_name(cap: Capture) {
    job();
    assert_eq!(names(&cap), ["always", "read", "step"]);
}

#[test(env(NEMO_LENS_SPAN_GROUPS = "per_step"), groups = "none")]
fn the_variable_wins_over_code(cap: Capture) {
    job();
    assert_eq!(names(&cap), ["always", "job", "step"]);
}

#[test(groups = ["none"])]
fn groups_are_switched_while_the_program_runs(cap: Capture) {
    job();
    lens::set_groups("io").unwrap();
    job();
    let error = lens::set_groups("job,stpe,oi").unwrap_err().to_string();
    assert!(
        error.starts_with("unknown span groups stpe, oi; known are ") && error.contains(", io, "),
        "{error}"
    );
    job();
    assert_eq!(names(&cap), ["always", "always", "always", "read", "read"]);
}

#[test]
fn a_test_sees_every_group(cap: Capture) {
    job();
    assert_eq!(names(&cap), ["always", "job", "read", "step"]);
}
