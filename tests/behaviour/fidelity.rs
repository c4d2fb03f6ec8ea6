//! What a log record holds of what the program said.

use std::error::Error;
use std::fmt;

use lens::opentelemetry::Context;
use lens_testkit::{Capture, LogRecord, Value, test};

fn attr(log: &LogRecord, key: &str) -> Value {
    log.attr(key).cloned().unwrap_or(Value::Empty)
}

// https://github.com/open-telemetry/opentelemetry-rust/pull/2795 (KV-01)
#[test]
fn numbers_of_every_width_are_exact_in_log_records_and_in_spans(cap: Capture) {
    macro_rules! both {
        ($($key:ident = $value:expr),* $(,)?) => {
            log::info!($($key = $value),*; "numbers");
            drop(lens::span!("numbers", $($key = $value),*));
        };
    }
    both!(
        u8_max = u8::MAX,
        u32_max = u32::MAX,
        i64_min = i64::MIN,
        i64_max = i64::MAX,
        above = i64::MAX as u64 + 1,
        u64_max = u64::MAX,
        i128_min = i128::MIN,
        u128_max = u128::MAX,
        usize_max = usize::MAX,
        float = 0.1_f32,
        infinite = f64::NEG_INFINITY,
        zero = -0.0_f64,
        flag = true,
        letter = 'c',
    );
    let (log, span) = (cap.logs().one(), cap.spans().one());
    for (key, expected) in [
        ("u8_max", Value::from(255)),
        ("u32_max", i64::from(u32::MAX).into()),
        ("i64_min", i64::MIN.into()),
        ("i64_max", i64::MAX.into()),
        ("above", "9223372036854775808".into()),
        ("u64_max", "18446744073709551615".into()),
        ("i128_min", i128::MIN.to_string().as_str().into()),
        ("u128_max", u128::MAX.to_string().as_str().into()),
        ("usize_max", "18446744073709551615".into()),
        ("float", f64::from(0.1_f32).into()),
        ("infinite", f64::NEG_INFINITY.into()),
        ("zero", (-0.0).into()),
        ("flag", true.into()),
        ("letter", "c".into()),
    ] {
        assert_eq!(attr(&log, key), expected, "{key}");
        assert_eq!(span.attr(key).cloned(), Some(expected), "{key}");
    }
    assert!(matches!(attr(&log, "zero"), Value::Double(zero) if zero.is_sign_negative()));
}

#[derive(Debug)]
struct Layer(&'static str, Option<Box<Layer>>);

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Layer {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.1.as_deref().map(|source| source as _)
    }
}

#[test]
fn an_error_is_the_exception_with_its_causes(cap: Capture) {
    let disk = Layer("the disk is full", None);
    let save = Layer(
        "cannot save",
        Some(Box::new(Layer("io", Some(Box::new(disk))))),
    );
    log::error!(attempt:err = Layer("first", None), err:err = save; "giving up");
    log::error!(err:err = Layer("told", None), "exception.message" = "by the caller"; "own words");
    let logs = cap.logs().exactly(2);
    logs[0]
        .has_attr("exception.message", "cannot save")
        .has_attr(
            "exception.stacktrace",
            "Caused by: io\nCaused by: the disk is full",
        )
        .has_attr("attempt", "first")
        .has_no_attr("err");
    assert_eq!(
        logs[0].severity(),
        (17, "ERROR"),
        "an exception changes no severity"
    );
    logs[1].has_attr("exception.message", "by the caller");
}

#[test]
fn what_the_caller_says_wins_and_is_said_once(cap: Capture) {
    log::info!(
        a = 1, a = 2, "code.line.number" = 7, trace_id = "mine", unit:? = (), none = None::<u8>,
        "event.name" = "job.started";
        "reserved"
    );
    let log = cap.logs().one();
    log.has_attr("a", 2)
        .has_attr("code.line.number", 7)
        .has_attr("trace_id", "mine")
        .has_attr("unit", "()")
        .has_no_attr("none")
        .has_no_attr("event.name");
    assert_eq!(log.event_name(), Some("job.started"));
    assert_eq!((log.trace_id(), log.span_id()), (None, None));
    let keys: Vec<_> = log.attrs().iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(
        keys.iter()
            .filter(|key| **key == "code.line.number")
            .count(),
        1
    );
}

#[test(env(
    OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT = "2",
    OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT = "3"
))]
fn limits_count_what_they_drop_and_leave_the_body(cap: Capture) {
    log::info!(a = "żółć", b = 1, c = 2, d = 3; "a body is as long as it is");
    let log = cap.logs().one();
    log.has_attr("a", "żół")
        .has_attr("b", 1)
        .has_no_attr("c")
        .has_attr("otel.dropped_attributes_count", 2)
        .has_attr("code.file.path", file!());
    assert_eq!(log.dropped_attrs(), 2);
    assert_eq!(log.body_str(), "a body is as long as it is");
}

#[test]
fn a_body_is_every_byte_of_the_message(cap: Capture) {
    let hostile = "nul \0 newline \n escape \x1b[31m quote \" \u{202e} \u{10ffff}";
    log::info!("{hostile}");
    let long = "x".repeat(1 << 20);
    log::info!("{long}");
    log::info!("");
    let logs = cap.logs().exactly(3);
    assert_eq!(logs[0].body_str(), hostile);
    assert!(logs[1].body_str() == long);
    assert_eq!(logs[2].body_str(), "");
}

#[test]
fn code_that_holds_the_context_may_log(cap: Capture) {
    Context::map_current(|_| {
        log::info!("while the context is borrowed");
        let _span = lens::current_trace_id();
    });
    struct Loud;
    impl Drop for Loud {
        fn drop(&mut self) {
            log::info!("dropped with a context");
        }
    }
    struct Held(#[allow(dead_code)] Loud);
    let context = Context::current_with_value(Held(Loud));
    drop(context.attach());
    cap.logs().body("while the context is borrowed").one();
    cap.logs().body("dropped with a context").one();
}
