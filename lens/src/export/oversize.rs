//! A request that is too large for a receiver: made two, or its one item made shorter.
//!
//! It is decoded again for that, since it hardly ever happens.

use bytes::Bytes;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use prost::Message;

use super::request::{LogsRequest, MetricsRequest, Request, TraceRequest};
use crate::stats::Signal;

/// How many bytes are left of a text that is too long for a receiver.
const KEPT: usize = 1024;

/// What to send in place of a request.
#[derive(Debug, PartialEq)]
pub(crate) enum Smaller {
    /// Two requests with half of the items each, the first one last, and how many those are.
    Split([(Bytes, u64); 2]),
    /// The same request, with the longest texts of its one item cut.
    Cut(Bytes),
    /// It cannot be smaller.
    Not,
}

/// Makes a request of `signal` smaller.
pub(crate) fn smaller(signal: Signal, request: &[u8]) -> Smaller {
    match signal {
        Signal::Logs => LogsRequest::decode(request).map_or(Smaller::Not, smaller_of),
        Signal::Traces => TraceRequest::decode(request).map_or(Smaller::Not, smaller_of),
        Signal::Metrics => MetricsRequest::decode(request).map_or(Smaller::Not, smaller_of),
    }
}

fn smaller_of<R: Request>(mut request: R) -> Smaller {
    let count = request.count();
    if count > 1 {
        let (half, mut first) = (count / 2, request.clone());
        let mut left = 0..half;
        first.retain(&mut || left.next().is_some());
        let mut left = 0..half;
        request.retain(&mut || left.next().is_none());
        return Smaller::Split([
            (request.encode_to_vec().into(), (count - half) as u64),
            (first.encode_to_vec().into(), half as u64),
        ]);
    }
    let mut is_cut = false;
    request.names(&mut |name| is_cut |= shorten(name));
    request.values(&mut |value| {
        if let Value::StringValue(text) = value {
            is_cut |= shorten(text);
        }
    });
    if is_cut {
        Smaller::Cut(request.encode_to_vec().into())
    } else {
        Smaller::Not
    }
}

/// Cuts a text that is long; whether it was.
fn shorten(text: &mut String) -> bool {
    let length = text.len();
    let mut end = KEPT;
    // With the mark it must not be long again.
    if length <= 2 * KEPT {
        return false;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text.push_str(&format!(
        "… [cut from {length} bytes, too large for the receiver]"
    ));
    true
}

#[cfg(test)]
mod tests {
    use opentelemetry_proto::tonic::common::v1::AnyValue;
    use opentelemetry_proto::tonic::logs::v1::{LogRecord, ResourceLogs, ScopeLogs};

    use super::*;

    fn request(scopes: &[&[&str]]) -> LogsRequest {
        let record = |text: &&str| LogRecord {
            body: Some(AnyValue {
                value: Some(Value::StringValue((*text).to_owned())),
            }),
            ..LogRecord::default()
        };
        let scope = |texts: &&[&str]| ScopeLogs {
            log_records: texts.iter().map(record).collect(),
            ..ScopeLogs::default()
        };
        LogsRequest {
            resource_logs: vec![ResourceLogs {
                scope_logs: scopes.iter().map(scope).collect(),
                ..ResourceLogs::default()
            }],
        }
    }

    fn made_smaller(scopes: &[&[&str]]) -> Smaller {
        smaller(Signal::Logs, &request(scopes).encode_to_vec())
    }

    #[test]
    fn two_halves_hold_every_record_once_and_no_empty_scope() {
        let bytes = |scopes: &[&[&str]]| request(scopes).encode_to_vec().into();
        let halves = [
            (bytes(&[&["c"], &["d", "e"]]), 3),
            (bytes(&[&["a", "b"]]), 2),
        ];
        let split = made_smaller(&[&["a", "b", "c"], &["d", "e"]]);
        assert_eq!(split, Smaller::Split(halves));
    }

    #[test]
    fn one_record_is_cut_between_characters_and_only_once() {
        let text = "ł".repeat(5_000);
        let Smaller::Cut(bytes) = made_smaller(&[&[&text]]) else {
            panic!("it is long")
        };
        let expected = format!(
            "{}… [cut from 10000 bytes, too large for the receiver]",
            "ł".repeat(512)
        );
        assert_eq!(bytes, request(&[&[&expected]]).encode_to_vec());
        assert_eq!(smaller(Signal::Logs, &bytes), Smaller::Not);
    }
}
