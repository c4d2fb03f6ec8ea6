//! Collectors that come late, refuse and return.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::{Duration, Instant};

use lens_testkit::{Receiver, Reply, Signal};

use super::{PATIENCE, PROTOCOLS, bodies, program};

#[test]
fn a_redirect_is_not_followed_and_no_header_leaks() {
    for protocol in ["http/protobuf", "http/json"] {
        let (receiver, elsewhere) = (Receiver::start(), Receiver::start());
        receiver.always(&Reply::redirect(&elsewhere.endpoint()));
        let run = program!("sync", "one of each")
            .sending_to(&receiver, protocol)
            .env("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20token")
            .run();
        assert_eq!(run.code(), 0);
        for signal in [Signal::Logs, Signal::Traces, Signal::Metrics] {
            receiver
                .attempts()
                .of(signal)
                .assert_count(1)
                .assert_header("authorization", "Bearer token");
        }
        elsewhere.attempts().assert_count(0);
    }
}

#[test]
fn a_receiver_of_one_signal_is_one_line_about_the_other() {
    let receiver = Receiver::start();
    receiver.always(&Reply::status(404));
    receiver.script(Signal::Traces, [Reply::ok(), Reply::ok(), Reply::ok()]);
    let run = program!("sync", "rounds")
        .exporting(&receiver.endpoint(), "http/protobuf")
        .run();
    assert_eq!(receiver.spans().count(), 3);
    let notices = run.notices();
    assert_eq!(notices.len(), 2, "{notices:?}");
    assert!(
        notices[0].starts_with("export of log records fails: "),
        "{notices:?}"
    );
    assert!(
        notices[1].starts_with("3 of 3 log records were not exported"),
        "{notices:?}"
    );
}

#[test]
fn a_collector_that_comes_late_gets_what_was_logged_before() {
    for protocol in PROTOCOLS {
        let receiver = Receiver::start_down();
        let mut program = program!("sync", "until told")
            .exporting(&receiver.endpoint(), protocol)
            .stdin()
            .start();
        // The first refusal is one line; then the collector appears.
        assert!(
            program
                .line()
                .contains("connection refused by http://127.0.0.1:")
        );
        receiver.come_up();
        assert!(receiver.wait_for_logs(1, PATIENCE), "{protocol}");
        assert!(program.line().contains("are exported to http://127.0.0.1:"));
        let run = program.finish();
        assert_eq!(run.code(), 0);
        assert_eq!(receiver.logs().count(), 2, "{protocol}");
        assert_eq!(run.notices(), [""; 0]);
    }
}

// https://github.com/pragma-org/amaru/issues/481 (EXP-13)
#[test]
fn a_collector_that_restarts_loses_nothing() {
    for protocol in PROTOCOLS {
        let receiver = Receiver::start();
        let mut program = program!("sync", "until told")
            .exporting(&receiver.endpoint(), protocol)
            .stdin()
            .start();
        assert!(receiver.wait_for_logs(1, PATIENCE), "{protocol}");
        receiver.go_down();
        program.tell("more");
        assert!(program.line().contains("export fails: "), "{protocol}");
        receiver.come_up();
        assert!(receiver.wait_for_logs(2, PATIENCE), "{protocol}");
        let run = program.finish();
        assert_eq!(run.code(), 0);
        let logs = receiver.logs().to_vec();
        assert_eq!(bodies(&logs), ["one line", "more", "the end"], "{protocol}");
    }
}

#[test]
fn a_collector_that_restarts_under_load_loses_nothing() {
    for protocol in PROTOCOLS {
        let receiver = Receiver::start();
        // So that it goes in the middle of requests.
        let slowly = || Reply::ok().after(Duration::from_millis(5));
        receiver.script(Signal::Logs, std::iter::repeat_with(slowly).take(500));
        let mut program = program!("sync", "burst until told")
            .exporting(&receiver.endpoint(), protocol)
            .env("OTEL_BLRP_MAX_EXPORT_BATCH_SIZE", "50")
            .stdin()
            .start();
        for count in [1, 2_000, 5_000] {
            assert!(receiver.wait_for_logs(count, PATIENCE), "{protocol}");
            receiver.go_down();
            receiver.come_up();
        }
        program.tell("end");
        assert_eq!(program.finish().code(), 0);
        // What it took without being able to say so may come twice.
        let logs = receiver.logs().to_vec();
        let distinct: HashSet<_> = bodies(&logs).into_iter().collect();
        assert_eq!(distinct.len(), 10_000, "{protocol}");
        assert!(
            logs.len() <= 10_000 + 3 * 4 * 50,
            "{protocol}: {}",
            logs.len()
        );
    }
}

/// A server that answers the first bytes of each connection with the same ones.
fn answering(bytes: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its address");
    std::thread::spawn(move || {
        for mut client in listener.incoming().map_while(Result::ok) {
            let _ = client.read(&mut [0; 65536]);
            let _ = client.write_all(bytes);
            // The client closes what it does not understand.
            while client.read(&mut [0; 65536]).is_ok_and(|read| read > 0) {}
        }
    });
    format!("http://{address}")
}

#[test]
fn a_receiver_of_the_other_protocol_is_told_in_words() {
    let http = answering(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    // An empty frame of settings, as an HTTP/2 server begins.
    let grpc = answering(&[0, 0, 0, 4, 0, 0, 0, 0, 0]);
    for (endpoint, protocol, told) in [
        (
            &http,
            "grpc",
            "does not answer in grpc; does it speak HTTP?",
        ),
        (
            &grpc,
            "http/protobuf",
            "does not answer in http/protobuf; does it speak gRPC?",
        ),
        (
            &grpc,
            "http/json",
            "does not answer in http/json; does it speak gRPC?",
        ),
    ] {
        for (name, signal) in [
            ("LOGS", "log records"),
            ("TRACES", "spans"),
            ("METRICS", "data points"),
        ] {
            let mut program = program!("sync", "one of each").exporting(endpoint, protocol);
            // The others go nowhere.
            for other in ["LOGS", "TRACES", "METRICS"]
                .iter()
                .filter(|other| **other != name)
            {
                program = program.env(&format!("OTEL_{other}_EXPORTER"), "none");
            }
            let run = program.env("NEMO_LENS_SHUTDOWN_TIMEOUT", "300").run();
            assert_eq!(run.code(), 0);
            let notices = run.notices();
            assert!(notices[0].contains(told), "{signal}: {notices:?}");
            assert!(
                notices[0].ends_with(&format!("; 1 {signal} waiting")),
                "{notices:?}"
            );
        }
    }
}

#[test]
fn an_address_where_nobody_is_costs_the_deadline_at_most() {
    // Packets to the first are swallowed or refused, by the network the test runs in; the second
    // has no address.
    for host in ["192.0.2.1", "collector.invalid"] {
        for protocol in PROTOCOLS {
            let began = Instant::now();
            let run = program!("sync", "metrics")
                .exporting(&format!("http://{host}:4318"), protocol)
                .env("NEMO_LENS_SHUTDOWN_TIMEOUT", "500")
                .run();
            assert_eq!(run.code(), 0);
            assert!(
                began.elapsed() < Duration::from_secs(15),
                "{host} {protocol}"
            );
            assert!(
                run.stderr.contains("data points were not exported"),
                "{}",
                run.stderr
            );
        }
    }
}
