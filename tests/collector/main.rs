//! Against a collector that is not ours: rotel, whose debug log counts what arrives.
//!
//! Ignored unless asked for; `.ci/run` installs rotel and names its program in
//! `ROTEL_AGENT`.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use lens_testkit::{Program, Run, bin};

/// What a collector counted.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    logs: usize,
    spans: usize,
    metrics: usize,
}

struct Rotel {
    child: Option<Child>,
    grpc: String,
    http: String,
}

impl Rotel {
    fn start() -> Self {
        let program = std::env::var("ROTEL_AGENT").expect("ROTEL_AGENT names rotel's program");
        let (grpc, http) = (free_address(), free_address());
        let mut command = Command::new(program);
        command.args([
            "start",
            "--exporter",
            "blackhole",
            "--debug-log-verbosity",
            "basic",
        ]);
        command.args(["--debug-log", "traces", "--debug-log", "logs"]);
        command.args(["--debug-log", "metrics"]);
        command.args(["--otlp-grpc-endpoint", &grpc, "--otlp-http-endpoint", &http]);
        let child = command
            .env_clear()
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let rotel = Self {
            child: Some(child.expect("rotel starts")),
            grpc,
            http,
        };
        wait_for(&rotel.grpc);
        wait_for(&rotel.http);
        rotel
    }

    /// Takes what a program sends that has nothing to complain of.
    fn receive(&self, program: Program, protocol: &str) {
        let run = self.run(program, protocol);
        assert_eq!((run.code(), run.stderr.as_str()), (0, ""), "{protocol}");
    }

    fn run(&self, program: Program, protocol: &str) -> Run {
        let address = if protocol == "grpc" {
            &self.grpc
        } else {
            &self.http
        };
        program
            .exporting(&format!("http://{address}"), protocol)
            .run()
    }

    /// Ends the collector and reads what it counted.
    fn end(mut self) -> Counts {
        let child = self.child.take().expect("rotel runs");
        // Asked to end, it finishes its log; killed, it might not.
        let asked = Command::new("kill").arg(child.id().to_string()).status();
        assert!(asked.is_ok_and(|status| status.success()));
        let output = child.wait_with_output().expect("rotel ends");
        let mut counts = Counts::default();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let line = without_colour(line);
            if line.contains("Received logs.") {
                counts.logs += number_after(&line, " logs=");
            } else if line.contains("Received traces.") {
                counts.spans += number_after(&line, " spans=");
            } else if line.contains("Received metrics.") {
                counts.metrics += number_after(&line, " metrics=");
            }
        }
        counts
    }
}

/// A test that fails leaves no collector behind.
impl Drop for Rotel {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its address").to_string()
}

fn wait_for(address: &str) {
    let began = Instant::now();
    while TcpStream::connect(address).is_err() {
        assert!(began.elapsed() < Duration::from_secs(20), "rotel listens");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn without_colour(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.split_once('m').map_or("", |(_, rest)| rest)
    })
}

fn number_after(line: &str, key: &str) -> usize {
    let (_, rest) = line.split_once(key).expect(key);
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
    digits
        .and_then(|digits| digits.parse().ok())
        .expect("a number")
}

fn sync(mode: &str) -> Program {
    bin!("sync").arg(mode)
}

#[test]
#[ignore = "needs the collector that .ci/run installs"]
fn logs_and_spans_arrive_in_full_over_both_protocols() {
    for protocol in ["http/protobuf", "grpc"] {
        let rotel = Rotel::start();
        rotel.receive(sync("burst"), protocol);
        rotel.receive(sync("spans"), protocol);
        rotel.receive(bin!("tokio_below").arg("tasks"), protocol);
        rotel.receive(bin!("one_worker").arg("span"), protocol);
        let expected = Counts {
            logs: 10_000 + 9 + 1_001 + 1,
            spans: 5 + 200 + 1,
            metrics: 0,
        };
        assert_eq!(rotel.end(), expected, "{protocol}");
    }
}

#[test]
#[ignore = "needs the collector that .ci/run installs"]
fn metrics_arrive_over_both_protocols() {
    for protocol in ["http/protobuf", "grpc"] {
        let rotel = Rotel::start();
        rotel.receive(sync("metrics"), protocol);
        rotel.receive(sync("metrics twice"), protocol);
        let expected = Counts {
            spans: 1,
            metrics: 3 + 2,
            ..Counts::default()
        };
        assert_eq!(rotel.end(), expected, "{protocol}");
    }
}

#[test]
#[ignore = "needs the collector that .ci/run installs"]
fn every_signal_arrives_as_json() {
    let rotel = Rotel::start();
    rotel.receive(sync("burst"), "http/json");
    rotel.receive(sync("spans"), "http/json");
    // Of histograms rotel 0.0.1a15 takes no JSON whose counts are texts, as OTLP has them.
    rotel.receive(sync("metrics twice"), "http/json");
    let expected = Counts {
        logs: 10_000 + 9,
        spans: 5,
        metrics: 2,
    };
    assert_eq!(rotel.end(), expected);
}

#[test]
#[ignore = "needs the collector that .ci/run installs"]
fn gzip_arrives_in_full_over_both_protocols() {
    for protocol in ["http/protobuf", "grpc"] {
        let rotel = Rotel::start();
        let burst = sync("burst").env("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip");
        rotel.receive(burst, protocol);
        let expected = Counts {
            logs: 10_000,
            ..Counts::default()
        };
        assert_eq!(rotel.end(), expected, "{protocol}");
    }
}

#[test]
#[ignore = "needs the collector that .ci/run installs"]
fn steps_of_ten_thousand_records_arrive_in_full_over_both_protocols() {
    for protocol in ["http/protobuf", "grpc"] {
        let rotel = Rotel::start();
        rotel.receive(sync("steps"), protocol);
        let expected = Counts {
            logs: 1_000_000,
            ..Counts::default()
        };
        assert_eq!(rotel.end(), expected, "{protocol}");
    }
}

#[test]
#[ignore = "needs the collector that .ci/run installs"]
fn a_record_that_is_too_large_is_cut_and_arrives() {
    for (protocol, told) in [
        ("http/protobuf", "its texts are cut: "),
        // Percent-encoded on its way.
        ("grpc", "decoded message length too large: found 67"),
    ] {
        let rotel = Rotel::start();
        let run = rotel.run(sync("large"), protocol);
        assert_eq!(run.code(), 0);
        let notices = run.notices();
        let is_told = notices.iter().any(|notice| notice.contains(told));
        assert!(is_told, "{protocol}: {notices:?}");
        let expected = Counts {
            logs: 1,
            ..Counts::default()
        };
        assert_eq!(rotel.end(), expected, "{protocol}");
    }
}
