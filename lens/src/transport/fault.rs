//! Why an attempt did not deliver, in words for an operator.

use std::error::Error;
use std::io;
use std::time::Duration;

use crate::config::Protocol;

/// Why an attempt did not deliver.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// One clause: what happened and, where it is known, the remedy.
    pub(crate) text: String,
    /// No connection was made, so nothing was sent.
    pub(crate) unreachable: bool,
    /// Nobody listens on the port.
    pub(crate) refused: bool,
    /// The request went out and no answer came back.
    pub(crate) unanswered: bool,
    /// The connection was closed on the request.
    pub(crate) closed: bool,
    /// How long the receiver wants to be left alone.
    pub(crate) wait: Option<Duration>,
}

impl Fault {
    /// The receiver answered, and the answer was no.
    pub(super) fn answered(text: String) -> Self {
        Self {
            text,
            unreachable: false,
            refused: false,
            unanswered: false,
            closed: false,
            wait: None,
        }
    }

    /// The same, from a receiver that wants to be left alone for so long.
    pub(super) fn waiting(self, wait: Option<Duration>) -> Self {
        Self { wait, ..self }
    }

    /// The time for an attempt ran out.
    pub(crate) fn out_of_time(shown: &str, sent: bool) -> Self {
        let what = if sent { "answer from" } else { "connection to" };
        Self {
            text: format!("no {what} {shown} in time"),
            unreachable: !sent,
            refused: false,
            unanswered: sent,
            closed: false,
            wait: None,
        }
    }

    /// The connection failed or broke.
    pub(super) fn connection(
        error: &(dyn Error + 'static),
        (shown, protocol): (&str, Protocol),
        sent: bool,
    ) -> Self {
        let (text, refused) = connection_text(error, shown, protocol);
        Self {
            text,
            unreachable: !sent,
            refused,
            unanswered: sent,
            closed: sent && is_closed(error),
            wait: None,
        }
    }
}

/// What happened, and whether it is that nobody listens.
fn connection_text(
    error: &(dyn Error + 'static),
    shown: &str,
    protocol: Protocol,
) -> (String, bool) {
    let mut cause = error;
    loop {
        #[cfg(feature = "tls")]
        if let Some(error) = cause.downcast_ref() {
            let text = format!("the TLS connection to {shown} failed: {}", tls_text(error));
            return (text, false);
        }
        if is_refusal(cause) {
            let text = format!("connection refused by {shown}; is a collector listening?");
            return (text, true);
        }
        if let Some(other) = other_protocol(cause, protocol) {
            let text = format!(
                "{shown} does not answer in {protocol}; does it speak {other}? \
                 OTEL_EXPORTER_OTLP_PROTOCOL says what is spoken"
            );
            return (text, false);
        }
        match inner(cause) {
            Some(source) => cause = source,
            None => return (format!("cannot reach {shown}: {cause}"), false),
        }
    }
}

/// What the other side seems to speak, where that is not `protocol`.
fn other_protocol(error: &(dyn Error + 'static), protocol: Protocol) -> Option<&'static str> {
    match protocol {
        Protocol::Grpc => {
            // Of HTTP/2 there is no telling but by its words: an answer in HTTP/1.1 is a frame of
            // some length.
            let is_no_frame = error.to_string().contains("frame with invalid size");
            is_no_frame.then_some("HTTP")
        }
        Protocol::HttpProtobuf | Protocol::HttpJson => {
            let error = error.downcast_ref::<hyper::Error>()?;
            error.is_parse().then_some("gRPC")
        }
    }
}

/// The error inside an error; an I/O error's own `source` leaves out what it wraps.
fn inner<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    let wrapped = error
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref);
    match wrapped {
        Some(wrapped) => Some(wrapped),
        None => error.source(),
    }
}

/// Whether the other side closed the connection while it was written to.
fn is_closed(error: &(dyn Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |error| inner(*error));
    causes.any(|cause| {
        let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        matches!(
            kind,
            Some(io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
        )
    })
}

fn is_refusal(error: &(dyn Error + 'static)) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
}

#[cfg(feature = "tls")]
fn tls_text(error: &rustls::Error) -> String {
    use rustls::{CertificateError, Error as Tls};
    match error {
        Tls::InvalidCertificate(CertificateError::UnknownIssuer) => {
            "its certificate is signed by nobody this system trusts; whom to trust instead is said \
             by OTEL_EXPORTER_OTLP_CERTIFICATE"
                .to_owned()
        }
        error => error.to_string(),
    }
}
