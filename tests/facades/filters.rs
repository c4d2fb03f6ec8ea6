//! Filters, scopes and flood control are the same for both facades.

use lens_testkit::{Capture, test};

fn say() {
    log::warn!("log warn");
    tracing::warn!("tracing warn");
    log::info!("log info");
    tracing::info!("tracing info");
    log::info!(target: "hyper::client", "log hyper");
    tracing::info!(target: "hyper::client", "tracing hyper");
}

fn said(cap: &Capture) -> Vec<String> {
    let records = cap.logs().allow_empty().to_vec();
    records
        .iter()
        .map(|record| record.body_str().to_owned())
        .collect()
}

#[test(level = "warn")]
fn the_level_is_for_both(cap: Capture) {
    say();
    assert_eq!(said(&cap), ["log warn", "tracing warn"]);
}

#[test(logger = "facades", level = "info")]
fn the_logger_is_for_both(cap: Capture) {
    say();
    assert_eq!(
        said(&cap),
        ["log warn", "tracing warn", "log info", "tracing info"]
    );
}

#[test(filter = "warn,hyper=info")]
fn directives_are_for_both(cap: Capture) {
    say();
    assert_eq!(
        said(&cap),
        ["log warn", "tracing warn", "log hyper", "tracing hyper"]
    );
}

#[lens::bridge(level = "error")]
mod quiet {
    pub fn say() {
        super::say();
        log::warn!("log");
        tracing::warn!("tracing");
        log::error!("log error");
        tracing::error!("tracing error");
    }
}

#[test(level = "warn")]
fn scopes_are_for_both(cap: Capture) {
    quiet::say();
    assert_eq!(
        said(&cap),
        ["log warn", "tracing warn", "log error", "tracing error"]
    );
}

#[lens::bridge(max_per_second = 3)]
mod loud {
    pub fn say() {
        for _ in 0..50 {
            tracing::info!("event");
            log::info!("record");
        }
    }
}

#[test]
fn what_is_too_much_is_too_much_of_both_together(cap: Capture) {
    loud::say();
    let passed = cap.logs().filter("said by loud", |record| {
        !record.body_str().starts_with("held")
    });
    let passed = passed.count();
    // Two seconds at most went by.
    assert!((3..=6).contains(&passed), "{passed} passed");
}

#[test(level = "error")]
fn spans_are_made_whatever_the_records_may_be(cap: Capture) {
    let info = tracing::info_span!("info").entered();
    let debug = tracing::debug_span!("debug").entered();
    tracing::error!("failed");
    drop((debug, info));
    let span = cap.spans().one();
    assert_eq!(span.name(), "info");
    cap.logs().body("failed").in_span(&span).one();
}

#[test(level = "debug")]
fn a_level_takes_the_spans_of_that_level_too(cap: Capture) {
    tracing::debug_span!("debug").in_scope(|| tracing::trace_span!("trace").in_scope(|| ()));
    assert_eq!(cap.spans().one().name(), "debug");
}

#[test(level = "info")]
fn a_filter_that_changes_is_heard_by_calls_that_were_made_before(cap: Capture) {
    let say = || tracing::debug!("now and then");
    say();
    lens::handle().set_filter("debug").unwrap();
    say();
    lens::handle().set_filter("off").unwrap();
    say();
    assert_eq!(said(&cap), ["now and then"]);
}
