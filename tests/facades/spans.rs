//! Spans of `tracing` and of lens inside each other.

use std::error::Error;
use std::fmt;

use lens::opentelemetry::trace::{Link, SpanKind, TraceContextExt, TraceId, TraceState};
use lens::opentelemetry::{Context, KeyValue};
use lens::opentelemetry_sdk::trace::{Sampler, SamplingDecision, SamplingResult, ShouldSample};
use lens_testkit::{Capture, Level, test};
use tracing::field::{Empty, debug};
use tracing::subscriber::with_default;
use tracing::{Instrument, Subscriber, info_span};
use tracing_subscriber::prelude::*;
use tracing_subscriber::registry;

#[lens::trace(name = "ours")]
fn ours(inside: impl FnOnce()) {
    log::info!("log in ours");
    tracing::info!("event in ours");
    inside();
}

#[tracing::instrument(name = "theirs", skip(inside))]
fn theirs(inside: impl FnOnce()) {
    log::info!("log in theirs");
    tracing::info!("event in theirs");
    inside();
}

// https://github.com/tokio-rs/tracing-opentelemetry/issues/174 (COR-01 d)
#[test]
fn a_record_has_the_ids_of_the_innermost_span_of_either_kind(cap: Capture) {
    theirs(|| ours(|| theirs(|| log::info!("log inside"))));
    ours(|| theirs(|| ours(|| tracing::info!("event inside"))));
    for outer in cap.spans().root().exactly(2) {
        let middle = outer.children().one();
        let inner = middle.children().one();
        assert_eq!(inner.trace_id(), outer.trace_id());
        assert_eq!((outer.name(), outer.logs().count()), (inner.name(), 2));
        assert_eq!((middle.logs().count(), inner.logs().count()), (2, 3));
    }
}

#[test(flavor = "multi_thread")]
async fn the_ids_stay_across_await_and_threads(cap: Capture) {
    async fn hop(word: &'static str) {
        log::info!("{word} before");
        tokio::task::yield_now().await;
        tracing::info!("{word} after");
    }
    let theirs = async {
        lens::span!("ours").instrument(hop("ours")).await;
        lens::spawn(hop("task")).await.unwrap();
        lens::thread::spawn(|| tracing::info!("thread"))
            .join()
            .unwrap();
        hop("theirs").await;
    };
    let spans = (0..20).map(|i| theirs_of(i, hop("many")));
    futures_util::future::join_all(spans).await;
    theirs.instrument(info_span!("theirs")).await;

    let outer = cap.spans().name("theirs").one();
    cap.logs().body("thread").in_span(&outer).one();
    cap.logs()
        .filter("the task's", |record| record.body_str().starts_with("task"))
        .in_span(&outer)
        .exactly(2);
    outer.child("ours").logs().exactly(2);
    outer.logs().exactly(5);
    for span in cap.spans().name("many").exactly(20) {
        span.logs().exactly(2);
    }
    tracing::info!("behind all");
    cap.logs().body("behind all").uncorrelated().one();
}

async fn theirs_of(number: u64, inside: impl Future<Output = ()>) {
    inside.instrument(info_span!("many", number)).await;
}

#[test]
fn a_span_says_what_it_is_with_types_and_where(cap: Capture) {
    let span = info_span!(
        target: "shop::till",
        "pay",
        otel.kind = "client",
        amount = 12.5,
        items = 3_u8,
        card = %"visa",
        list = ?[1, 2],
        late = tracing::field::Empty,
    );
    span.in_scope(|| span.record("late", true));
    let follows = info_span!("follows");
    follows.follows_from(&span);
    drop((span, follows));
    let span = cap.spans().name("pay").one();
    span.has_attr("amount", 12.5)
        .has_attr("items", 3)
        .has_attr("card", "visa")
        .has_attr("list", "[1, 2]")
        .has_attr("late", true)
        .has_attr("code.file.path", file!());
    assert_eq!((span.kind(), span.scope()), ("client", "shop::till"));
    assert!(span.attr("target").is_none() && span.attr("code.module.name").is_none());
    assert!(span.attr("busy_ns").is_none() && span.attr("thread.id").is_none());
    cap.spans().name("follows").one().has_link(&span);
}

#[test]
fn an_explicit_parent_is_the_one_that_counts(cap: Capture) {
    let (job, other) = (info_span!("job"), info_span!("other"));
    let _other = other.enter();
    let step = info_span!(parent: &job, "step");
    tracing::info!(parent: &job, "of the job");
    tracing::info!(parent: &step, "of the step");
    tracing::info!(parent: None, "of none");
    let root = info_span!(parent: None, "root");
    drop((job, step, root, _other));
    drop(other);
    let job = cap.spans().name("job").one();
    cap.spans().name("step").one().has_parent(&job);
    cap.spans().name("root").one().is_root();
    cap.logs().body("of the job").one().in_span(&job);
    cap.logs().body("of the step").in_span("step").one();
    cap.logs().body("of none").uncorrelated().one();
}

#[tracing::instrument(err)]
fn fails() -> Result<(), Box<dyn Error>> {
    Err("disk full".into())
}

