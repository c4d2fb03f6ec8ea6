//! What a receiver gets from the examples, as `cargo build --examples` has built them.

use std::collections::HashSet;

use lens_testkit::{Program, Receiver, Span};

/// The example of that name.
fn example(name: &str) -> Program {
    let test = std::env::current_exe().expect("this test has a path");
    let target = test.parent().and_then(|deps| deps.parent());
    let target = target.expect("it is below the target folder");
    Program::new(target.join("examples").join(name)).env("NEMO_LENS_EXPORTER", "otlp")
}

#[test]
fn four_ranks_are_one_trace_with_parents_and_links() {
    let shared = "00-80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-01";
    for (protocol, given) in [("http/protobuf", ""), ("grpc", shared)] {
        let receiver = Receiver::start();
        let run = example("ranks")
            .sending_to(&receiver, protocol)
            .env("TRACEPARENT", given)
            .run();
        assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
        let spans = receiver.spans().to_vec();
        // One launcher and four ranks with two spans each, and the one that gathers.
        assert_eq!(spans.len(), 3 + 4 * 2);
        let traces: HashSet<_> = spans.iter().map(Span::trace_id).collect();
        let ids: HashSet<_> = spans.iter().map(Span::span_id).collect();
        assert_eq!((traces.len(), ids.len()), (1, spans.len()));
        let launch = receiver.spans().name("launch").one();
        let root = launch.parent().expect("it was received");
        if given.is_empty() {
            root.is_root();
        } else {
            root.has_remote_parent(given);
        }
        let gather = receiver.spans().name("gather").one();
        gather.has_parent(&launch);
        assert_eq!(gather.links().len(), 4);
        let trained = receiver.spans().name("train").exactly(4);
        let mut ranks = HashSet::new();
        for train in &trained {
            let job = train.parent().expect("it was received");
            assert_eq!(job.name(), "job");
            job.has_parent(&launch);
            gather.has_link(train);
            train.logs().body("trained").one();
            assert_eq!(train.attr("rank"), train.resource("dl.rank"));
            ranks.insert(train.attr("rank").map(ToString::to_string));
        }
        assert_eq!(ranks.len(), 4);
        receiver.logs().body("gathered").one().in_span(&gather);
    }
}

// https://github.com/Azure/azure-sdk-for-rust/pull/4143 (COR-02)
// https://github.com/delta-io/delta-kernel-rs/issues/1422 (COR-03)
#[test]
fn under_load_no_record_has_the_ids_of_another_request() {
    const REQUESTS: usize = 500;
    let receiver = Receiver::start();
    let run = example("http_service")
        .arg(REQUESTS.to_string())
        .sending_to(&receiver, "grpc")
        .run();
    assert_eq!(run.code(), 0, "{}", run.stderr);
    assert_eq!(run.notices(), [""; 0]);
    let logs = receiver.logs().to_vec();
    assert_eq!(logs.len(), 3 * REQUESTS);
    let mut traces = HashSet::new();
    for front in receiver
        .spans()
        .name("GET /models/{name}")
        .exactly(REQUESTS)
    {
        front.is_root();
        assert!(traces.insert(front.trace_id()), "a trace for each request");
        let path = front
            .attr("url.path")
            .map(ToString::to_string)
            .unwrap_or_default();
        let name = path.rsplit('/').next().expect("a path");
        let fetch = front.child("GET");
        let store = fetch.child("GET /weights/{name}");
        front.has_attr("http.response.status_code", 200);
        for (span, body) in [
            (&front, "asked for a model"),
            (&front, "looked at its weights"),
            (&store, "read the weights"),
        ] {
            let log = span.logs().body(body).one();
            assert_eq!(
                log.attr("name").map(ToString::to_string).as_deref(),
                Some(name)
            );
        }
        assert_eq!(store.resource("service.name"), Some(&"store".into()));
    }
}

/// A service that uses `tracing` as most do, and has lens by one line.
#[test]
fn a_service_with_tracing_is_a_trace_for_each_request() {
    let receiver = Receiver::start();
    // Without it the console shows errors alone where somebody turned `env-filter` on.
    let run = example("tracing_service")
        .sending_to(&receiver, "grpc")
        .env("RUST_LOG", "info")
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    // What `tracing_subscriber` prints, and it alone.
    assert_eq!(run.stdout.lines().count(), 8, "{}", run.stdout);
    let requests = receiver.spans().name("request").exactly(3);
    for (number, request) in (1..).zip(&requests) {
        request.is_root().has_attr("request_id", number);
        assert_eq!(request.kind(), "server");
        let find = request.child("find");
        for record in receiver.logs().in_trace(request).at_least_n(2) {
            record.has_attr("request_id", number);
        }
        request.logs().body("asked for an order").one();
        // By `log`, in a task, in a span of `tracing`.
        let record = find.logs().body("looked into the store").one();
        assert_eq!(record.target(), "tracing_service::stock");
        match number {
            3 => find.has_error("no pieces of order 13 are left"),
            _ => find.has_no_error(),
        };
    }
    receiver.logs().exactly(8);
}
