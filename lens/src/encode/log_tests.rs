use opentelemetry::logs::{AnyValue, LogRecord as _, Logger, LoggerProvider, Severity};
use opentelemetry::trace::{SpanId, TraceFlags, TraceId};
use opentelemetry::{InstrumentationScope, Key, KeyValue};
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::logs::v1::{LogRecord, ScopeLogs};
use opentelemetry_proto::transform::common::tonic::ResourceAttributesWithSchema;
use opentelemetry_proto::transform::logs::tonic::group_logs_by_resource_and_scope;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::logs::{LogBatch, SdkLogger, SdkLoggerProvider};
use proptest::prelude::*;
use prost::Message as _;

use super::*;
use crate::encode::{EncodedResource, Run, ScopeKey, request};

fn logger() -> SdkLogger {
    SdkLoggerProvider::builder().build().logger("")
}

fn values() -> impl Strategy<Value = AnyValue> {
    let scalar = prop_oneof![
        any::<i64>().prop_map(AnyValue::Int),
        any::<f64>().prop_map(AnyValue::Double),
        any::<bool>().prop_map(AnyValue::Boolean),
        ".*".prop_map(AnyValue::from),
        proptest::collection::vec(any::<u8>(), 0..300).prop_map(|b| AnyValue::Bytes(Box::new(b))),
    ];
    scalar.prop_recursive(3, 12, 4, |inner| {
        let list = proptest::collection::vec(inner.clone(), 0..4);
        // One key: the order of a map is not kept.
        let map = proptest::collection::hash_map(".*", inner, 0..2);
        let map = map.prop_map(|map| {
            let pairs = map.into_iter().map(|(key, value)| (Key::from(key), value));
            AnyValue::Map(Box::new(pairs.collect()))
        });
        prop_oneof![list.prop_map(|list| AnyValue::ListAny(Box::new(list))), map]
    })
}

prop_compose! {
    fn any_record()(
        seconds in proptest::option::of(0_u64..18_000_000_000),
        severity in proptest::option::of(prop_oneof![
            Just(Severity::Trace), Just(Severity::Info), Just(Severity::Error), Just(Severity::Fatal4)
        ]),
        texts in any::<bool>(),
        body in proptest::option::of(values()),
        attributes in proptest::collection::vec((".*", values()), 0..6),
        ids in proptest::option::of((1_u128.., 1_u64.., any::<bool>())),
        target in proptest::option::of("[a-c]"),
    ) -> SdkLogRecord {
        let mut record = logger().create_log_record();
        let time = |seconds| SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        if let Some(seconds) = seconds {
            record.set_timestamp(time(seconds));
        }
        // The conversion wants one.
        record.set_observed_timestamp(time(seconds.unwrap_or(1)));
        if let Some(severity) = severity {
            record.set_severity_number(severity);
        }
        if texts {
            record.set_severity_text("INFO");
            record.set_event_name("job.started");
        }
        if let Some(body) = body {
            record.set_body(body);
        }
        for (key, value) in attributes {
            record.add_attribute(key, value);
        }
        if let Some((trace, span, sampled)) = ids {
            let flags = Some(if sampled { TraceFlags::SAMPLED } else { TraceFlags::default() });
            record.set_trace_context(TraceId::from(trace), SpanId::from(span), flags);
        }
        if let Some(target) = target {
            record.set_target(target);
        }
        record
    }
}

/// As `opentelemetry-proto` has it.
fn converted(record: &SdkLogRecord) -> LogRecord {
    LogRecord::from(record)
}

fn encoded(record: &SdkLogRecord) -> Vec<u8> {
    let mut out = Vec::new();
    sdk_fields(record).append(&mut out);
    out
}

/// Bytes, because `NaN` is not itself.
fn bytes(record: &LogRecord) -> Vec<u8> {
    record.encode_to_vec()
}

fn scopes() -> [InstrumentationScope; 3] {
    let with = |name: &'static str| InstrumentationScope::builder(name).with_version("1");
    [
        InstrumentationScope::builder("").build(),
        with("b").with_attributes([KeyValue::new("k", 7)]).build(),
        with("b").with_schema_url("https://example.org/1").build(),
    ]
}

/// Each scope with its records, in an order of their own.
fn sorted(request: ExportLogsServiceRequest) -> Vec<(Vec<u8>, Vec<Vec<u8>>)> {
    let mut all: Vec<(Vec<u8>, Vec<Vec<u8>>)> = Vec::new();
    for scope in request
        .resource_logs
        .into_iter()
        .flat_map(|logs| logs.scope_logs)
    {
        let head = ScopeLogs {
            log_records: vec![],
            ..scope.clone()
        }
        .encode_to_vec();
        let records = scope.log_records.iter().map(bytes);
        match all.iter_mut().find(|(known, _)| *known == head) {
            Some((_, known)) => known.extend(records),
            None => all.push((head, records.collect())),
        }
    }
    all.iter_mut().for_each(|(_, records)| records.sort());
    all.sort();
    all
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn a_record_is_encoded_as_the_conversion_has_it(record in any_record()) {
        let encoded = encoded(&record);
        let decoded = ScopeLogs::decode(encoded.as_slice()).unwrap();
        prop_assert_eq!(decoded.log_records.len(), 1);
        prop_assert_eq!(bytes(&decoded.log_records[0]), bytes(&converted(&record)));
    }

    #[test]
    fn a_request_holds_every_record_of_its_runs_once(
        records in proptest::collection::vec((any_record(), 0_usize..3), 0..12),
    ) {
        let scopes = scopes();
        let resource = Resource::builder_empty().with_service_name("trainer").build();
        let resource = ResourceAttributesWithSchema::from(&resource);
        let run = |(record, scope): &(SdkLogRecord, usize)| Run {
            scope: ScopeKey::of(record.target(), &scopes[*scope]),
            records: encoded(record),
            count: 1,
        };
        let runs: Vec<_> = records.iter().map(run).collect();
        let body = request(&EncodedResource::new(&resource), &runs);
        let decoded = ExportLogsServiceRequest::decode(body.as_slice()).unwrap();
        let logs = &decoded.resource_logs[0];
        prop_assert_eq!(logs.resource.as_ref().unwrap().attributes.len(), 1);
        let pairs: Vec<_> = records.iter().map(|(record, scope)| (record, &scopes[*scope])).collect();
        let expected = group_logs_by_resource_and_scope(&LogBatch::new(&pairs), &resource);
        let expected = ExportLogsServiceRequest { resource_logs: expected };
        prop_assert_eq!(sorted(decoded), sorted(expected));
    }
}

#[test]
fn what_the_conversion_gets_wrong_is_right() {
    let mut record = logger().create_log_record();
    record.set_trace_context(TraceId::INVALID, SpanId::INVALID, None);
    record.add_attribute("otel.dropped_attributes_count", 7);
    let decoded = ScopeLogs::decode(encoded(&record).as_slice()).unwrap();
    let decoded = &decoded.log_records[0];
    assert!(decoded.trace_id.is_empty() && decoded.span_id.is_empty());
    assert_eq!(decoded.dropped_attributes_count, 7);
    // The conversion panics where nobody set the time of observation.
    assert_eq!(decoded.observed_time_unix_nano, 0);
}
