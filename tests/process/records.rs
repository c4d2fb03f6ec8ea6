//! What a record says, and which records leave.

use std::time::SystemTime;

use lens_testkit::{Receiver, Value};

use super::{PROTOCOLS, bodies, program, sync, timeless, without_digits};

#[test]
fn a_record_keeps_its_values_and_their_types() {
    for protocol in PROTOCOLS {
        let receiver = Receiver::start();
        let program = program!("sync", "values").exporting(&receiver.endpoint(), protocol);
        assert_eq!(program.run().code(), 0);
        let logs = receiver.logs().to_vec();
        let log = &logs[0];
        assert_eq!(log.body_str(), "values of 7 kinds");
        assert_eq!((log.severity().0, log.severity().1), (13, "WARN"));
        assert_eq!(log.target(), "lens_tests::scenario");
        let attr = |key: &str| log.attr(key).cloned().unwrap_or(Value::Empty);
        assert_eq!(attr("text"), "words".into());
        assert_eq!(attr("integer"), (-7).into());
        assert_eq!(attr("big"), "18446744073709551615".into());
        assert_eq!(attr("float"), 0.25.into());
        assert_eq!(attr("flag"), true.into());
        assert_eq!(attr("exception.message"), "no such dataset".into());
        assert_eq!(log.attr("nothing"), None);
        assert_eq!(log.attr("err"), None, "an error is told once");
        assert_eq!(attr("code.file.path"), "tests/src/scenario.rs".into());
        assert!(matches!(attr("code.line.number"), Value::Int(1..)));
    }
}

// https://github.com/openai/codex/issues/30936 (EXP-10)
#[test]
fn both_times_are_the_time_of_the_call() {
    for protocol in PROTOCOLS {
        let receiver = Receiver::start();
        let before = SystemTime::now();
        let program = program!("sync", "spans").exporting(&receiver.endpoint(), protocol);
        assert_eq!(program.run().code(), 0);
        let nanos = |time: SystemTime| {
            time.duration_since(SystemTime::UNIX_EPOCH)
                .expect("after 1970")
                .as_nanos()
        };
        let (before, after) = (nanos(before), nanos(SystemTime::now()));
        let logs = receiver.logs().to_vec();
        for log in &logs {
            assert_eq!(log.time(), log.observed_time());
            assert!((before..=after).contains(&u128::from(log.time())));
        }
        assert!(logs.is_sorted_by_key(|log| log.time()));
    }
}

// https://github.com/tokio-rs/tracing/issues/3539 (FIL-01)
// https://github.com/open-telemetry/opentelemetry-python/issues/2719 (FIL-07)
#[test]
fn a_logger_takes_itself_and_its_children_only() {
    for logger in ["megatron.training", "megatron::training"] {
        let receiver = Receiver::start();
        let run = sync("loggers", &receiver)
            .env("NEMO_LENS_LOGS_LOGGER", logger)
            .run();
        assert_eq!(
            bodies(&receiver.logs().to_vec()),
            [
                "megatron::training",
                "megatron::training::loop_",
                "megatron.training"
            ]
        );
        assert_eq!(
            run.stdout, "formatted: 0\n",
            "what nobody wants is not formatted"
        );
    }
}

#[test]
fn what_only_the_bridge_wants_is_formatted_once() {
    let receiver = Receiver::start();
    let run = sync("loggers", &receiver)
        .env("NEMO_LENS_LOGS_LOGGER", "rustls")
        .env("NEMO_LENS_LOGS_LEVEL", "debug")
        .run();
    assert_eq!(run.stdout, "formatted: 1\n");
    assert_eq!(bodies(&receiver.logs().to_vec()), ["rustls", "counted"]);
}

#[test]
fn the_level_decides_what_leaves() {
    for (level, expected) in [
        ("off", &[][..]),
        ("ERROR", &["error"]),
        (" warning ", &["error", "warn"]),
        ("trace", &["error", "warn", "info", "debug", "trace"]),
    ] {
        let receiver = Receiver::start();
        sync("levels", &receiver)
            .env("NEMO_LENS_LOGS_LEVEL", level)
            .run();
        assert_eq!(bodies(&receiver.logs().to_vec()), expected, "{level}");
    }
}

// https://github.com/slog-rs/slog/issues/254 (KV-05)
#[test]
fn a_value_that_logs_is_followed_to_a_depth_and_never_hangs() {
    let receiver = Receiver::start();
    let run = sync("reentrant", &receiver).env("RUST_LOG", "info").run();
    let without = program!("without_lens", "reentrant")
        .env("RUST_LOG", "info")
        .run();
    assert_eq!(run.code(), 0);
    assert_eq!(timeless(&run.own_stderr()), timeless(&without.stderr));
    let logs = receiver.logs().to_vec();
    // `Logs(3)` makes three nested records, the deepest one too deep to follow; `Logs(1)`
    // makes one.
    assert_eq!(
        bodies(&logs),
        [
            "outer depth 3",
            "nested depth 2",
            "nested depth 1",
            "nested depth 0"
        ]
    );
    assert_eq!(
        run.notices(),
        ["1 of 5 log records were not exported (1 dropped, re-entrant)"]
    );
}

