//! One trace across processes and messages.

use lens_testkit::{Program, Receiver};

use super::{PROTOCOLS, program, sync};

const TRACE: &str = "80f198ee56343ba864fe8b2a57d3eff7";
const PARENT: &str = "00-80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-01";

#[test]
fn what_comes_from_another_program_is_passed_on_whether_lens_is_on_or_off() {
    let passed_on = |name: &str, value: &str| {
        let run = program!("sync", "propagate")
            .env("OTEL_TRACES_EXPORTER", "none")
            .env(name, value);
        run.run().stdout
    };
    let both = "{\"baggage\": \"tenant=blue\", \"traceparent\": \
                \"00-80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-01\"";
    assert!(passed_on("OTEL_SDK_DISABLED", "true").starts_with(both));
    assert!(passed_on("OTEL_SDK_DISABLED", "").starts_with(both));
    assert_eq!(passed_on("OTEL_PROPAGATORS", "none"), "{}\n");
    assert_eq!(
        passed_on("OTEL_PROPAGATORS", "tracecontext,b3")
            .matches("80f198ee")
            .count(),
        2
    );
}

/// Programs whose main is a function, and futures of several runtimes.
fn programs(mode: &str) -> [Program; 4] {
    [
        program!("sync", mode),
        program!("tokio_above", mode),
        program!("tokio_below", mode),
        program!("current_thread", mode),
    ]
}

#[test]
fn what_a_process_is_given_goes_on_in_it_and_in_its_children() {
    for (at, program) in programs("family").into_iter().enumerate() {
        let receiver = Receiver::start();
        let run = program
            .exporting(&receiver.endpoint(), PROTOCOLS[at % 2])
            .env("TRACEPARENT", PARENT)
            .run();
        assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
        let [parent, child] = &receiver.spans().name("work").exactly(2)[..] else {
            unreachable!()
        };
        let is_child = child.parent_id() == Some(parent.span_id());
        let (parent, child) = if is_child {
            (parent, child)
        } else {
            (child, parent)
        };
        parent.has_remote_parent(PARENT);
        assert_eq!(child.parent_id(), Some(parent.span_id()));
        let in_main = receiver.logs().body("in main ").one();
        assert_eq!(
            in_main.span_id().map(|id| id.to_string()).as_deref(),
            PARENT.get(36..52)
        );
        receiver.logs().body("at work ").one().in_span(parent);
        receiver.logs().body("in main child").one().in_span(parent);
        receiver.logs().body("at work child").one().in_span(child);
        for log in receiver.logs().to_vec() {
            assert_eq!(
                log.trace_id().map(|id| id.to_string()).as_deref(),
                Some(TRACE)
            );
        }
    }
}

#[test]
fn a_root_span_is_a_child_of_what_a_process_is_given() {
    for program in [program!("root_sync", ""), program!("root_above", "")] {
        let receiver = Receiver::start();
        let run = program
            .exporting(&receiver.endpoint(), "http/protobuf")
            .env("TRACEPARENT", PARENT)
            .run();
        assert_eq!(run.code(), 1);
        let root = receiver.spans().name("job").one();
        root.has_remote_parent(PARENT);
        receiver.logs().body("in main").one().in_span(&root);
        receiver.logs().body("plain").uncorrelated().one();
    }
}

#[test]
fn a_second_start_leaves_the_active_span_as_it_is() {
    let receiver = Receiver::start();
    let run = sync("start again in a span", &receiver)
        .env("TRACEPARENT", PARENT)
        .run();
    assert_eq!((run.code(), run.notices().len()), (0, 1));
    let span = receiver.spans().one();
    receiver
        .logs()
        .body("after the second start")
        .one()
        .in_span(&span);
}

#[test]
fn an_async_block_somewhere_in_main_takes_the_context_from_nothing() {
    let receiver = Receiver::start();
    let run = program!("by_hand_below", "")
        .exporting(&receiver.endpoint(), "http/protobuf")
        .env("TRACEPARENT", PARENT)
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    for log in receiver.logs().exactly(3) {
        assert_eq!(
            log.trace_id().map(|id| id.to_string()).as_deref(),
            Some(TRACE),
            "{log}"
        );
    }
}

