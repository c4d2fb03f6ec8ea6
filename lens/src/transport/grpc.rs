//! OTLP over gRPC: one unary call is one POST with a framed body and a status in trailers.
//!
//! <https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md>

use hyper::HeaderMap;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceResponse;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceResponse;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceResponse;
use prost::Message;

use super::client::{Answer, Attempt};
use super::wait::retry_info;
use super::{Fault, http};
use crate::config::percent_decoded;
use crate::stats::{Outcome, Signal};

/// A flag that tells whether the message is compressed, then its length.
const PREFIX: usize = 5;

pub(super) fn headers(gzip: bool) -> Vec<(&'static str, &'static str)> {
    let mut headers = vec![("content-type", "application/grpc"), ("te", "trailers")];
    if gzip {
        headers.push(("grpc-encoding", "gzip"));
    }
    headers
}

/// What is in front of a message of so many bytes.
pub(super) fn prefix(length: usize, gzip: bool) -> [u8; PREFIX] {
    let [a, b, c, d] = u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes();
    [u8::from(gzip), a, b, c, d]
}

pub(super) fn verdict(
    answer: &Answer,
    signal: Signal,
    shown: &str,
    secrets: &HeaderMap,
) -> Attempt {
    let kind = answer.parts.headers.get("content-type");
    let is_grpc = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc"));
    if is_grpc && answer.is_too_long {
        // Who refuses sends no message, so this is a success, whatever else it says.
        return taken(0, "", secrets);
    }
    // A call that fails at once has its status in the headers and no trailers.
    let trailers = answer.trailers.as_ref().unwrap_or(&answer.parts.headers);
    let code = (trailers.get("grpc-status"))
        .and_then(|code| code.to_str().ok())
        .and_then(|code| code.parse::<u8>().ok());
    let Some(code) = code else {
        let status = answer.parts.status;
        let fault = Fault::answered(format!(
            "{shown} answered {status} without a gRPC status; does it speak gRPC?"
        ));
        return http::failed(status, fault);
    };
    if code == 0 {
        let message = answer.body.get(PREFIX..).unwrap_or_default();
        return accepted(message, signal, secrets);
    }
    let message = (trailers.get("grpc-message"))
        .and_then(|message| message.to_str().ok())
        // What is encoded wrongly is shown as it came.
        .map(|message| percent_decoded(message).unwrap_or_else(|| message.to_owned()))
        .map(|message| scrubbed(&message, secrets))
        .filter(|message| !message.is_empty())
        .map_or(String::new(), |message| format!(": {message}"));
    let is_too_large = is_size_limit(code, &message);
    let wait = retry_info(trailers);
    let fault = Fault::answered(format!("{shown} answered {}{message}", name(code)));
    let fault = fault.waiting(wait);
    match code {
        _ if is_too_large => Attempt::TooLarge(fault),
        1 | 4 | 10 | 11 | 14 | 15 => Attempt::Retry(fault),
        // RESOURCE_EXHAUSTED, by a receiver that tells when it will have room again.
        8 if wait.is_some() => Attempt::Retry(fault),
        _ => Attempt::Failed(fault),
    }
}

/// The verdict on a success, which may still tell of rejected items.
pub(super) fn accepted(body: &[u8], signal: Signal, secrets: &HeaderMap) -> Attempt {
    // An answer that cannot be read is still a success.
    let (rejected, message) = match signal {
        Signal::Logs => ExportLogsServiceResponse::decode(body)
            .ok()
            .and_then(|answer| answer.partial_success)
            .map(|partial| (partial.rejected_log_records, partial.error_message)),
        Signal::Traces => ExportTraceServiceResponse::decode(body)
            .ok()
            .and_then(|answer| answer.partial_success)
            .map(|partial| (partial.rejected_spans, partial.error_message)),
        Signal::Metrics => ExportMetricsServiceResponse::decode(body)
            .ok()
            .and_then(|answer| answer.partial_success)
            .map(|partial| (partial.rejected_data_points, partial.error_message)),
    }
    .unwrap_or_default();
    taken(u64::try_from(rejected).unwrap_or(0), &message, secrets)
}

/// A success, but for what was rejected and the message about it.
pub(super) fn taken(rejected: u64, message: &str, secrets: &HeaderMap) -> Attempt {
    Attempt::Accepted {
        outcome: Outcome::Exported { rejected },
        message: (!message.is_empty()).then(|| scrubbed(message, secrets)),
    }
}

/// Whether a server means the size of the message: there is no status for that alone, and
/// servers of Go and Java say `RESOURCE_EXHAUSTED`, those of Rust `OUT_OF_RANGE`.
fn is_size_limit(code: u8, message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    matches!(code, 8 | 11)
        && ["larger than max", "too large", "exceeds maximum size"]
            .iter()
            .any(|words| message.contains(words))
}

/// What is kept of a server's message.
const MESSAGE_CHARS: usize = 300;

/// A server's message without the header values it may quote, and not too long.
fn scrubbed(message: &str, secrets: &HeaderMap) -> String {
    let mut message: String = message.chars().take(MESSAGE_CHARS).collect();
    for value in secrets.values().filter_map(|value| value.to_str().ok()) {
        for secret in std::iter::once(value).chain(value.split_whitespace()) {
            // A short word would tear holes into ordinary sentences.
            if secret.len() > 3 {
                message = message.replace(secret, "[redacted]");
            }
        }
    }
    message
}

fn name(code: u8) -> &'static str {
    const NAMES: [&str; 17] = [
        "OK",
        "CANCELLED",
        "UNKNOWN",
        "INVALID_ARGUMENT",
        "DEADLINE_EXCEEDED",
        "NOT_FOUND",
        "ALREADY_EXISTS",
        "PERMISSION_DENIED",
        "RESOURCE_EXHAUSTED",
        "FAILED_PRECONDITION",
        "ABORTED",
        "OUT_OF_RANGE",
        "UNIMPLEMENTED",
        "INTERNAL",
        "UNAVAILABLE",
        "DATA_LOSS",
        "UNAUTHENTICATED",
    ];
    NAMES
        .get(usize::from(code))
        .copied()
        .unwrap_or("an unknown status")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_front_of_a_message_tells_compression_and_length() {
        assert_eq!(prefix(3, false), *b"\0\0\0\0\x03");
        assert_eq!(prefix(0x0102_0304, true), *b"\x01\x01\x02\x03\x04");
    }

    // https://github.com/open-telemetry/opentelemetry-rust/issues/3367 (SEC-01)
    #[test]
    fn a_server_that_quotes_a_token_does_not_reveal_it() {
        let mut secrets = HeaderMap::new();
        secrets.insert("authorization", "Bearer SECRETCANARY".parse().unwrap());
        assert_eq!(
            scrubbed("bad token SECRETCANARY", &secrets),
            "bad token [redacted]"
        );
    }
}
