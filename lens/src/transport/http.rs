//! OTLP over HTTP with protobuf bodies.
//!
//! <https://opentelemetry.io/docs/specs/otlp/#otlphttp>

use std::io::Write;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::{HeaderMap, StatusCode};

use super::client::{Answer, Attempt};
use super::{Fault, grpc};
use crate::stats::Signal;

pub(super) fn headers(gzip: bool) -> &'static [(&'static str, &'static str)] {
    if gzip {
        &[
            ("content-type", "application/x-protobuf"),
            ("content-encoding", "gzip"),
        ]
    } else {
        &[("content-type", "application/x-protobuf")]
    }
}

pub(super) fn body(message: &Bytes, gzip: bool) -> Bytes {
    if gzip {
        gzipped(message).into()
    } else {
        message.clone()
    }
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
        return grpc::accepted(&answer.body, signal, secrets);
    }
    let hint = match status.as_u16() {
        401 | 403 => "; check the credentials in OTLP headers",
        404 => "; check the endpoint's path",
        300..=399 => "; redirects are not followed",
        _ => "",
    };
    let fault = Fault::answered(format!("{shown} answered {status}{hint}"));
    failed(status, fault)
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