#[test]
fn baggage_is_passed_on_without_a_span_and_what_another_trace_left_goes() {
    for off in ["", "true"] {
        let receiver = Receiver::start();
        let run = sync("pass on", &receiver)
            .env("OTEL_SDK_DISABLED", off)
            .run();
        assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
        let [alone, within, again] = &run.stdout.lines().collect::<Vec<_>>()[..] else {
            panic!("{}", run.stdout)
        };
        assert_eq!(*alone, "baggage: tenant=blue");
        assert!(within.starts_with("baggage: tenant=blue"), "{within}");
        // With a span of its own nothing of the old trace goes along with it.
        if off.is_empty() {
            let is_own = again.starts_with("traceparent: 00-") && !again.contains("congo");
            assert!(is_own, "{again}");
        } else {
            assert_eq!(*again, "Tracestate: congo=t61");
        }
    }
}

#[test]
fn a_process_that_inherits_nothing_begins_a_trace() {
    let oversized = format!("{PARENT}-{}", "x".repeat(100_000));
    for (name, value) in [
        ("NEMO_LENS_INHERIT_CONTEXT", "false"),
        ("TRACEPARENT", "00-0-0-01"),
        ("TRACEPARENT", &oversized),
        ("OTEL_PROPAGATORS", "b3"),
    ] {
        let receiver = Receiver::start();
        let program = sync("family", &receiver).env("TRACEPARENT", PARENT);
        let run = program.env(name, value).run();
        assert_eq!((run.code(), run.stderr.as_str()), (0, ""), "{name}");
        receiver.logs().body("in main ").uncorrelated().one();
        let root = receiver.logs().body("at work ").one().span();
        let root = root.expect("it is in a span");
        root.is_root();
        assert_ne!(root.trace_id().to_string(), TRACE);
        let child = receiver.spans().child_of(&root).maybe_one();
        // The child is given the span in the one format, and its own is not to be inherited.
        assert_eq!(
            child.is_some(),
            name != "NEMO_LENS_INHERIT_CONTEXT",
            "{name}"
        );
    }
}

#[test]
fn a_child_of_no_span_is_given_none() {
    let receiver = Receiver::start();
    let run = sync("orphan", &receiver)
        .env("TRACEPARENT", PARENT)
        .env("PATH", "/bin:/usr/bin")
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains("PATH="), "{}", run.stdout);
    assert!(!run.stdout.contains("TRACEPARENT"), "{}", run.stdout);
}

#[test]
fn the_context_of_a_message_is_that_of_no_other() {
    let receiver = Receiver::start();
    let run = sync("messages", &receiver).run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    let trace_of = |body: &str| {
        let log = receiver.logs().body(body).one();
        log.trace_id().expect("it is in a span")
    };
    let traces = [0, 1, 2, 3].map(|number| trace_of(&format!("message {number}")));
    assert_eq!(traces[0].to_string(), TRACE);
    assert_eq!(traces[3].to_string(), "463ac35c9f6413ad48485a3953bb6124");
    let batch = receiver.spans().name("batch").one();
    assert!(
        !traces.contains(&batch.trace_id()),
        "none of them is in the batch's trace"
    );
    assert_ne!(
        traces[1], traces[2],
        "what is malformed or missing begins a trace"
    );
    for (number, remote) in [(0, true), (1, false), (2, false), (3, true)] {
        let handled = receiver.logs().body(format!("message {number}")).one();
        let again = receiver.logs().body(format!("again {number}")).one();
        let (handled, again) = (handled.span(), again.span());
        let (handled, again) = (handled.expect("a span"), again.expect("a span"));
        // Both say the same parent.
        assert_eq!(again.parent_id(), handled.parent_id());
        assert_eq!(handled.parent_id().is_some(), remote);
        assert_eq!(handled.kind(), "consumer");
        assert_eq!(again.attr("parent"), Some(&"a field".into()));
    }
    let links: Vec<_> = batch.links().iter().map(|link| link.trace_id).collect();
    assert_eq!(links, [traces[0], traces[3]]);
}

// https://github.com/Azure/azure-sdk-for-rust/pull/4143 (COR-02)
#[test]
fn three_hundred_calls_at_once_keep_their_traces_apart() {
    let receiver = Receiver::start();
    let program = program!("grpc_service", "").exporting(&receiver.endpoint(), "http/protobuf");
    let run = program.run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    for call in receiver.spans().name("call").exactly(300) {
        let number = call.attr("number").map(ToString::to_string);
        call.is_root();
        let served = call.child("POST export");
        for body in ["called", "in a task"] {
            let log = served.logs().body(body).one();
            assert_eq!(log.attr("number").map(ToString::to_string), number);
        }
    }
    receiver
        .logs()
        .body("outside of every call")
        .uncorrelated()
        .one();
    assert_eq!(receiver.logs().count(), 601);
}
