//! The receiver, spoken to in plain HTTP.

#![allow(clippy::unwrap_used, reason = "in tests")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use lens_testkit::{Level, Receiver, Reply, Signal};

/// Sends a request and returns the answer's status line and headers.
fn post(receiver: &Receiver, path: &str, content_type: &str, body: &str) -> String {
    let endpoint = receiver.endpoint();
    let mut stream = TcpStream::connect(endpoint.trim_start_matches("http://")).unwrap();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nhost: receiver\r\ncontent-type: {content_type}\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

const LOGS: &str = r#"{"resourceLogs": [{
    "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]},
    "scopeLogs": [{"scope": {"name": "shop::pay"}, "logRecords": [{
        "timeUnixNano": "1796083200000000000", "severityNumber": 13, "severityText": "WARN",
        "body": {"stringValue": "card declined"},
        "attributes": [{"key": "order.id", "value": {"intValue": "7"}}],
        "traceId": "5b8efff798038103d269b633813fc60c", "spanId": "eee19b7ec3c1b174"
    }]}]
}]}"#;

#[test]
fn json_is_asked_with_the_same_questions() {
    let receiver = Receiver::start();
    let answer = post(&receiver, "/v1/logs", "application/json", LOGS);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(
        answer.contains("content-type: application/json"),
        "{answer}"
    );
    receiver.script(Signal::Traces, [Reply::partial(2, "too old")]);
    let answer = post(
        &receiver,
        "/v1/traces",
        "application/json",
        "{\"resourceSpans\": []}",
    );
    assert!(
        answer.contains("\"rejectedSpans\":") && answer.contains("too old"),
        "{answer}"
    );
    let log = receiver.logs().level(Level::Warn).target("shop::pay").one();
    log.has_body("card declined").has_attr("order.id", 7);
    assert_eq!(
        log.trace_id().unwrap().to_string(),
        "5b8efff798038103d269b633813fc60c"
    );
    assert_eq!(log.resource("service.name"), Some(&"shop".into()));
    assert_eq!(
        receiver.tree().to_string(),
        "trace 1\n└─ WARN shop::pay \"card declined\" order.id=7"
    );
}

#[test]
fn replies_follow_the_script_and_every_attempt_is_kept() {
    let receiver = Receiver::start();
    let refusals = [
        Reply::status(503).retry_after(2),
        Reply::status(429).message("slow down"),
    ];
    receiver.script(Signal::Logs, refusals);
    let first = post(&receiver, "/v1/logs", "application/json", LOGS);
    assert!(
        first.starts_with("HTTP/1.1 503") && first.contains("retry-after: 2"),
        "{first}"
    );
    let second = post(&receiver, "/v1/logs", "application/json", LOGS);
    assert!(
        second.starts_with("HTTP/1.1 429") && second.ends_with("slow down"),
        "{second}"
    );
    receiver.logs().allow_empty().none();
    post(&receiver, "/v1/logs", "application/json", LOGS);
    receiver.logs().one();
    receiver
        .attempts()
        .of(Signal::Logs)
        .assert_count(3)
        .assert_same_payload()
        .assert_gaps(Duration::ZERO..=Duration::from_secs(20))
        .assert_sizes(LOGS.len()..=LOGS.len())
        .assert_header("content-type", "application/json");
}

#[test]
fn what_cannot_be_decoded_is_refused_and_told() {
    let receiver = Receiver::start();
    let answer = post(&receiver, "/v1/traces", "application/json", "{");
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    assert!(receiver.attempts()[0].error.is_some());
    let answer = post(&receiver, "/v2/logs", "application/json", "{}");
    assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
}

#[test]
fn a_receiver_that_is_down_refuses_and_returns_on_its_port() {
    let receiver = Receiver::start_down();
    let endpoint = receiver.endpoint();
    let address = endpoint.trim_start_matches("http://").to_owned();
    assert!(TcpStream::connect(&address).is_err());
    receiver.come_up();
    post(&receiver, "/v1/logs", "application/json", LOGS);
    receiver.logs().one();
    receiver.go_down();
    assert!(TcpStream::connect(&address).is_err());
    assert_eq!(receiver.endpoint(), endpoint);
}

#[test]
fn a_failed_assertion_lists_the_attempts() {
    let receiver = Receiver::start();
    post(&receiver, "/v1/logs", "application/json", LOGS);
    let attempts = receiver.attempts();
    let panic = std::panic::catch_unwind(|| attempts.assert_count(2).len()).unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    assert!(
        text.starts_with("expected 2 attempts, found 1\n  +0ns  /v1/logs  1 items"),
        "{text}"
    );
}

#[lens_testkit::test(flavor = "multi_thread")]
async fn a_question_to_a_receiver_can_wait() {
    let receiver = Receiver::start();
    let logs = receiver.logs();
    let sender = tokio::task::spawn_blocking(move || {
        post(&receiver, "/v1/logs", "application/json", LOGS);
        receiver
    });
    logs.wait().await.one();
    sender.await.unwrap();
}
