//! A sync main, every tokio flavour, lens above and below: the same records arrive.

use lens_testkit::{Program, Receiver, Span};

use super::{PROTOCOLS, bodies, program};

/// Every flavour, each with a program that does what `mode` says.
fn flavours(mode: &str) -> Vec<(&'static str, Program)> {
    let mut all = vec![
        ("sync", program!("sync", mode)),
        ("smol above", program!("smol_above", mode)),
        ("smol below", program!("smol_below", mode)),
    ];
    all.extend(flavours_of_tokio(mode));
    all
}

fn flavours_of_tokio(mode: &str) -> Vec<(&'static str, Program)> {
    vec![
        ("tokio above", program!("tokio_above", mode)),
        ("tokio below", program!("tokio_below", mode)),
        ("current thread", program!("current_thread", mode)),
        ("one worker", program!("one_worker", mode)),
        ("by hand", program!("by_hand", mode)),
    ]
}

// https://github.com/open-telemetry/opentelemetry-rust/issues/3125 (EXP-01)
// https://github.com/open-telemetry/opentelemetry-rust/issues/2400 (EXP-02)
#[test]
fn every_runtime_delivers_over_every_protocol() {
    for protocol in PROTOCOLS {
        for (name, program) in flavours("span") {
            let receiver = Receiver::start();
            let run = program.exporting(&receiver.endpoint(), protocol).run();
            let what = format!("{name} {protocol}");
            assert_eq!((run.code(), run.stderr.as_str()), (0, ""), "{what}");
            let step = receiver.spans().one();
            receiver.logs().body("inside the step").one().in_span(&step);
        }
    }
}

/// What a program does, how it ends, what arrives: records with their severity, and its span,
/// with what ended it.
struct Exit {
    mode: &'static str,
    code: i32,
    logs: &'static [&'static str],
    spans: &'static [&'static str],
}

const ERR: Exit = Exit {
    mode: "err",
    code: 1,
    logs: &["INFO inside the step", "ERROR the disk is full"],
    spans: &["step"],
};
const PANIC: Exit = Exit {
    mode: "panic",
    code: 101,
    logs: &["INFO before the panic", "FATAL index out of bounds"],
    spans: &["doomed panicked"],
};
const CAUGHT: Exit = Exit {
    mode: "caught",
    code: 0,
    logs: &["ERROR caught later", "INFO after the panic"],
    spans: &[],
};
const THREAD_PANIC: Exit = Exit {
    mode: "thread panic",
    code: 0,
    logs: &["INFO before the panic", "ERROR index out of bounds"],
    spans: &["doomed panicked"],
};
const EXIT: Exit = Exit {
    mode: "exit",
    code: 3,
    logs: &["INFO last words"],
    spans: &["cut off truncated"],
};
const OPEN_SPANS: Exit = Exit {
    mode: "leave spans open",
    code: 0,
    logs: &["INFO inside"],
    spans: &["lens span truncated", "raw span truncated"],
};

impl Exit {
    /// The same by another way.
    const fn by(self, mode: &'static str) -> Self {
        Self { mode, ..self }
    }

