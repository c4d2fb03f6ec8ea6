//! One attempt, start to end: request, answer, verdict.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::{Request, Response};

use super::connect::{self, HttpClient};
use super::payload::{Payload, Watched};
use super::{Fault, grpc, http};
use crate::config::{Protocol, Target};
use crate::stats::{Outcome, Signal};

/// The largest answer that is read; the specification's default.
const MAX_RESPONSE: usize = 4 * 1024 * 1024;

/// What came of one attempt.
#[derive(Debug)]
pub(crate) enum Attempt {
    /// The receiver took the request; with rejected items a message may say why.
    Accepted {
        outcome: Outcome,
        message: Option<String>,
    },
    /// Trying again may help.
    Retry(Fault),
    /// The request has more bytes than the receiver takes.
    TooLarge(Fault),
    /// Trying again cannot help.
    Failed(Fault),
}

/// Delivers the requests of one signal to one target.
pub(crate) struct Client {
    signal: Signal,
    target: Target,
    http: HttpClient,
    shown: String,
}

/// An answer, read to its end.
pub(super) struct Answer {
    pub(super) parts: hyper::http::response::Parts,
    /// Empty where it was too long to be read.
    pub(super) body: Bytes,
    pub(super) is_too_long: bool,
    pub(super) trailers: Option<hyper::HeaderMap>,
}

impl Client {
    /// Makes a client; reads the system's certificates, does not connect.
    pub(crate) fn new(signal: Signal, target: Target) -> Self {
        Self {
            signal,
            http: connect::client(&target),
            shown: target.shown(),
            target,
        }
    }

    /// Whose requests it delivers.
    pub(crate) fn signal(&self) -> Signal {
        self.signal
    }

    /// Whether requests are JSON, which they are not where they come from.
    pub(crate) fn takes_json(&self) -> bool {
        self.target.protocol == Protocol::HttpJson
    }

    /// What notices call the target.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// A request as it goes over the wire: compressed and framed.
    pub(crate) fn prepare(&self, message: &Bytes) -> Payload {
        let gzip = self.target.gzip;
        let message = if gzip {
            http::gzipped(message).into()
        } else {
            message.clone()
        };
        let prefix = match self.target.protocol {
            Protocol::HttpProtobuf | Protocol::HttpJson => Bytes::new(),
            Protocol::Grpc => Bytes::copy_from_slice(&grpc::prefix(message.len(), gzip)),
        };
        Payload { prefix, message }
    }

    /// Sends a prepared request once.
    ///
    /// Dropping the future ends the attempt; `sent` then tells whether a byte went out.
    pub(crate) async fn attempt(&self, payload: Payload, sent: &Arc<AtomicBool>) -> Attempt {
        sent.store(false, Relaxed);
        let request = match self.request(payload, sent) {
            Ok(request) => request,
            Err(error) => return Attempt::Failed(Fault::answered(error.to_string())),
        };
        let exchange = self.exchange(request, sent);
        let answer = match self.target.timeout {
            Some(timeout) => (tokio::time::timeout(timeout, exchange).await)
                .unwrap_or_else(|_| Err(Fault::out_of_time(&self.shown, sent.load(Relaxed)))),
            None => exchange.await,
        };
        match answer {
            Err(fault) => Attempt::Retry(fault),
            Ok(answer) => {
                let verdict = match self.target.protocol {
                    Protocol::HttpProtobuf | Protocol::HttpJson => http::verdict,
                    Protocol::Grpc => grpc::verdict,
                };
                verdict(&answer, self.signal, &self.shown, &self.target.headers)
            }
        }
    }

    fn called(&self) -> (&str, Protocol) {
        (&self.shown, self.target.protocol)
    }

    fn request(
        &self,
        payload: Payload,
        sent: &Arc<AtomicBool>,
    ) -> Result<Request<Watched>, hyper::http::Error> {
        let mut request = Request::post(&self.target.uri)
            .header("user-agent", concat!("lens/", env!("CARGO_PKG_VERSION")));
        let fixed = match self.target.protocol {
            Protocol::HttpProtobuf | Protocol::HttpJson => {
                http::headers(self.target.protocol, self.target.gzip)
            }
            Protocol::Grpc => grpc::headers(self.target.gzip),
        };
        for (name, value) in fixed {
            request = request.header(name, value);
        }
        let mut request = request.body(Watched::new(payload, Arc::clone(sent)))?;
        for (name, value) in &self.target.headers {
            request.headers_mut().insert(name, value.clone());
        }
        Ok(request)
    }

    async fn exchange(
        &self,
        request: Request<Watched>,
        sent: &Arc<AtomicBool>,
    ) -> Result<Answer, Fault> {
        let response: Response<_> = (self.http.request(request).await)
            .map_err(|error| Fault::connection(&error, self.called(), sent.load(Relaxed)))?;
        let (parts, body) = response.into_parts();
        match Limited::new(body, MAX_RESPONSE).collect().await {
            Ok(body) => Ok(Answer {
                parts,
                trailers: body.trailers().cloned(),
                body: body.to_bytes(),
                is_too_long: false,
            }),
            // Nobody needs to hold the rest.
            Err(error) if error.is::<LengthLimitError>() => Ok(Answer {
                parts,
                trailers: None,
                body: Bytes::new(),
                is_too_long: true,
            }),
            Err(error) => Err(Fault::connection(&*error, self.called(), true)),
        }
    }
}
