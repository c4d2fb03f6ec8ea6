//! A sync main, every tokio flavour, lens above and below: the same records arrive.

use lens_testkit::Receiver;

use super::{PROTOCOLS, bodies, program};

// https://github.com/open-telemetry/opentelemetry-rust/issues/3125 (EXP-01)
// https://github.com/open-telemetry/opentelemetry-rust/issues/2400 (EXP-02)
#[test]
fn every_runtime_delivers_over_every_protocol() {
    for protocol in PROTOCOLS {
        for (name, program) in [
            ("sync", program!("sync", "span")),
            ("tokio above", program!("tokio_above", "span")),
            ("tokio below", program!("tokio_below", "span")),
            ("current thread", program!("current_thread", "span")),
            ("one worker", program!("one_worker", "span")),
            ("smol above", program!("smol_above", "span")),
            ("smol below", program!("smol_below", "span")),
            ("by hand", program!("by_hand", "span")),
        ] {
            let receiver = Receiver::start();
            let run = program.exporting(&receiver.endpoint(), protocol).run();
            assert_eq!(
                (run.code(), run.stderr.as_str()),
                (0, ""),
                "{name} {protocol}"
            );
            let (logs, spans) = (receiver.logs().to_vec(), receiver.spans().to_vec());
            assert_eq!(bodies(&logs), ["inside the step"], "{name} {protocol}");
            assert_eq!(spans.len(), 1, "{name} {protocol}");
            assert_eq!(
                logs[0].span_id(),
                Some(spans[0].span_id()),
                "{name} {protocol}"
            );
        }
    }
}

#[test]
fn an_err_of_an_async_main_is_a_record() {
    for program in [
        program!("tokio_above", "err"),
        program!("tokio_below", "err"),
        program!("smol_above", "err"),
        program!("smol_below", "err"),
    ] {
        let receiver = Receiver::start();
        let run = program
            .exporting(&receiver.endpoint(), "http/protobuf")
            .run();
        assert_eq!(
            (run.code(), run.stderr.as_str()),
            (1, "Error: \"the disk is full\"\n")
        );
        assert_eq!(
            bodies(&receiver.logs().to_vec()),
            ["inside the step", "the disk is full"]
        );
    }
}

#[test]
fn an_exit_inside_a_task_delivers() {
    for program in [
        program!("tokio_below", "exit in a task"),
        program!("current_thread", "exit in a task"),
        program!("one_worker", "exit in a task"),
    ] {
        let receiver = Receiver::start();
        let run = program.exporting(&receiver.endpoint(), "grpc").run();
        assert_eq!((run.code(), run.stderr.as_str()), (3, ""));
        assert_eq!(bodies(&receiver.logs().to_vec()), ["last words"]);
        assert_eq!(receiver.spans().to_vec()[0].name(), "cut off");
    }
}

#[test]
fn a_panic_in_a_task_is_one_error() {
    for program in [
        program!("tokio_below", "task panic"),
        program!("current_thread", "task panic"),
    ] {
        let receiver = Receiver::start();
        let run = program
            .exporting(&receiver.endpoint(), "http/protobuf")
            .run();
        assert_eq!(run.code(), 0);
        let logs = receiver.logs().to_vec();
        assert_eq!(logs.len(), 3);
        assert_eq!(logs[1].severity().1, "ERROR");
        assert_eq!(receiver.spans().to_vec()[0].error(), Some("panicked"));
    }
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
