//! Bad settings, bad endpoints, second starts: one clear line, the program unharmed.

use lens_testkit::{Certificate, Receiver, Reply, Signal};

use super::{PROTOCOLS, bodies, program, sync};

#[test]
fn a_malformed_endpoint_is_one_line() {
    let run = program!("sync", "span")
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318")
        .run();
    assert_eq!(run.code(), 0);
    let notices = run.notices();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(
        notices[0].starts_with(
            "invalid value \"localhost:4318\" for OTEL_EXPORTER_OTLP_ENDPOINT, expected a URL"
        ),
        "{notices:?}"
    );
}

#[test]
fn unknown_values_are_named_with_what_is_used_instead() {
    let receiver = Receiver::start();
    let run = sync("log", &receiver)
        .env("NEMO_LENS_LOGS_LEVEL", "loud")
        .env("NEMO_LENS_LOCAL", "syslog")
        .env("NEMO_LENS_SHUTDOWN_TIMEOUT", "soon")
        .env("NEMO_LENS_EXPORTER", "kafka")
        .run();
    assert_eq!(run.code(), 0);
    let notices = run.notices();
    assert_eq!(notices.len(), 4, "{notices:?}");
    for used in [
        "using info",
        "using otlp",
        "using 5000 ms",
        "using the program's choice",
    ] {
        assert!(
            notices.iter().any(|notice| notice.contains(used)),
            "{used}: {notices:?}"
        );
    }
    assert_eq!(receiver.logs().count(), 1);
}

#[test]
fn notices_can_be_turned_off() {
    let run = program!("sync", "span")
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", "nowhere")
        .env("OTEL_LOG_LEVEL", "off")
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
}

// https://github.com/open-telemetry/opentelemetry-rust/issues/3182 (EXP-07)
#[test]
fn a_certificate_nobody_trusts_is_one_line() {
    for protocol in ["http/protobuf", "http/json", "grpc"] {
        let receiver = Receiver::start_tls(Certificate::Valid);
        let run = program!("sync", "one of each")
            .exporting(&receiver.endpoint(), protocol)
            .run();
        assert_eq!(run.code(), 0);
        let notices = run.notices();
        assert_eq!(notices.len(), 2, "{notices:?}");
        assert!(
            notices[0].contains("its certificate is signed by nobody this system trusts"),
            "{notices:?}"
        );
        assert_eq!(
            notices[1],
            "1 of 1 log records were not exported (1 failed); \
             1 of 1 spans were not exported (1 failed); \
             1 of 1 data points were not exported (1 failed)"
        );
        assert!(receiver.attempts().is_empty());
    }
}

#[test]
fn a_certificate_the_system_trusts_is_enough() {
    let receiver = Receiver::start_tls(Certificate::Valid);
    // What makes a system of its own of a file: the same on every machine.
    let roots = std::env::temp_dir().join(format!("lens-roots-{}.pem", std::process::id()));
    std::fs::write(&roots, receiver.certificate()).expect("the file is written");
    for protocol in PROTOCOLS {
        let run = program!("tokio_below", "log")
            .exporting(&receiver.endpoint(), protocol)
            .env("SSL_CERT_FILE", &roots)
            .run();
        assert_eq!((run.code(), run.stderr.as_str()), (0, ""), "{protocol}");
    }
    std::fs::remove_file(&roots).expect("the file is removed");
    assert_eq!(bodies(&receiver.logs().to_vec()), ["one line", "one line"]);
}

#[test]
fn a_trusted_certificate_must_be_valid_and_the_hosts_own() {
    for (kind, told) in [
        (Certificate::Expired, "expired"),
        (Certificate::OfAnotherHost, "not valid for name"),
    ] {
        let receiver = Receiver::start_tls(kind);
        let name = format!("lens-roots-{}-{kind:?}.pem", std::process::id());
        let roots = std::env::temp_dir().join(name);
        std::fs::write(&roots, receiver.certificate()).expect("the file is written");
        let run = program!("sync", "flush and exit")
            .sending_to(&receiver, "grpc")
            .env("SSL_CERT_FILE", &roots)
            .run();
        std::fs::remove_file(&roots).expect("the file is removed");
        assert_eq!(run.code(), 1);
        let notices = run.notices();
        assert!(notices[0].contains("the TLS connection to"), "{notices:?}");
        assert!(notices[0].contains(told), "{notices:?}");
        receiver.attempts().assert_count(0);
    }
}