    fn proves(&self, flavours: Vec<(&'static str, Program)>) {
        for (at, (name, program)) in flavours.into_iter().enumerate() {
            let what = format!("{}, {name}", self.mode);
            let receiver = Receiver::start();
            let protocol = PROTOCOLS[at % PROTOCOLS.len()];
            let run = program.exporting(&receiver.endpoint(), protocol).run();
            assert_eq!(run.code(), self.code, "{what}");
            assert_eq!(run.notices(), Vec::<&str>::new(), "{what}");
            if run.own_stderr().contains("panicked") {
                assert!(
                    self.mode.contains("panic") || self.mode == "caught",
                    "{what}"
                );
            }
            let logs = receiver.logs().to_vec();
            assert_eq!(logs.len(), self.logs.len(), "{what}: {logs:#?}");
            for (log, expected) in logs.iter().zip(self.logs) {
                let log = format!("{} {}", log.severity().1, log.body_str());
                assert!(log.starts_with(expected), "{what}: {log}");
            }
            let mut spans: Vec<_> = receiver.spans().to_vec().iter().map(ended).collect();
            spans.sort_unstable();
            assert_eq!(spans, self.spans, "{what}");
        }
    }
}

/// The name of a span, and what ended it before its time.
fn ended(span: &Span) -> String {
    let is_truncated = span.attr("nemo.span.truncated").is_some();
    let by = is_truncated.then_some("truncated");
    let by = by.into_iter().chain(span.error());
    by.fold(span.name().to_owned(), |shown, by| format!("{shown} {by}"))
}

// https://github.com/bug-ops/zeph/issues/6696 (SHU-02)
#[test]
fn every_exit_is_as_ever_and_delivers_whatever_the_runtime() {
    // A guard does not see what main returns.
    let mut flavours_with_attribute = flavours(ERR.mode);
    flavours_with_attribute.retain(|(name, _)| *name != "by hand");
    ERR.proves(flavours_with_attribute);
    for exit in [
        PANIC,
        CAUGHT,
        THREAD_PANIC,
        EXIT,
        EXIT.by("exit from a thread"),
        EXIT.by("exit in a nested runtime"),
        OPEN_SPANS,
    ] {
        exit.proves(flavours(exit.mode));
    }
}

#[test]
fn every_exit_out_of_a_task_is_as_ever_and_delivers() {
    EXIT.by("exit in a task")
        .proves(flavours_of_tokio("exit in a task"));
    let panic = Exit {
        logs: &[
            "INFO before the panic",
            "ERROR index out of bounds",
            "INFO after the panic",
        ],
        ..THREAD_PANIC
    };
    panic
        .by("task panic")
        .proves(flavours_of_tokio("task panic"));
}

#[test]
fn ten_thousand_records_in_a_tight_loop_all_arrive() {
    for protocol in PROTOCOLS {
        let receiver = Receiver::start();
        let run = program!("sync", "burst")
            .exporting(&receiver.endpoint(), protocol)
            .run();
        assert_eq!((run.code(), run.stderr.as_str()), (0, ""), "{protocol}");
        let logs = receiver.logs().to_vec();
        assert_eq!(logs.len(), 10_000, "{protocol}");
        let in_order = logs.iter().enumerate();
        for (i, log) in in_order {
            assert_eq!(log.body_str(), format!("line {i} of a burst"), "{protocol}");
        }
    }
}

// https://github.com/open-telemetry/opentelemetry-rust/issues/2877 (EXP-03)
#[test]
fn what_the_export_stack_logs_leaves_no_trace() {
    for protocol in PROTOCOLS {
        for compression in ["none", "gzip"] {
            let receiver = Receiver::start();
            let run = program!("tokio_below", "traced")
                .exporting(&receiver.endpoint(), protocol)
                .env("OTEL_EXPORTER_OTLP_COMPRESSION", compression)
                .env("NEMO_LENS_LOGS_LEVEL", "trace")
                .env("RUST_LOG", "trace")
                .run();
            assert_eq!(run.code(), 0);
            // The second line shows that what `tracing` tells does reach the bridge here.
            assert_eq!(
                bodies(&receiver.logs().to_vec()),
                ["one line", "through the other facade"],
                "{protocol}"
            );
            assert_eq!(run.stderr.lines().count(), 2, "{protocol}: {}", run.stderr);
        }
    }
}

#[test]
fn gzip_arrives_readable() {
    for protocol in PROTOCOLS {
        let receiver = Receiver::start();
        let program = program!("sync", "burst").env("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip");
        let run = program.exporting(&receiver.endpoint(), protocol).run();
        assert_eq!((run.code(), run.stderr.as_str()), (0, ""), "{protocol}");
        assert_eq!(receiver.logs().count(), 10_000, "{protocol}");
        let attempt = &receiver.attempts()[0];
        let header = ["content-encoding", "grpc-encoding"].map(|name| attempt.header(name));
        assert!(header.contains(&Some("gzip")), "{protocol}");
        assert!(attempt.body.len() < 100 * attempt.items, "{protocol}");
    }
}
