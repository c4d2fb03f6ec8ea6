//! A request that is too large for a receiver: made two, or its one item made shorter.
//!
//! It is decoded again for that, since it hardly ever happens.

use bytes::Bytes;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest as LogsRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest as TraceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use prost::Message;

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
    let mut cut = false;
    request.texts(&mut |text| cut |= shorten(text));
    if cut {
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

/// The items of a request, and their texts, however deep.
trait Request: Message + Default + Clone {
    fn count(&self) -> usize;
    /// Keeps the items for which it is true, asked for one after another.
    fn retain(&mut self, is_kept: &mut dyn FnMut() -> bool);
    fn texts(&mut self, each: &mut dyn FnMut(&mut String));
}

impl Request for LogsRequest {
    fn count(&self) -> usize {
        let scopes = self.resource_logs.iter().flat_map(|logs| &logs.scope_logs);
        scopes.map(|scope| scope.log_records.len()).sum()
    }

    fn retain(&mut self, is_kept: &mut dyn FnMut() -> bool) {
        for logs in &mut self.resource_logs {
            for scope in &mut logs.scope_logs {
                scope.log_records.retain(|_| is_kept());
            }
            (logs.scope_logs).retain(|scope| !scope.log_records.is_empty());
        }
    }

    fn texts(&mut self, each: &mut dyn FnMut(&mut String)) {
        let scopes = self
            .resource_logs
            .iter_mut()
            .flat_map(|logs| &mut logs.scope_logs);
        for record in scopes.flat_map(|scope| &mut scope.log_records) {
            record.body.iter_mut().for_each(|body| texts_of(body, each));
            texts_of_all(&mut record.attributes, each);
        }
    }
}

impl Request for TraceRequest {
    fn count(&self) -> usize {
        let scopes = self
            .resource_spans
            .iter()
            .flat_map(|spans| &spans.scope_spans);
        scopes.map(|scope| scope.spans.len()).sum()
    }

    fn retain(&mut self, is_kept: &mut dyn FnMut() -> bool) {
        for spans in &mut self.resource_spans {
            for scope in &mut spans.scope_spans {
                scope.spans.retain(|_| is_kept());
            }
            (spans.scope_spans).retain(|scope| !scope.spans.is_empty());
        }
    }

    fn texts(&mut self, each: &mut dyn FnMut(&mut String)) {
        let scopes = self
            .resource_spans
            .iter_mut()
            .flat_map(|spans| &mut spans.scope_spans);
        for span in scopes.flat_map(|scope| &mut scope.spans) {
            each(&mut span.name);
            texts_of_all(&mut span.attributes, each);
            for event in &mut span.events {
                texts_of_all(&mut event.attributes, each);
            }
            span.status
                .iter_mut()
                .for_each(|status| each(&mut status.message));
        }
    }
}

fn texts_of_all(attributes: &mut [KeyValue], each: &mut dyn FnMut(&mut String)) {
    for value in attributes.iter_mut().filter_map(|pair| pair.value.as_mut()) {
        texts_of(value, each);
    }
}

fn texts_of(value: &mut AnyValue, each: &mut dyn FnMut(&mut String)) {
    match &mut value.value {
        Some(Value::StringValue(text)) => each(text),
        Some(Value::ArrayValue(list)) => {
            (list.values.iter_mut()).for_each(|value| texts_of(value, each));
        }
        Some(Value::KvlistValue(map)) => texts_of_all(&mut map.values, each),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
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
