//! How requests and answers look: HTTP with protobuf or JSON, and gRPC.

use std::io::Read;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use bytes::{BufMut, Bytes, BytesMut};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use opentelemetry_proto::tonic::collector::logs::v1::{
    ExportLogsPartialSuccess, ExportLogsServiceResponse,
};
use opentelemetry_proto::tonic::collector::metrics::v1::{
    ExportMetricsPartialSuccess, ExportMetricsServiceResponse,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTracePartialSuccess, ExportTraceServiceResponse,
};
use prost::Message;
use serde::Serialize;

use super::Signal;

pub(super) type Body = BoxBody<Bytes, std::convert::Infallible>;

/// How a request and its answer look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wire {
    Protobuf,
    Json,
    Grpc,
}

impl Wire {
    /// What the request's content type says.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let content_type = header(headers, "content-type");
        if content_type.starts_with("application/grpc") {
            Self::Grpc
        } else if content_type.starts_with("application/json") {
            Self::Json
        } else {
            Self::Protobuf
        }
    }

    fn content_type(self) -> &'static str {
        match self {
            Self::Protobuf => "application/x-protobuf",
            Self::Json => "application/json",
            Self::Grpc => "application/grpc",
        }
    }

    /// The message in a body: unframed and decompressed.
    pub(super) fn message(self, body: &[u8], headers: &HeaderMap) -> Result<Vec<u8>, String> {
        let (message, is_compressed) = if self == Self::Grpc {
            let (prefix, message) = body.split_at_checked(5).ok_or("no gRPC frame")?;
            let length = prefix
                .iter()
                .skip(1)
                .fold(0, |sum, byte| sum << 8 | usize::from(*byte));
            if length != message.len() {
                return Err(format!("a frame of {length} bytes holds {}", message.len()));
            }
            (message, prefix.first() == Some(&1))
        } else {
            (body, header(headers, "content-encoding") == "gzip")
        };
        if !is_compressed {
            return Ok(message.to_vec());
        }
        let mut plain = Vec::new();
        (flate2::read::GzDecoder::new(message).read_to_end(&mut plain))
            .map_err(|error| format!("bad gzip: {error}"))?;
        Ok(plain)
    }

    /// A success, of which a part may be rejected.
    pub(super) fn accepted(self, signal: Signal, rejected: i64, message: String) -> Response<Body> {
        let is_partial = rejected != 0 || !message.is_empty();
        self.success(match signal {
            Signal::Logs => self.encoded(&ExportLogsServiceResponse {
                partial_success: is_partial.then_some(ExportLogsPartialSuccess {
                    rejected_log_records: rejected,
                    error_message: message,
                }),
            }),
            Signal::Traces => self.encoded(&ExportTraceServiceResponse {
                partial_success: is_partial.then_some(ExportTracePartialSuccess {
                    rejected_spans: rejected,
                    error_message: message,
                }),
            }),
            Signal::Metrics => self.encoded(&ExportMetricsServiceResponse {
                partial_success: is_partial.then_some(ExportMetricsPartialSuccess {
                    rejected_data_points: rejected,
                    error_message: message,
                }),
            }),
        })
    }

    fn encoded(self, message: &(impl Message + Serialize)) -> Vec<u8> {
        match self {
            Self::Json => serde_json::to_vec(message).unwrap_or_default(),
            Self::Protobuf | Self::Grpc => message.encode_to_vec(),
        }
    }

    /// A success with this message, whatever it is.
    pub(super) fn success(self, message: Vec<u8>) -> Response<Body> {
        if self != Self::Grpc {
            return self.response(200, Full::from(message).boxed());
        }
        let mut frame = BytesMut::new();
        frame.put_u8(0);
        frame.put_u32(u32::try_from(message.len()).unwrap_or(u32::MAX));
        frame.put_slice(&message);
        let mut trailers = HeaderMap::new();
        trailers.insert("grpc-status", HeaderValue::from_static("0"));
        let body = Full::new(frame.freeze()).with_trailers(async { Some(Ok(trailers)) });
        self.response(200, body.boxed())
    }

    /// The refusal of what cannot be read, or has no `signal`.
    pub(super) fn undecodable(self, signal: Option<Signal>) -> Response<Body> {
        let code = match (signal, self) {
            // UNIMPLEMENTED and INVALID_ARGUMENT.
            (None, Self::Grpc) => 12,
            (Some(_), Self::Grpc) => 3,
            (None, _) => 404,
            (Some(_), _) => 400,
        };
        self.status(code, "", &[], None)
    }

    /// The refusal of what has too many bytes.
    pub(super) fn too_large(self, size: usize, most: usize) -> Response<Body> {
        // RESOURCE_EXHAUSTED.
        let code = if self == Self::Grpc { 8 } else { 413 };
        let message = format!("received message larger than max ({size} vs. {most})");
        self.status(code, &message, &[], None)
    }

    /// A refusal.
    pub(super) fn status(
        self,
        code: u16,
        message: &str,
        headers: &[(&'static str, String)],
        retry_info: Option<Duration>,
    ) -> Response<Body> {
        let mut response = if self == Self::Grpc {
            // A status in the headers and no trailers is how gRPC refuses at once.
            let mut response = self.response(200, Full::default().boxed());
            set(&mut response, "grpc-status", &code.to_string());
            set(&mut response, "grpc-message", message);
            if let Some(delay) = retry_info {
                let details = STANDARD_NO_PAD.encode(retry_details(code, delay));
                set(&mut response, "grpc-status-details-bin", &details);
            }
            response
        } else {
            self.response(code, Full::from(message.to_owned()).boxed())
        };
        for (name, value) in headers {
            set(&mut response, name, value);
        }
        response
    }

    fn response(self, code: u16, body: Body) -> Response<Body> {
        let mut response = Response::new(body);
        *response.status_mut() = StatusCode::from_u16(code).unwrap_or_default();
        set(&mut response, "content-type", self.content_type());
        response
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    (headers.get(name))
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

fn set(response: &mut Response<Body>, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

/// A `google.rpc.Status` with one detail, a `google.rpc.RetryInfo`.
///
/// <https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto>
fn retry_details(code: u16, delay: Duration) -> Vec<u8> {
    #[derive(Clone, PartialEq, Message)]
    struct Status {
        #[prost(int32, tag = "1")]
        code: i32,
        #[prost(message, repeated, tag = "3")]
        details: Vec<Any>,
    }
    #[derive(Clone, PartialEq, Message)]
    struct Any {
        #[prost(string, tag = "1")]
        type_url: String,
        #[prost(message, optional, tag = "2")]
        value: Option<RetryInfo>,
    }
    #[derive(Clone, PartialEq, Message)]
    struct RetryInfo {
        #[prost(message, optional, tag = "1")]
        delay: Option<Seconds>,
    }
    #[derive(Clone, PartialEq, Message)]
    struct Seconds {
        #[prost(int64, tag = "1")]
        seconds: i64,
    }
    let seconds = i64::try_from(delay.as_secs()).unwrap_or(i64::MAX);
    let value = RetryInfo {
        delay: Some(Seconds { seconds }),
    };
    let detail = Any {
        type_url: "type.googleapis.com/google.rpc.RetryInfo".to_owned(),
        // On the wire a message and its bytes are the same.
        value: Some(value),
    };
    let status = Status {
        code: i32::from(code),
        details: vec![detail],
    };
    status.encode_to_vec()
}
