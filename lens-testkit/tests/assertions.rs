//! What a test can ask, and the words of an answer that was not expected.

#![allow(clippy::unwrap_used, reason = "in tests")]

use std::panic::catch_unwind;

use lens_testkit::{
    Capture, Level, Span, any, assert_logs, assert_trace, contains, loose, no_secrets, prefix,
    suffix,
};

mod shop {
    #[lens::trace(name = "checkout", fields(user.id = 7))]
    pub(crate) fn checkout() {
        log::info!(target: "shop", items = 3; "cart loaded");
        let _ = charge(8);
        drop(lens::span!("notify"));
    }

    #[lens::trace(name = "charge")]
    fn charge(order: u64) -> Result<(), String> {
        log::info!(target: "shop::pay", "order.id" = 7; "charging");
        log::warn!(target: "shop::pay", "order.id" = order; "card declined");
        Err("declined".to_owned())
    }
}

fn checkout() -> Capture {
    let cap = Capture::builder().title("shop").start();
    cap.in_scope(shop::checkout);
    cap
}

/// The words of a failure, but for orphans of other tests.
#[track_caller]
fn failure<R>(f: impl FnOnce() -> R + std::panic::UnwindSafe) -> String {
    let Err(panic) = catch_unwind(f) else {
        panic!("the assertion holds");
    };
    let text = panic.downcast_ref::<String>().unwrap().clone();
    text.split("\norphans").next().unwrap().to_owned()
}

const CAPTURED: &str = "captured (shop, 3 spans, 3 logs)
  trace 1
  └─ checkout  user.id=7
     ├─ INFO shop \"cart loaded\" items=3
     ├─ charge error \"declined\"
     │  ├─ INFO shop::pay \"charging\" order.id=7
     │  └─ WARN shop::pay \"card declined\" order.id=8
     └─ notify
";

#[test]
fn a_question_is_narrowed_and_counted() {
    let cap = checkout();
    let charge = cap.spans().name("charge").one();
    let warning = cap.logs().level(Level::Warn).one();
    warning
        .in_span(&charge)
        .has_level(Level::Warn)
        .has_body("card declined")
        .has_attr("order.id", 8)
        .has_attr("order.id", any())
        .has_attr("order.id", loose("8"))
        .has_no_attr("items");
    assert_eq!(warning.span(), Some(charge.clone()));
    cap.logs().at_least(Level::Info).exactly(3);
    cap.logs().target(prefix("shop::")).exactly(2);
    cap.logs()
        .body(contains("declined"))
        .body(suffix("ed"))
        .one();
    cap.logs().attr("order.id", 7).one();
    cap.logs().no_attr("order.id").one();
    cap.logs().in_span("charge").exactly(2);
    cap.logs().under_span("checkout").exactly(3);
    cap.logs().in_trace(&charge).exactly(3);
    cap.logs().uncorrelated().none();
    cap.logs()
        .filter("has a location", |log| log.location().is_some())
        .exactly(3);
    cap.logs()
        .in_order(&["cart loaded", "card declined"])
        .at_least_n(3);
    assert_eq!(cap.logs().level(Level::Error).maybe_one(), None);
    assert_eq!(cap.logs().at_most(3).len(), 3);
}

#[test]
fn spans_tell_their_place_and_their_end() {
    let cap = checkout();
    let checkout = cap.spans().root().one();
    checkout.is_root().has_attr("user.id", 7).has_no_error();
    let charge = checkout.child("charge");
    charge.has_parent(&checkout).has_error("declined");
    assert_eq!(charge.logs().count(), 2);
    let children = checkout.children().to_vec();
    assert_eq!(
        children.iter().map(Span::name).collect::<Vec<_>>(),
        ["charge", "notify"]
    );
    cap.spans().error("declined").one();
    cap.spans().kind("internal").in_trace(&charge).exactly(3);
}

#[test]
fn a_failure_names_the_nearest_record_and_why_it_is_not_it() {
    let cap = checkout();
    let text = failure(|| {
        let logs = cap.logs().level(Level::Warn).target(prefix("shop::pay"));
        logs.attr("order.id", 7).one()
    });
    assert_eq!(
        text,
        format!(
            "expected exactly 1 log
    level = WARN
    target = prefix \"shop::pay\"
    attr order.id = Int(7)
found 0 of 3 logs

closest
  INFO shop::pay \"charging\" order.id=7
      level: expected WARN, found INFO
  WARN shop::pay \"card declined\" order.id=8
      order.id: expected Int(7), found Int(8)
  INFO shop \"cart loaded\" items=3
      level: expected WARN, found INFO
      target: expected prefix \"shop::pay\", found \"shop\"
      order.id: expected Int(7), found no such attribute

{CAPTURED}"
        )
    );
}

