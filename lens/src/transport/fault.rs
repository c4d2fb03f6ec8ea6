//! Why an attempt did not deliver, in words for an operator.

use std::error::Error;
use std::io;

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
        }
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
        }
    }

    /// The connection failed or broke.
    pub(super) fn connection(error: &(dyn Error + 'static), shown: &str, sent: bool) -> Self {
        let (text, refused) = connection_text(error, shown);
        Self {
            text,
            unreachable: !sent,
            refused,
            unanswered: sent,
            closed: sent && is_closed(error),
        }
    }
}

/// What happened, and whether it is that nobody listens.
fn connection_text(error: &(dyn Error + 'static), shown: &str) -> (String, bool) {
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
        match inner(cause) {
            Some(source) => cause = source,
            None => return (format!("cannot reach {shown}: {cause}"), false),
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
            "its certificate is signed by nobody this system trusts".to_owned()
        }
        error => error.to_string(),
    }
}
