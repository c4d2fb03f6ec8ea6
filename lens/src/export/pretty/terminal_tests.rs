use super::*;
use opentelemetry::logs::{LogRecord as _, Logger as _, LoggerProvider as _, Severity};
use opentelemetry::trace::{Event, Link, SpanContext, SpanKind, Status, TraceFlags, TraceState};
use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_sdk::logs::SdkLoggerProvider;
use opentelemetry_sdk::trace::{SpanEvents, SpanLinks};

/// Milliseconds since some start.
fn at(millis: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(1_000_000 + millis)
}

fn data(trace: u8, id: u64, parent: u64, name: &'static str, time: (u64, u64)) -> SpanData {
    SpanData {
        span_context: SpanContext::new(
            TraceId::from_bytes([trace; 16]),
            SpanId::from_bytes(id.to_be_bytes()),
            TraceFlags::SAMPLED,
            false,
            TraceState::default(),
        ),
        parent_span_id: SpanId::from_bytes(parent.to_be_bytes()),
        parent_span_is_remote: false,
        span_kind: SpanKind::Internal,
        name: name.into(),
        start_time: at(time.0),
        end_time: at(time.1),
        attributes: vec![KeyValue::new("n", 1)],
        dropped_attributes_count: 0,
        events: SpanEvents::default(),
        links: SpanLinks::default(),
        status: Status::Unset,
        instrumentation_scope: InstrumentationScope::default(),
    }
}

fn log(ids: Option<(u8, u64)>, body: &'static str, time: u64) -> Item {
    let logger = SdkLoggerProvider::builder().build().logger("");
    let mut record = logger.create_log_record();
    record.set_target("shop");
    record.set_severity_text("INFO");
    record.set_severity_number(Severity::Info);
    record.set_body(body.into());
    record.set_timestamp(at(time));
    if let Some((trace, span)) = ids {
        record.set_trace_context(
            TraceId::from_bytes([trace; 16]),
            SpanId::from_bytes(span.to_be_bytes()),
            Some(TraceFlags::SAMPLED),
        );
    }
    Item::Log(Box::new(Log {
        record,
        scope: InstrumentationScope::default(),
    }))
}

fn show(pretty: &mut Pretty, items: Vec<Item>, now: u64) -> String {
    pretty.render(&items, false, at(now))
}

fn started(span: &SpanData) -> Item {
    Item::Start(Box::new(span.clone()))
}

fn ended(span: SpanData) -> Item {
    Item::Span(Box::new(span))
}

#[test]
fn a_short_trace_is_printed_whole_when_its_root_ends() {
    let mut pretty = Pretty::new(false);
    let root = data(1, 1, 0, "checkout", (0, 12));
    let child = data(1, 2, 1, "charge", (3, 9));
    let items = vec![
        started(&root),
        started(&child),
        log(Some((1, 1)), "cart loaded", 1),
        log(Some((1, 2)), "charging", 4),
        ended(child),
    ];
    assert_eq!(show(&mut pretty, items, 10), "");
    let items = vec![log(Some((1, 1)), "done", 11), ended(root)];
    assert_eq!(
        show(&mut pretty, items, 12),
        "trace 1\n\
         └─ checkout  12.0ms  n=1\n   \
            ├─ INFO shop \"cart loaded\"\n   \
            ├─ charge  6.00ms  n=1\n   \
            │  └─ INFO shop \"charging\"\n   \
            └─ INFO shop \"done\"\n"
    );
}

#[test]
fn a_long_lived_root_holds_back_neither_its_children_nor_its_lines() {
    let mut pretty = Pretty::new(false);
    let root = data(1, 1, 0, "job", (0, 9_000));
    let items = vec![started(&root), log(Some((1, 1)), "start", 1)];
    assert_eq!(show(&mut pretty, items, 2), "");
    let step = data(1, 2, 1, "step", (1_500, 1_600));
    let items = vec![started(&step), log(Some((1, 2)), "inside", 1_550)];
    assert_eq!(
        show(&mut pretty, items, 1_560),
        "trace 1\n└─ job (open)  n=1\n   ├─ INFO shop \"start\"\n"
    );
    assert_eq!(
        show(&mut pretty, vec![ended(step)], 1_600),
        "   ├─ step  100ms  n=1\n   │  └─ INFO shop \"inside\"\n"
    );
    assert_eq!(
        show(&mut pretty, vec![ended(root)], 9_000),
        "   └─ (end) job  9.00s  n=1\n"
    );
    assert!(!pretty.is_holding());
}

#[test]
fn records_without_a_trace_have_their_own_header() {
    let mut pretty = Pretty::new(false);
    let items = vec![log(None, "a", 0), log(None, "b", 0)];
    assert_eq!(
        show(&mut pretty, items, 1),
        "no trace\n├─ INFO shop \"a\"\n├─ INFO shop \"b\"\n"
    );
}

#[test]
fn what_is_held_is_bounded() {
    let mut pretty = Pretty::new(false);
    let root = data(1, 1, 0, "job", (0, 1));
    let lines = (0..=MOST_HELD).map(|_| log(Some((1, 1)), "x", 1));
    let items = std::iter::once(started(&root)).chain(lines).collect();
    let shown = show(&mut pretty, items, 2);
    assert_eq!(shown.lines().count(), MOST_HELD + 2);
    assert!(!pretty.is_holding());
}

#[test]
fn events_links_and_odd_parents_are_told() {
    let mut pretty = Pretty::new(false);
    let mut span = data(2, 2, 9, "late", (5, 7));
    span.attributes.push(KeyValue::new("n", 2));
    span.dropped_attributes_count = 3;
    let event = Event::new("retried", at(6), vec![KeyValue::new("try", 2)], 0);
    span.events.events.push(event);
    let other = data(1, 1, 0, "other", (0, 1));
    let link = Link::with_context(other.span_context.clone());
    span.links.links.push(link);
    let mut remote = data(3, 3, 8, "served", (8, 9));
    remote.parent_span_is_remote = true;
    let shown = show(
        &mut pretty,
        vec![ended(other), ended(span), ended(remote)],
        9,
    );
    assert_eq!(
        shown,
        "trace 1\n└─ other  1.00ms  n=1\n\
         trace 2\n└─ late  2.00ms  n=1 n=2 !dup (+3 dropped) (parent missing)\n   \
            ├─ link → trace 1\n   └─ event retried try=2\n\
         trace 3\n└─ served  1.00ms  n=1 (remote parent)\n"
    );
}