#[test]
fn a_failure_shows_the_records_that_are_too_many() {
    let cap = checkout();
    let text = failure(|| cap.logs().target("shop::pay").none());
    assert_eq!(
        text,
        format!(
            "expected no logs
    target = \"shop::pay\"
found 2 of 3 logs

matching
  INFO shop::pay \"charging\" order.id=7
  WARN shop::pay \"card declined\" order.id=8

{CAPTURED}"
        )
    );
}

#[test]
fn a_value_of_another_type_is_another_value() {
    let cap = checkout();
    let text = failure(|| {
        cap.logs()
            .level(Level::Warn)
            .one()
            .has_attr("order.id", "8");
    });
    assert_eq!(
        text,
        format!(
            "order.id: expected Str(\"8\"), found Int(8)
  in log  WARN shop::pay \"card declined\" order.id=8

{CAPTURED}"
        )
    );
}

#[test]
fn a_record_in_another_span_is_told_with_both() {
    let cap = checkout();
    let notify = cap.spans().name("notify").one();
    let text = failure(|| {
        cap.logs().level(Level::Warn).one().in_span(&notify);
    });
    assert!(
        text.starts_with("span: expected \"notify\", found span \"charge\"\n"),
        "{text}"
    );
    let text = failure(|| cap.logs().in_span("notify").one());
    assert!(
        text.contains("      span: expected \"notify\", found \"checkout\"\n"),
        "{text}"
    );
}

#[test]
fn none_on_an_empty_capture_fails_unless_allowed() {
    let cap = Capture::new();
    let text = failure(|| cap.logs().none());
    assert!(
        text.contains("the capture is empty: did the code run inside the capture?"),
        "{text}"
    );
    let text = failure(|| cap.spans().none());
    assert!(
        text.contains("expected no span, and the capture is empty"),
        "{text}"
    );
    cap.logs().allow_empty().none();
    cap.spans().allow_empty().none();
}

#[test]
fn an_order_that_is_not_there_is_told() {
    let cap = checkout();
    let text = failure(|| cap.logs().in_order(&["card declined", "charging"]));
    assert!(
        text.contains("\"charging\" is missing or came too early"),
        "{text}"
    );
}

#[test]
fn whole_sequences_are_asserted_at_once() {
    let cap = checkout();
    assert_logs!(cap, [
        INFO "cart loaded" { items: 3 },
        INFO "charging",
        WARN "card declined" { order.id: 8 },
    ]);
    let text = failure(|| assert_logs!(cap, [INFO "cart loaded", ERROR "charging"]));
    assert!(text.starts_with("record 2 of 3: expected ERROR \"charging\"\nlevel: expected ERROR"));
    let text = failure(|| assert_logs!(cap, [INFO "cart loaded"]));
    assert!(text.starts_with("expected 1 records, found 3"), "{text}");
    let text = failure(|| {
        assert_logs!(cap, [INFO "cart loaded" { items: 4 }]);
    });
    assert!(
        text.contains("items: expected Int(4), found Int(3)"),
        "{text}"
    );
}

#[test]
fn structures_are_asserted_at_once() {
    let cap = checkout();
    assert_trace!(cap, { checkout { charge notify } });
    assert_trace!(cap, { checkout { notify .. } });
    assert_trace!(cap, { "checkout" { .. } });
    for (text, why) in [
        (
            failure(|| assert_trace!(cap, { checkout { charge } })),
            "at \"checkout\": expected no more spans, found \"notify\"",
        ),
        (
            failure(|| assert_trace!(cap, { checkout { charge { refund } notify } })),
            "at \"charge\": expected span \"refund\", found none",
        ),
        (
            failure(|| assert_trace!(cap, { job })),
            "at the top: expected span \"job\", found \"checkout\"",
        ),
    ] {
        assert!(text.starts_with(why), "{text}");
    }
}

