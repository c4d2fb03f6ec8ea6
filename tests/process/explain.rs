//! What a program says of its settings.

use lens_testkit::{Receiver, Reply};

use super::{program, sync};

#[test]
fn a_program_explains_what_is_in_effect_and_asks_its_receivers() {
    let receiver = Receiver::start();
    let run = program!("settings", "quiet")
        .sending_to(&receiver, "http/protobuf")
        .env("NEMO_LENS_EXPLAIN", "1")
        .env("MEGATRON_OTEL_LOGS_LEVEL", "debug")
        .env("OTEL_TRACES_EXPORTER", "none")
        .env(
            "OTEL_EXPORTER_OTLP_HEADERS",
            "authorization=Bearer%20SECRETCANARY",
        )
        .env("OTEL_RESOURCE_ATTRIBUTES", "api_key=SECRETCANARY")
        .env("OTEL_PYTHON_LOG_CORRELATION", "true")
        .run();
    assert_eq!(run.code(), 0);
    assert!(!run.stderr.contains("SECRETCANARY"), "{}", run.stderr);
    let url = receiver.endpoint();
    for line in [
        "lens is on; in effect are".to_owned(),
        "  NEMO_LENS_LOGS_LEVEL = debug (variable MEGATRON_OTEL_LOGS_LEVEL)".to_owned(),
        "  NEMO_LENS_LOGS_ENABLED = true (code)".to_owned(),
        "  OTEL_TRACES_EXPORTER = none (variable)".to_owned(),
        format!("  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT = {url}/v1/logs (variable OTEL_EXPORTER_OTLP_ENDPOINT)"),
        "  OTEL_EXPORTER_OTLP_LOGS_HEADERS = authorization=[redacted] (variable OTEL_EXPORTER_OTLP_HEADERS)".to_owned(),
        "  OTEL_SERVICE_NAME = settings (detected)".to_owned(),
        "  OTEL_PYTHON_LOG_CORRELATION: lens knows no such variable".to_owned(),
        "  team = core".to_owned(),
        "  evaluate: on".to_owned(),
    ] {
        assert!(run.notices().contains(&line.as_str()), "{line}: {}", run.stderr);
    }
    let answers: Vec<_> = run
        .notices()
        .into_iter()
        .filter(|line| line.contains(": 200 in "))
        .collect();
    assert_eq!(answers.len(), 2, "{}", run.stderr);
    assert!(
        answers[0].starts_with(&format!("  {url}/v1/logs: 200 in ")),
        "{answers:?}"
    );
    receiver.attempts().assert_count(2);
}

#[test]
fn the_scopes_of_a_program_are_told() {
    let run = program!("scopes", "quiet").env("NEMO_LENS_EXPORTER", "none");
    let run = run.env("NEMO_LENS_EXPLAIN", "1").run();
    assert!(
        run.stderr.contains("lens: scopes in this program:\n"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("scoped::chatter: level off\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_receiver_that_is_not_there_or_refuses_is_told() {
    let down = Receiver::start_down();
    let refusing = Receiver::start();
    refusing.always(&Reply::status(401));
    let refusing_grpc = Receiver::start();
    refusing_grpc.always(&Reply::status(16));
    for (receiver, protocol, told) in [
        (&down, "grpc", "connection refused"),
        (&refusing, "http/json", "answered 401"),
        (&refusing_grpc, "grpc", "answered UNAUTHENTICATED"),
    ] {
        let run = program!("sync", "explain")
            .sending_to(receiver, protocol)
            .run();
        assert_eq!(run.code(), 0);
        let (_, answers) = run
            .stdout
            .split_once("what receivers answer:")
            .expect("they are asked");
        assert_eq!(answers.matches(told).count(), 3, "{protocol}: {answers}");
    }
}

#[test]
fn all_of_it_is_one_line_of_json_on_request() {
    let receiver = Receiver::start();
    let run = sync("quiet", &receiver)
        .env("NEMO_LENS_EXPLAIN", "json")
        .run();
    let notices = run.notices();
    assert_eq!(notices.len(), 1, "{notices:?}");
    let explained: serde_json::Value = serde_json::from_str(notices[0]).expect("JSON");
    assert_eq!(explained["enabled"], true);
    let receivers = explained["receivers"].as_array().expect("a list");
    assert!(
        receivers
            .iter()
            .all(|receiver| receiver["ok"] == true && receiver["answer"] == "200")
    );
    let settings = explained["settings"].as_array().expect("a list");
    let level = settings
        .iter()
        .find(|setting| setting["name"] == "NEMO_LENS_LOGS_LEVEL");
    assert_eq!(level.expect("it is there")["origin"], "default");
}

#[test]
fn a_program_that_is_off_says_so_and_asks_nobody() {
    let receiver = Receiver::start();
    let run = sync("explain", &receiver)
        .env("OTEL_SDK_DISABLED", "true")
        .run();
    assert!(
        run.stdout
            .starts_with("lens is off in this process; settled are\n"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("OTEL_SDK_DISABLED = true (variable)"));
    assert_eq!(receiver.connections(), 0);
}
