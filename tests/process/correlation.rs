//! Each line carries the ids of the innermost span it was logged in.

use std::collections::HashMap;

use lens_testkit::{LogRecord, Receiver, Span};

use super::{PROTOCOLS, bodies, program, sync};

fn span<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    spans.iter().find(|span| span.name() == name).expect(name)
}

// https://github.com/tokio-rs/tracing-opentelemetry/issues/174 (COR-01)
// https://github.com/open-telemetry/opentelemetry-js-contrib/issues/2097 (COR-10)
#[test]
fn the_innermost_span_gives_the_ids() {
    let receiver = Receiver::start();
    assert_eq!(sync("spans", &receiver).run().code(), 0);
    let (logs, spans) = (receiver.logs().to_vec(), receiver.spans().to_vec());
    assert_eq!(logs.len(), 9);
    for log in &logs {
        match log.body_str().strip_prefix("in ") {
            Some(name) => {
                let span = span(&spans, name);
                assert_eq!(log.span_id(), Some(span.span_id()), "{name}");
                assert_eq!(log.trace_id(), Some(span.trace_id()), "{name}");
            }
            None => assert_eq!((log.trace_id(), log.span_id()), (None, None)),
        }
    }
    let (outer, middle, inner) = (
        span(&spans, "outer"),
        span(&spans, "middle"),
        span(&spans, "inner"),
    );
    assert_eq!(outer.parent_id(), None);
    assert_eq!(middle.parent_id(), Some(outer.span_id()));
    assert_eq!(inner.parent_id(), Some(middle.span_id()));
    assert_eq!(
        inner.scope(),
        "lens-tests",
        "a span's scope is the crate that made it"
    );
}

// https://github.com/Azure/azure-sdk-for-rust/pull/4143 (COR-02)
#[test]
fn no_task_ever_logs_with_the_ids_of_another() {
    for protocol in PROTOCOLS {
        let receiver = Receiver::start();
        let program = program!("tokio_below", "tasks").exporting(&receiver.endpoint(), protocol);
        assert_eq!(program.run().code(), 0);
        let (logs, spans) = (receiver.logs().to_vec(), receiver.spans().to_vec());
        let spans: HashMap<_, _> = spans.iter().map(|span| (span.span_id(), span)).collect();
        assert_eq!((logs.len(), spans.len()), (1_001, 200));
        let (inside, outside): (Vec<_>, Vec<_>) =
            logs.iter().partition(|log| log.body_str() == "at work");
        for log in inside {
            let id = log.span_id().expect("a span id");
            assert_eq!(
                log.attr("expected").and_then(|id| id.as_str()),
                Some(id.to_string().as_str())
            );
            assert_eq!(spans[&id].attr("task"), log.attr("task"));
        }
        assert_eq!(outside.len(), 1);
        assert_eq!(
            outside[0].span_id(),
            None,
            "no span is left behind on a worker"
        );
    }
}

// https://github.com/delta-io/delta-kernel-rs/issues/1422 (COR-03)
#[test]
fn the_helpers_carry_the_span_and_nothing_else_does() {
    for (program, within, without) in [
        (program!("sync", "threads"), 1, 1),
        (program!("tokio_below", "spawned"), 3, 2),
        (program!("current_thread", "spawned"), 3, 2),
    ] {
        let receiver = Receiver::start();
        assert_eq!(
            program.exporting(&receiver.endpoint(), "grpc").run().code(),
            0
        );
        let (logs, spans) = (receiver.logs().to_vec(), receiver.spans().to_vec());
        let parent = span(&spans, "parent").span_id();
        let (plain, carried): (Vec<LogRecord>, Vec<_>) = logs
            .into_iter()
            .partition(|log| log.body_str() == "without");
        assert!(carried.iter().all(|log| log.span_id() == Some(parent)));
        assert_eq!(carried.len(), within);
        assert_eq!(plain.len(), without);
        assert!(
            plain.iter().all(|log| log.span_id().is_none()),
            "{:?}",
            bodies(&plain)
        );
    }
}

#[test]
fn without_traces_there_are_no_ids_and_no_zeros() {
    let receiver = Receiver::start();
    let run = sync("spans", &receiver)
        .env("NEMO_LENS_TRACES_ENABLED", "0")
        .run();
    assert_eq!(run.code(), 0);
    assert!(receiver.spans().count() == 0);
    let logs = receiver.logs().to_vec();
    assert_eq!(logs.len(), 9);
    assert!(
        logs.iter()
            .all(|log| log.trace_id().is_none() && log.span_id().is_none())
    );
}

#[test]
fn spans_that_are_not_exported_still_give_their_ids() {
    let receiver = Receiver::start();
    let run = sync("span", &receiver)
        .env("OTEL_TRACES_EXPORTER", "none")
        .run();
    assert_eq!(run.code(), 0);
    assert!(receiver.spans().count() == 0);
    assert!(receiver.logs().to_vec()[0].span_id().is_some());
}