#[test]
fn secrets_are_found_wherever_they_are() {
    let cap = checkout();
    no_secrets!(cap, ["SECRETCANARY"]);
    cap.in_scope(|| drop(lens::span!("login", ticket = "SECRETCANARY")));
    let text = failure(|| no_secrets!(cap, ["SECRETCANARY"]));
    assert_eq!(text, "secret 1 of 1 stands in ticket of a span");
    let empty = Capture::new();
    failure(|| no_secrets!(empty, ["SECRETCANARY"]));
}

#[test]
fn a_capture_can_be_emptied() {
    let cap = checkout();
    cap.clear();
    assert_eq!((cap.logs().count(), cap.spans().count()), (0, 0));
}

#[lens_testkit::test]
#[should_panic(expected = "a span was never ended: forgotten (open)")]
fn a_span_left_open_fails_the_test() {
    std::mem::forget(lens::span!("forgotten"));
}

#[lens_testkit::test]
#[should_panic(expected = "a context guard was never dropped")]
fn a_context_left_attached_fails_the_test() {
    use lens::opentelemetry::Context;
    use lens::opentelemetry::trace::{Span as _, TraceContextExt, Tracer};
    let mut span = lens::opentelemetry::global::tracer("raw").start("attached");
    span.end();
    std::mem::forget(Context::current_with_span(span).attach());
}

#[lens_testkit::test]
#[should_panic(expected = "a context guard was never dropped")]
async fn a_context_without_a_span_left_attached_fails_the_test() {
    use lens::opentelemetry::Context;
    std::mem::forget(Context::current_with_value("tenant 7").attach());
}

#[lens_testkit::test]
fn a_test_may_return_a_result(cap: Capture) -> Result<(), std::num::ParseIntError> {
    let number: u64 = "7".parse()?;
    log::info!(number; "parsed");
    cap.logs().one().has_attr("number", 7);
    Ok(())
}

#[lens_testkit::test]
async fn an_async_test_may_return_a_result(cap: Capture) -> Result<(), std::fmt::Error> {
    if cap.logs().count() > 0 {
        return Err(std::fmt::Error);
    }
    tokio::task::yield_now().await;
    Ok(())
}

#[lens_testkit::test]
fn keys_given_twice_and_late_records_are_told(cap: Capture) {
    use lens::opentelemetry::KeyValue;
    use lens::opentelemetry::trace::{Span as _, Tracer};
    let mut span = lens::opentelemetry::global::tracer("raw").start("twice");
    span.set_attribute(KeyValue::new("n", 1));
    span.set_attribute(KeyValue::new("n", 2));
    span.end();
    let _lens = lens::Builder::new().level("loud").start();
    lens::handle().shutdown(std::time::Duration::from_secs(1));
    log::info!("too late");
    log::debug!("below the level anyway");
    assert_eq!(
        cap.warnings(),
        [
            "the key \"n\" was given twice: twice  n=1 n=2 !dup",
            "lens: invalid level \"loud\", expected off, error, warn, info, debug or trace; \
             using info",
            "1 log records came after lens was shut down"
        ]
    );
}

#[lens_testkit::test]
fn a_caught_panic_is_a_record_at_once(cap: Capture) {
    let _ = catch_unwind(|| panic!("caught"));
    cap.logs().level(Level::Error).one().has_body("caught");
}

#[lens_testkit::test]
fn spans_open_at_a_shutdown_are_ended_and_marked_as_in_production(cap: Capture) {
    let lens = lens::Builder::new().start();
    let span = lens::span!("open");
    drop(lens);
    drop(span);
    cap.spans()
        .name("open")
        .one()
        .has_attr("nemo.span.truncated", true);
}

#[lens_testkit::test]
fn a_second_start_is_refused_as_in_production(cap: Capture) {
    let _first = lens::Builder::new().logs(true).service("first").start();
    let _second = lens::Builder::new().logs(true).service("second").start();
    log::info!("of the first");
    assert_eq!(
        cap.logs().one().resource("service.name"),
        Some(&"first".into())
    );
    assert!(cap.warnings()[0].starts_with("lens: lens is already running"));
}

#[test]
fn a_wait_on_a_span_that_was_found_is_refused() {
    let cap = checkout();
    let charge = cap.spans().name("charge").one();
    let text = failure(|| {
        let _ = charge
            .logs()
            .wait_blocking(9, std::time::Duration::from_secs(60));
    });
    assert!(text.contains("knows nothing new"), "{text}");
}