#[tracing::instrument]
fn says_so(inside: bool) {
    match inside {
        false => tracing::error!("it went wrong"),
        true => lens::span!("ours").record("failed", fails_inside()),
    }
}

fn fails_inside() -> bool {
    tracing::error!("only inside");
    true
}

#[test]
fn an_error_is_the_status_of_the_span_it_is_in(cap: Capture) {
    let _ = fails();
    cap.spans().name("fails").one().has_error("disk full");
    cap.logs()
        .level(Level::Error)
        .attr("error", "disk full")
        .in_span("fails")
        .one();
    says_so(false);
    cap.spans().name("says_so").one().has_error("it went wrong");
    cap.clear();
    let _ours = lens::span!("ours");
    says_so(true);
    // The innermost span is lens's, which has an error where its function returns one.
    drop(_ours);
}

#[test]
fn spans_are_not_span_events(cap: Capture) {
    info_span!("quiet").in_scope(|| tracing::warn!("a record"));
    assert_eq!(cap.spans().one().events().len(), 0);
    cap.logs().body("a record").one();
}

#[test]
fn what_the_api_asks_for_is_the_span_of_tracing(cap: Capture) {
    let current = || {
        lens::opentelemetry::Context::current()
            .span()
            .span_context()
            .span_id()
    };
    let id = info_span!("theirs").in_scope(current);
    assert_eq!(cap.spans().one().span_id(), id);
    let headers = info_span!("sends").in_scope(|| {
        let mut headers = std::collections::HashMap::<String, String>::new();
        lens::inject(&mut headers);
        headers
    });
    let sent = cap.spans().name("sends").one();
    assert!(headers["traceparent"].contains(&sent.span_id().to_string()));
}

struct Broken;

impl fmt::Debug for Broken {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("cannot be shown")
    }
}

#[test]
fn a_field_that_panics_costs_itself_only(cap: Capture) {
    let span = info_span!("broken", first = ?Broken, whole = 1_u64, late = Empty).entered();
    span.record("late", debug(Broken));
    tracing::info!("inside");
    drop(span);
    let span = cap.spans().one();
    span.has_attr("first", "<panic while formatting>")
        .has_attr("late", "<panic while formatting>")
        .has_attr("whole", 1);
    cap.logs().one().in_span(&span);
}

/// Says something while `tracing_opentelemetry` has locked the span that starts.
#[derive(Clone, Debug)]
struct Talkative;

impl ShouldSample for Talkative {
    fn should_sample(
        &self,
        _: Option<&Context>,
        _: TraceId,
        name: &str,
        _: &SpanKind,
        _: &[KeyValue],
        _: &[Link],
    ) -> SamplingResult {
        tracing::error!("sampling {name}");
        log::error!("sampling {name}");
        SamplingResult {
            decision: SamplingDecision::RecordAndSample,
            attributes: Vec::new(),
            trace_state: TraceState::default(),
        }
    }
}

#[test]
fn a_sampler_that_says_something_holds_nobody_up() {
    let sampler = Sampler::ParentBased(Box::new(Talkative));
    let cap = Capture::builder().sampler(sampler).start();
    cap.in_scope(|| {
        info_span!("outer").in_scope(|| info_span!("inner").in_scope(|| tracing::error!("said")));
    });
    cap.logs().body("sampling outer").exactly(2);
    let inner = cap.spans().name("inner").one();
    inner
        .has_error("said")
        .has_parent(&cap.spans().name("outer").one());
}

/// What a subscriber of the program's own makes of a span and an event in it.
fn subscribed(subscriber: impl Subscriber + Send + Sync) {
    with_default(subscriber, || {
        for name in ["first", "second"] {
            info_span!("theirs", name).in_scope(|| tracing::info!("inside"));
        }
    });
}

#[test]
fn two_layers_are_as_good_as_one(cap: Capture) {
    subscribed(registry().with(lens::layer()).with(lens::layer()));
    cap.logs().exactly(2);
    for span in cap.spans().exactly(2) {
        span.logs().one();
    }
}

#[test]
fn a_layer_of_somebody_elses_makes_the_spans_alone(cap: Capture) {
    let tracer = lens::opentelemetry::global::tracer("theirs");
    let theirs = tracing_opentelemetry::layer().with_tracer(tracer);
    subscribed(registry().with(theirs).with(lens::layer()));
    cap.logs().exactly(2);
    for span in cap.spans().exactly(2) {
        span.logs().one();
    }
    // The first one is lens's: it tells that there are two.
    let span = cap.spans().attr("name", "second").one();
    assert_eq!(span.scope(), "theirs");
}

#[test]
fn a_span_that_is_never_entered_has_its_types(cap: Capture) {
    let job = info_span!("job", number = 7_u64);
    info_span!(parent: &job, "step", number = 8_u128).in_scope(|| ());
    job.record("number", 9_u64);
    drop(job);
    cap.spans().name("step").one().has_attr("number", 8);
    assert_eq!(
        cap.spans().name("job").one().attr("number"),
        Some(&9.into())
    );
}