#[test]
fn a_value_that_fails_costs_itself_only() {
    let receiver = Receiver::start();
    let run = sync("failing values", &receiver).run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    assert_eq!(
        bodies(&receiver.logs().to_vec()),
        [
            "body so far<format error>",
            "body <panic while formatting>",
            "value",
            "still here"
        ]
    );
}

#[test]
fn a_value_that_panics_on_the_console_does_so_as_ever_and_is_told() {
    let receiver = Receiver::start();
    let run = sync("panicking value", &receiver)
        .env("RUST_LOG", "info")
        .run();
    let without = program!("without_lens", "panicking value")
        .env("RUST_LOG", "info")
        .run();
    assert_eq!((run.code(), without.code()), (101, 101));
    assert_eq!(
        without_digits(&run.own_stderr()),
        without_digits(&without.stderr)
    );
    let logs = receiver.logs().to_vec();
    assert_eq!(
        bodies(&logs),
        ["body <panic while formatting>", "no text for this"]
    );
    assert_eq!(logs[1].severity().1, "FATAL");
}

// https://github.com/rust-cli/env_logger/issues/145 (COR-07)
#[test]
fn a_record_of_a_thread_local_destructor_is_kept_or_counted() {
    let receiver = Receiver::start();
    let run = sync("thread local", &receiver).run();
    assert_eq!(run.code(), 0, "{}", run.stderr);
    assert_eq!(run.own_stderr(), "");
    let arrived = receiver.logs().count();
    assert!((3..=5).contains(&arrived));
    let lost = 5 - arrived;
    assert_eq!(run.notices().len(), usize::from(lost > 0), "{}", run.stderr);
}

// https://github.com/rust-cli/env_logger/issues/145 (COR-07)
#[test]
fn spans_and_futures_in_thread_locals_survive_the_end_of_their_thread() {
    let receiver = Receiver::start();
    let run = sync("ending threads", &receiver).run();
    assert_eq!(
        (run.code(), run.stdout.as_str()),
        (0, "survived\n"),
        "{}",
        run.stderr
    );
    assert_eq!(receiver.logs().body("while it lives").count(), 2);
    let spans = receiver.spans().name("parked").to_vec();
    assert!(spans.len() >= 2, "{spans:?}");
}

#[test]
fn a_body_of_64_mib_arrives_whole() {
    for protocol in PROTOCOLS {
        let receiver = Receiver::start();
        let run = program!("sync", "large")
            .exporting(&receiver.endpoint(), protocol)
            // So much takes its time beside other tests.
            .env("NEMO_LENS_SHUTDOWN_TIMEOUT", "60000")
            .run();
        assert_eq!(
            (run.code(), run.own_stderr().as_str()),
            (0, ""),
            "{protocol}"
        );
        let body = receiver.logs().one();
        assert!(body.body_str().len() == 64 << 20, "{protocol}");
    }
}

#[test]
fn one_json_object_a_line_on_the_console() {
    let run = program!("sync", "span")
        .env("NEMO_LENS_EXPORTER", "console")
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    let lines: Vec<_> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{}", run.stdout);
    assert!(
        lines[0].starts_with(r#"{"type":"log","time":"2"#),
        "{}",
        lines[0]
    );
    assert!(lines[0].contains(r#""body":"inside the step""#));
    assert!(
        lines[1].starts_with(r#"{"type":"span","name":"step""#),
        "{}",
        lines[1]
    );
    for attribute in [
        r#""iteration":1"#,
        r#""code.function.name":"lens_tests::scenario::step""#,
        r#""code.file.path":"tests/src/scenario.rs""#,
    ] {
        assert!(lines[1].contains(attribute), "{}", lines[1]);
    }
    assert!(
        lines
            .iter()
            .all(|line| line.ends_with(r#""service":"sync"}"#))
    );
}

#[test]
fn a_tree_for_a_person() {
    let run = program!("sync", "span")
        .env("NEMO_LENS_EXPORTER", "pretty")
        .run();
    assert!(
        run.stdout.starts_with("trace 1\n└─ step  "),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout
            .ends_with("\n   └─ INFO lens_tests::scenario \"inside the step\"\n")
    );
}

// https://github.com/smithy-lang/smithy-rs/issues/1372 (SEC-02)
#[test]
fn what_a_text_contains_cannot_forge_a_line() {
    let printed = |exporter: &str| {
        let run = program!("sync", "hostile").env("NEMO_LENS_EXPORTER", exporter);
        let printed = run.run().stdout;
        let is_harmless = |c: char| c == '\n' || !c.is_control();
        assert!(printed.chars().all(is_harmless), "{printed:?}");
        printed
    };
    let json = printed("console");
    assert_eq!(json.lines().count(), 3, "{json}");
    for line in json.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("an object");
        assert_eq!(line["service"], "sync");
    }
    let tree = printed("pretty");
    assert_eq!(tree.lines().count(), 4, "{tree}");
    assert!(!tree.lines().any(|line| line.starts_with("20")), "{tree}");
}
