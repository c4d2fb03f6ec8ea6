//! OTLP over HTTP with protobuf or JSON bodies.
//!
//! <https://opentelemetry.io/docs/specs/otlp/#otlphttp>

use std::io::Write;
use std::time::SystemTime;

use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::{HeaderMap, StatusCode};

use super::client::{Answer, Attempt};
use super::wait::retry_after;
use super::{Fault, grpc};
use crate::config::Protocol;
use crate::stats::Signal;

const JSON: &str = "application/json";

pub(super) fn headers(protocol: Protocol, gzip: bool) -> Vec<(&'static str, &'static str)> {
    let kind = match protocol {
        Protocol::HttpJson => JSON,
        Protocol::HttpProtobuf | Protocol::Grpc => "application/x-protobuf",
    };
    let mut headers = vec![("content-type", kind)];
    if gzip {
        headers.push(("content-encoding", "gzip"));
    }
    headers
}

pub(super) fn gzipped(message: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(message);
    encoder.finish().unwrap_or_default()
}

pub(super) fn verdict(
    answer: &Answer,
    signal: Signal,
    shown: &str,
    secrets: &HeaderMap,
) -> Attempt {
    let status = answer.parts.status;
    if status.is_success() {
        let kind = answer.parts.headers.get("content-type");
        let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(JSON.as_bytes()));
        return if is_json {
            accepted_json(&answer.body, signal, secrets)
        } else {
            grpc::accepted(&answer.body, signal, secrets)
        };
    }
    let hint = match status.as_u16() {
        401 | 403 => "; check the credentials in OTLP headers",
        404 => "; check the endpoint's path",
        300..=399 => "; redirects are not followed",
        _ => "",
    };
    let fault = Fault::answered(format!("{shown} answered {status}{hint}"));
    let wait = retry_after(&answer.parts.headers, SystemTime::now());
    failed(status, fault.waiting(wait))
}

/// The verdict on a success that is told in JSON, where a count may be a number or a text.
fn accepted_json(body: &[u8], signal: Signal, secrets: &HeaderMap) -> Attempt {
    let answer: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    let partial = answer.get("partialSuccess");
    let count = match signal {
        Signal::Logs => "rejectedLogRecords",
        Signal::Traces => "rejectedSpans",
        Signal::Metrics => "rejectedDataPoints",
    };
    let count = partial.and_then(|partial| partial.get(count));
    let rejected = count.and_then(|count| match count {
        serde_json::Value::String(count) => count.parse().ok(),
        count => count.as_u64(),
    });
    let message = partial.and_then(|partial| partial.get("errorMessage")?.as_str());
    grpc::taken(rejected.unwrap_or(0), message.unwrap_or_default(), secrets)
}

/// Whether the request is worth another try, by the status of its answer.
///
/// <https://opentelemetry.io/docs/specs/otlp/#failures-1>
pub(super) fn failed(status: StatusCode, fault: Fault) -> Attempt {
    match status.as_u16() {
        413 => Attempt::TooLarge(fault),
        429 | 502 | 503 | 504 => Attempt::Retry(fault),
        _ => Attempt::Failed(fault),
    }
}
