//! An event of `tracing` as a log record, and a record of `log` beside it.

use std::fmt;
use std::io;

use lens_testkit::{Capture, Level, Value, test};

#[test]
fn an_event_has_its_fields_with_their_types(cap: Capture) {
    let error = io::Error::other("disk full");
    let line = i64::from(line!()) + 1;
    tracing::warn!(
        target: "shop::till",
        price = 1.5,
        count = -3,
        many = u64::MAX,
        wide = i128::MIN,
        fine = true,
        name = "pear",
        shown = %"a b",
        debugged = ?Some(1),
        r#type = "fruit",
        missing = None::<i64>,
        error = &error as &(dyn std::error::Error + 'static),
        "sold {}",
        "one"
    );
    let record = cap.logs().one();
    record
        .has_level(Level::Warn)
        .has_body("sold one")
        .has_attr("price", 1.5)
        .has_attr("count", -3)
        .has_attr("many", "18446744073709551615")
        .has_attr("wide", i128::MIN.to_string().as_str())
        .has_attr("fine", true)
        .has_attr("name", "pear")
        .has_attr("shown", "a b")
        .has_attr("debugged", "Some(1)")
        .has_attr("type", "fruit")
        .has_attr("exception.message", "disk full")
        .has_no_attr("missing")
        .has_no_attr("error")
        .has_no_attr("message");
    assert_eq!(record.target(), "shop::till");
    assert_eq!(record.location(), Some((file!(), line)));
    assert_eq!(record.severity(), (13, "WARN"));
    assert!(record.time() > 0 && record.event_name().is_none());
}

#[test]
fn an_event_needs_no_message_and_may_have_a_name(cap: Capture) {
    tracing::event!(name: "job.started", tracing::Level::INFO, job = 7);
    let record = cap.logs().one();
    assert_eq!(
        (record.event_name(), record.body()),
        (Some("job.started"), &Value::Empty)
    );
    record.has_attr("job", 7);
}

#[test]
fn secrets_and_values_that_panic_stay_where_they_are(cap: Capture) {
    struct Broken;
    impl fmt::Debug for Broken {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            panic!("cannot be shown")
        }
    }
    tracing::info!(password = "hunter2", broken = ?Broken, whole = 1, "{:?}", Broken);
    cap.logs()
        .one()
        .has_attr("password", "[redacted]")
        .has_attr("broken", "<panic while formatting>")
        .has_attr("whole", 1)
        .has_body("<panic while formatting>");
}

#[test(env(
    OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT = "1",
    OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT = "3"
))]
fn limits_are_those_of_log_records(cap: Capture) {
    tracing::info!(a = "12345", b = 2, "limited");
    let record = cap.logs().one();
    record.has_attr("a", "123").has_no_attr("b");
    assert_eq!(record.dropped_attrs(), 1);
}

// https://github.com/open-telemetry/opentelemetry-rust/issues/3543 (FIL-06)
#[test]
fn a_record_that_was_forwarded_is_as_it_was_made(cap: Capture) {
    log::info!(target: "megatron::training", "by lens");
    let record = log::Record::builder()
        .level(log::Level::Info)
        .target("megatron::training")
        .module_path(Some("megatron::training::step"))
        .file(Some("step.rs"))
        .line(Some(7))
        .args(format_args!("by a forwarder"))
        .build();
    tracing_log::format_trace(&record).unwrap();
    for record in cap.logs().exactly(2) {
        assert_eq!(record.target(), "megatron::training");
        record.has_no_attr("log.target").has_no_attr("log.line");
    }
    let forwarded = cap.logs().body("by a forwarder").one();
    assert_eq!(forwarded.location(), Some(("step.rs", 7)));
    assert_eq!(forwarded.event_name(), None);
}

/// `tracing` repeats each event to the logger where its feature `log-always` is on, behind it, or
/// before it where it names a parent: with the same file, which is no literal then.
#[test]
fn an_event_that_is_repeated_to_the_logger_is_one_record(cap: Capture) {
    let repeat = |line| {
        let record = log::Record::builder()
            .level(log::Level::Info)
            .target(module_path!())
            .file(Some(file!()))
            .line(Some(line))
            .args(format_args!("said; loss=1.5"))
            .build();
        log::logger().log(&record);
    };
    for _ in 0..2 {
        // `tracing` knows of an event before it repeats it: here that is the second round.
        cap.clear();
        for _ in 0..2 {
            tracing::info!(loss = 1.5, "said");
            repeat(line!() - 1);
            repeat(line!() + 1);
            tracing::info!(parent: None, loss = 1.5, "said");
        }
    }
    for record in cap.logs().exactly(4) {
        record.has_body("said").has_attr("loss", 1.5);
    }
    // Nobody says anything by `tracing` there.
    repeat(line!());
    cap.logs().exactly(5);
}

#[test]
fn what_a_value_says_while_it_is_formatted_is_a_record_of_its_own(cap: Capture) {
    struct Talks;
    impl fmt::Display for Talks {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            log::info!("in between");
            f.write_str("talked")
        }
    }
    tracing::info!("{}", Talks);
    tracing::info_span!("failing").in_scope(|| tracing::error!("{}", Talks));
    cap.logs().body("talked").exactly(2);
    cap.logs().body("in between").exactly(2);
    cap.spans().one().has_error("talked");
}

/// What OpenTelemetry says of itself, in any program that turns its `internal-logs` on.
#[test]
fn what_the_sdk_says_of_itself_is_not_exported(cap: Capture) {
    tracing::error!(name: "BatchSpanProcessor.Full", target: "opentelemetry_sdk", "dropped");
    tracing::info!(target: "opentelemetry-otlp", "client built");
    tracing::info!("the program's own");
    cap.logs().one().has_body("the program's own");
}
