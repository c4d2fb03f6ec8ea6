//! The example program of the documentation, word for word.

use lens_testkit::{Program, Receiver, Value};

fn megatron() -> Program {
    lens_testkit::bin!("megatron")
}

#[test]
fn ten_steps_arrive_with_their_lines_in_them() {
    let receiver = Receiver::start();
    let run = megatron()
        .exporting(&receiver.endpoint(), "http/protobuf")
        .run();
    assert_eq!(
        (run.code(), run.stdout.as_str(), run.stderr.as_str()),
        (0, "", "")
    );
    let (logs, spans) = (receiver.logs().to_vec(), receiver.spans().to_vec());
    assert_eq!((logs.len(), spans.len()), (10, 10));
    for (i, log) in logs.iter().enumerate() {
        assert_eq!(log.body_str(), format!("iteration {i}"));
        assert_eq!(log.target(), "megatron::training");
        assert_eq!(log.attr("loss"), Some(&Value::Double(1.23)));
        assert_eq!(log.resource("service.name"), Some(&"megatron".into()));
        let span = &spans[i];
        assert_eq!(log.span_id(), Some(span.span_id()));
        assert_eq!(log.trace_id(), Some(span.trace_id()));
        assert_eq!(span.name(), "train.step");
        assert_eq!(span.attr("iteration"), Some(&Value::Int(i as i64)));
    }
}

#[test]
fn rust_log_prints_it_as_ever() {
    let run = megatron()
        .env("RUST_LOG", "info")
        .env("OTEL_SDK_DISABLED", "true")
        .run();
    assert_eq!(run.stderr.matches("iteration ").count(), 10);
}
