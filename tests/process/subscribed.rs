//! Programs that use `tracing`: their console, and what leaves.

use lens_testkit::{Level, Program, Receiver};

use super::{program, timeless};

/// Without times, and without the key-values that the usual forwarder does not tell.
fn comparable(text: &str) -> String {
    let told = |line| match str::split_once(line, "nearly full") {
        Some((before, _)) => format!("{before}nearly full\n"),
        None => format!("{line}\n"),
    };
    timeless(text).lines().map(told).collect()
}

// https://github.com/tokio-rs/tracing/issues/2817
#[test]
fn the_console_is_what_it_is_with_the_usual_subscriber() {
    let directives = [
        None,
        Some("off"),
        Some("warn"),
        Some("debug"),
        Some("trace"),
        Some("error,subscribed=debug"),
        Some("store::disk=debug"),
        Some("subscribed[job{number=7}]=debug"),
        Some("=:,"),
        Some(""),
    ];
    for rust_log in directives {
        let with = |program: Program| match rust_log {
            Some(rust_log) => program.env("RUST_LOG", rust_log).run(),
            None => program.run(),
        };
        let without = with(program!("subscribed", "without lens"));
        for (variable, value) in [
            ("NEMO_LENS_EXPORTER", "none"),
            ("NEMO_LENS_LOGS_LEVEL", "off"),
            ("NEMO_LENS_ENABLED", "false"),
        ] {
            let run = with(
                program!("subscribed", "with lens")
                    .env("NEMO_LENS_EXPORTER", "none")
                    .env(variable, value),
            );
            let case = format!("RUST_LOG={rust_log:?} {variable}={value}");
            assert_eq!(
                comparable(&run.stdout),
                comparable(&without.stdout),
                "{case}"
            );
            assert_eq!(run.own_stderr(), without.stderr, "{case}");
            assert_eq!(run.code(), without.code(), "{case}");
        }
    }
}

/// Everything that leaves of one run.
fn everything(mode: &str, protocol: &str) -> (Receiver, String, String) {
    let receiver = Receiver::start();
    let run = program!("subscribed", mode)
        .sending_to(&receiver, protocol)
        .run();
    assert_eq!(run.code(), 0, "{}", run.stderr);
    let job = receiver.spans().name("job").one();
    job.has_attr("number", 7)
        .has_attr("kind", "daily")
        .has_error("it failed");
    assert_eq!(job.scope(), "subscribed");
    for (body, target) in [
        ("half of it", "subscribed"),
        ("a record of log", "subscribed"),
        ("a detail of log", "store::disk"),
        ("a detail", "subscribed"),
        ("it failed", "subscribed"),
    ] {
        let record = receiver.logs().body(body).one();
        assert_eq!((record.target(), mode), (target, mode));
        record.in_span(&job);
        assert!(
            record
                .location()
                .is_some_and(|(file, _)| file.ends_with("subscribed.rs"))
        );
    }
    let record = receiver.logs().body("nearly full").uncorrelated().one();
    assert_eq!(
        (record.target(), record.level()),
        ("store::disk", Some(Level::Warn))
    );
    receiver.logs().exactly(6);
    (receiver, run.stdout, run.stderr)
}

#[test]
fn everything_leaves_once_with_its_span_whoever_subscribes() {
    for protocol in ["grpc", "http/protobuf"] {
        for mode in ["with lens", "silent", "handed over", "twice"] {
            let (receiver, stdout, stderr) = everything(mode, protocol);
            let record = receiver.logs().body("nearly full").one();
            record
                .has_attr("path", "/var")
                .has_attr("free", 3)
                .has_attr("share", "0.25");
            assert_eq!(stderr, "", "{mode}");
            assert_eq!(stdout.is_empty(), mode == "silent", "{mode}: {stdout}");
        }
    }
}

#[test]
fn a_span_that_is_open_at_the_end_leaves_with_what_it_has() {
    let receiver = Receiver::start();
    let run = program!("subscribed", "exit inside")
        .sending_to(&receiver, "grpc")
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (3, ""));
    let job = receiver.spans().name("job").one();
    job.has_attr("number", 7)
        .has_attr("late", 8)
        .has_attr("nemo.span.truncated", true)
        .has_error("it failed");
    receiver.logs().in_trace(&job).exactly(5);
}

/// hyper and h2 say a lot by `tracing` on the thread that exports.
#[test]
fn what_exporting_says_of_itself_is_neither_exported_nor_printed() {
    let without = program!("subscribed", "without lens")
        .env("RUST_LOG", "trace")
        .run();
    for protocol in ["grpc", "http/protobuf"] {
        let receiver = Receiver::start();
        let run = program!("subscribed", "with lens")
            .sending_to(&receiver, protocol)
            .env("RUST_LOG", "trace")
            .env("NEMO_LENS_LOGS_LEVEL", "trace")
            .run();
        assert_eq!(comparable(&run.stdout), comparable(&without.stdout));
        assert_eq!(run.stderr, "");
        receiver.logs().exactly(6);
        receiver.spans().exactly(1);
    }
}

// https://github.com/open-telemetry/opentelemetry-rust/issues/3543 (FIL-06)
#[test]
fn records_of_log_reach_the_programs_own_console_as_they_are() {
    let (_, stdout, _) = everything("handed over", "grpc");
    let file = "tests/programs/subscribed.rs";
    let lines: Vec<_> = stdout
        .lines()
        .map(|line| line.replace(file, "file"))
        .collect();
    assert_eq!(
        lines,
        [
            " WARN store::disk: file: nearly full path=\"/var\" free=3 share=0.25",
            // The span is below what this console shows; the record that left is in it.
            "ERROR subscribed: file: it failed",
        ]
    );
}

#[test]
fn a_subscriber_that_the_program_installs_itself_keeps_everything() {
    let (_, stdout, stderr) = everything("its own", "http/protobuf");
    assert_eq!(stdout.lines().count(), 2, "{stdout}");
    assert_eq!(stderr, "");
}

#[test]
fn a_subscriber_that_is_there_already_keeps_its_place_with_one_line() {
    let run = program!("subscribed", "its own without the layer")
        .env("NEMO_LENS_EXPORTER", "none")
        .run();
    assert_eq!(run.code(), 0);
    assert!(run.stdout.contains("half of it"), "{}", run.stdout);
    let notices = run.notices();
    assert!(
        notices
            .iter()
            .any(|notice| notice.contains("lens::layer()")),
        "{}",
        run.stderr
    );
}

#[test]
fn a_second_subscriber_panics_and_is_told_how_not_to() {
    for mode in ["clash", "clash of log"] {
        let run = program!("subscribed", mode)
            .env("NEMO_LENS_EXPORTER", "none")
            .run();
        assert_eq!(run.code(), 101, "{mode}");
        let notices = run.notices();
        let told = |notice: &&str| notice.contains("tracing = my_subscriber()");
        assert!(notices.iter().any(told), "{mode}: {}", run.stderr);
    }
}
