//! One request and its answer, over HTTP or gRPC.

use std::io::Read;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use bytes::{BufMut, Bytes, BytesMut};
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use opentelemetry_proto::tonic::collector::logs::v1::{
    ExportLogsPartialSuccess, ExportLogsServiceResponse,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTracePartialSuccess, ExportTraceServiceResponse,
};
use prost::Message;

use super::connection::Ending;
use super::decode::{Decoded, decode};
use super::script::Answer;
use super::store::Store;
use super::{Attempt, Signal};

type Body = BoxBody<Bytes, std::convert::Infallible>;

pub(super) async fn exchange(
    request: Request<Incoming>,
    store: Arc<Store>,
    ending: Ending,
) -> Result<Response<Body>, hyper::Error> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await?.to_bytes();
    let path = parts.uri.path().to_owned();
    let signal = Signal::of_path(&path);
    let is_grpc = header(&parts.headers, "content-type").starts_with("application/grpc");
    let decoded = match signal {
        Some(signal) => {
            let is_json = header(&parts.headers, "content-type").starts_with("application/json");
            message(&body, is_grpc, &parts.headers)
                .and_then(|message| decode(signal, &message, is_json))
        }
        None => Err("not a path of OTLP".to_owned()),
    };
    let (decoded, error) = match decoded {
        Ok(decoded) => (decoded, None),
        Err(error) => (Decoded::default(), Some(error)),
    };
    let attempt = Attempt {
        signal,
        at: Instant::now(),
        path: parts.uri.path_and_query().map_or(path, ToString::to_string),
        headers: (parts.headers.iter())
            .map(|(name, value)| {
                let value = String::from_utf8_lossy(value.as_bytes());
                (name.as_str().to_owned(), value.into_owned())
            })
            .collect(),
        items: decoded.logs.len() + decoded.spans.len(),
        error: error.clone(),
        body: body.into(),
    };
    store.0.change(|state| state.attempts.push(attempt));
    let Some(signal) = signal.filter(|_| error.is_none()) else {
        let code = match (signal, is_grpc) {
            (None, false) => 404,
            (Some(_), false) => 400,
            // UNIMPLEMENTED and INVALID_ARGUMENT.
            (None, true) => 12,
            (Some(_), true) => 3,
        };
        return Ok(status(code, is_grpc, "", &[]));
    };
    let reply = store.0.change(|state| state.script.next(signal));
    if !reply.delay.is_zero() {
        tokio::time::sleep(reply.delay).await;
    }
    match reply.answer {
        Answer::Ok { rejected, message } => {
            store.0.change(|state| {
                state.logs.extend(decoded.logs.into_iter().map(Arc::new));
                state.spans.extend(decoded.spans.into_iter().map(Arc::new));
            });
            Ok(accepted(signal, is_grpc, rejected, message))
        }
        Answer::Status {
            code,
            message,
            headers,
            retry_info,
        } => {
            let mut response = status(code, is_grpc, &message, &headers);
            if let Some(delay) = retry_info.filter(|_| is_grpc) {
                let details = STANDARD_NO_PAD.encode(retry_details(code, delay));
                if let Ok(details) = HeaderValue::from_str(&details) {
                    response
                        .headers_mut()
                        .insert("grpc-status-details-bin", details);
                }
            }
            Ok(response)
        }
        Answer::Malformed { bytes } => {
            store.0.change(|state| {
                state.logs.extend(decoded.logs.into_iter().map(Arc::new));
                state.spans.extend(decoded.spans.into_iter().map(Arc::new));
            });
            Ok(nonsense(bytes, is_grpc))
        }
        Answer::Hang => std::future::pending().await,
        Answer::End { reset } => {
            ending.end(reset);
            std::future::pending().await
        }
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    (headers.get(name))
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

/// The protobuf message in a body: unframed and decompressed.
fn message(body: &[u8], is_grpc: bool, headers: &HeaderMap) -> Result<Vec<u8>, String> {
    let (message, is_compressed) = if is_grpc {
        let (prefix, message) = body.split_at_checked(5).ok_or("no gRPC frame")?;
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

fn accepted(signal: Signal, is_grpc: bool, rejected: i64, message: String) -> Response<Body> {
    let is_partial = rejected != 0 || !message.is_empty();
    let message = match signal {
        Signal::Logs => ExportLogsServiceResponse {
            partial_success: is_partial.then_some(ExportLogsPartialSuccess {
                rejected_log_records: rejected,
                error_message: message,
            }),
        }
        .encode_to_vec(),
        Signal::Traces => ExportTraceServiceResponse {
            partial_success: is_partial.then_some(ExportTracePartialSuccess {
                rejected_spans: rejected,
                error_message: message,
            }),
        }
        .encode_to_vec(),
    };
    success(message, is_grpc)
}

/// A success whose body is none of OTLP's.
fn nonsense(bytes: usize, is_grpc: bool) -> Response<Body> {
    success(vec![0xff; bytes], is_grpc)
}

fn success(message: Vec<u8>, is_grpc: bool) -> Response<Body> {
    if !is_grpc {
        return response(200, "application/x-protobuf", Full::from(message).boxed());
    }
    let mut frame = BytesMut::new();
    frame.put_u8(0);
    frame.put_u32(u32::try_from(message.len()).unwrap_or(u32::MAX));
    frame.put_slice(&message);
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", HeaderValue::from_static("0"));
    let body = Full::new(frame.freeze()).with_trailers(async { Some(Ok(trailers)) });
    response(200, "application/grpc", body.boxed())
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

fn status(
    code: u16,
    is_grpc: bool,
    message: &str,
    headers: &[(&'static str, String)],
) -> Response<Body> {
    let body = Full::from(message.to_owned()).boxed();
    let mut response = if is_grpc {
        // A status in the headers and no trailers is how gRPC refuses at once.
        let mut response = response(200, "application/grpc", Full::default().boxed());
        response.headers_mut().insert("grpc-status", code.into());
        if let Ok(message) = HeaderValue::from_str(message) {
            response.headers_mut().insert("grpc-message", message);
        }
        response
    } else {
        response(code, "text/plain", body)
    };
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(*name, value);
        }
    }
    response
}

fn response(code: u16, content_type: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = http::StatusCode::from_u16(code).unwrap_or_default();
    let content_type = HeaderValue::from_static(content_type);
    response.headers_mut().insert("content-type", content_type);
    response
}
