//! Whom a program trusts, what it shows of itself, and by which way it goes.

use std::io;
use std::net::TcpStream;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use lens_testkit::{Certificate, Receiver};

use super::{bodies, program, sync};

/// A file that is removed when it is dropped.
struct Pem(PathBuf);

impl Pem {
    fn new(name: &str, text: &str) -> Self {
        let name = format!("lens-{name}-{}.pem", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).expect("the file is written");
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Pem {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_receiver_that_asks_for_a_certificate_is_shown_one() {
    let (receiver, client) = Receiver::start_mutual_tls();
    let roots = Pem::new("roots", receiver.certificate());
    let (shown, key) = (
        Pem::new("shown", &client.certificate),
        Pem::new("key", &client.key),
    );
    for protocol in ["http/protobuf", "http/json", "grpc"] {
        let run = sync("log", &receiver)
            .env("OTEL_EXPORTER_OTLP_PROTOCOL", protocol)
            .env("OTEL_EXPORTER_OTLP_CERTIFICATE", roots.path())
            .env("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", shown.path())
            .env("OTEL_EXPORTER_OTLP_LOGS_CLIENT_KEY", key.path())
            .run();
        // Spans and metrics have no key.
        assert_eq!(run.code(), 0);
        assert!(
            run.notices()
                .iter()
                .all(|notice| notice.contains("the other half")),
            "{protocol}"
        );
    }
    assert_eq!(bodies(&receiver.logs().to_vec()), ["one line"; 3]);
    let run = sync("flush and exit", &receiver)
        .env("OTEL_EXPORTER_OTLP_CERTIFICATE", roots.path())
        .run();
    assert!(
        run.notices()[0].contains("the TLS connection to"),
        "{:?}",
        run.notices()
    );
}

#[test]
fn a_certificate_that_is_named_is_the_only_one_trusted() {
    let (receiver, other) = (
        Receiver::start_tls(Certificate::Valid),
        Receiver::start_tls(Certificate::Valid),
    );
    let (own, wrong) = (
        Pem::new("own", receiver.certificate()),
        Pem::new("wrong", other.certificate()),
    );
    let run = |roots: &Pem| {
        let run = sync("log", &receiver)
            .env("SSL_CERT_FILE", own.path())
            .env("OTEL_EXPORTER_OTLP_CERTIFICATE", roots.path());
        run.run().notices().len()
    };
    assert_eq!(run(&own), 0);
    assert!(run(&wrong) > 0);
    assert_eq!(receiver.logs().count(), 1);
}

#[test]
fn grpc_goes_over_a_socket_that_is_a_file() {
    let receiver = Receiver::start();
    let path = std::env::temp_dir().join(format!("lens-{}.sock", std::process::id()));
    let listener = UnixListener::bind(&path).expect("a socket");
    let address = receiver.endpoint().replace("http://", "");
    // What comes over the socket goes to the receiver, and back.
    std::thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let server = TcpStream::connect(&address).expect("the receiver is there");
            let (from, to) = (client.try_clone(), server.try_clone());
            let (mut from, mut to) = (from.expect("a twin"), to.expect("a twin"));
            std::thread::spawn(move || io::copy(&mut from, &mut to));
            let (mut from, mut to): (TcpStream, UnixStream) = (server, client);
            std::thread::spawn(move || io::copy(&mut from, &mut to));
        }
    });
    let run = program!("sync", "log")
        .env(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            format!("unix://{}", path.display()),
        )
        .run();
    std::fs::remove_file(&path).expect("the socket is removed");
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    assert_eq!(bodies(&receiver.logs().to_vec()), ["one line"]);
}