#[test]
fn an_https_endpoint_never_sees_plain_text() {
    // A receiver that speaks no TLS would answer a plain request.
    for protocol in PROTOCOLS {
        let receiver = Receiver::start();
        let endpoint = receiver.endpoint().replace("http:", "https:");
        let run = program!("sync", "flush and exit")
            .exporting(&endpoint, protocol)
            .run();
        assert_eq!(run.code(), 1);
        assert!(receiver.attempts().is_empty(), "{protocol}");
    }
}

#[test]
fn a_second_start_is_one_line_and_changes_nothing() {
    let receiver = Receiver::start();
    let run = sync("start again", &receiver).run();
    assert_eq!(run.code(), 0);
    assert_eq!(
        run.notices(),
        [
            "lens is already running in this process; this start is ignored, the first one stays \
          in effect"
        ]
    );
    assert_eq!(bodies(&receiver.logs().to_vec()), ["one line"]);
}

#[test]
fn lens_can_be_started_again_after_a_shutdown() {
    let receiver = Receiver::start();
    let run = sync("stop and start", &receiver).run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    let logs = receiver.logs().to_vec();
    assert_eq!(
        bodies(&logs),
        ["of the first", "of the second", "inside the step"]
    );
    assert_eq!(logs[1].resource("service.name"), Some(&"second".into()));
    assert_eq!(receiver.spans().count(), 1);
}

// https://github.com/open-telemetry/opentelemetry-rust/issues/3367 (SEC-01)
#[test]
fn no_secret_is_ever_shown() {
    const CANARY: &str = "SECRETCANARY";
    let refusing = Receiver::start();
    refusing.always(&Reply::status(401).message("bad token SECRETCANARY"));
    let refusing_grpc = Receiver::start();
    refusing_grpc.always(&Reply::status(16).message("bad token SECRETCANARY"));
    let down = Receiver::start_down();
    let with_user = |receiver: &Receiver| {
        let endpoint = receiver.endpoint();
        let host = endpoint.trim_start_matches("http://");
        format!("http://user:{CANARY}@{host}/?t={CANARY}")
    };
    for (endpoint, protocol) in [
        (with_user(&refusing), "http/protobuf"),
        (with_user(&refusing_grpc), "grpc"),
        (with_user(&down), "http/protobuf"),
        (format!("nonsense://user:{CANARY}@host?t={CANARY}"), "grpc"),
        (format!("http://user:{CANARY}@"), "grpc"),
    ] {
        let run = program!("sync", "secrets")
            .exporting(&endpoint, protocol)
            .env(
                "OTEL_EXPORTER_OTLP_HEADERS",
                format!("authorization=Bearer%20{CANARY},b=%zz{CANARY}"),
            )
            .env("NEMO_LENS_LOGS_LEVEL", "trace")
            .env("RUST_LOG", "trace")
            .env("RUST_BACKTRACE", "1")
            .run();
        assert_eq!(run.code(), 101);
        assert!(!run.stdout.contains(CANARY), "{protocol}: {}", run.stdout);
        assert!(!run.stderr.contains(CANARY), "{protocol}: {}", run.stderr);
    }
    let attempts = [refusing.attempts(), refusing_grpc.attempts()];
    for attempt in attempts.into_iter().flatten() {
        assert_eq!(attempt.header("authorization"), Some("Bearer SECRETCANARY"));
        assert!(!String::from_utf8_lossy(&attempt.body).contains(CANARY));
    }
}

#[test]
fn headers_and_paths_arrive_as_configured() {
    let receiver = Receiver::start();
    let run = program!("sync", "span")
        .env(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            receiver.endpoint() + "/base/",
        )
        .env("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=a%20b")
        .env("OTEL_EXPORTER_OTLP_LOGS_HEADERS", "x-tenant=logs")
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    for attempt in receiver.attempts() {
        let (path, tenant) = match attempt.signal {
            Some(Signal::Logs) => ("/base/v1/logs", "logs"),
            _ => ("/base/v1/traces", "a b"),
        };
        assert_eq!(
            (attempt.path.as_str(), attempt.header("x-tenant")),
            (path, Some(tenant))
        );
        assert_eq!(
            attempt.header("content-type"),
            Some("application/x-protobuf")
        );
    }
}
