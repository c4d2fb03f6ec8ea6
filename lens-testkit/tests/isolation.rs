//! Tests run in parallel in one process, and each sees its own telemetry and no other.

#![allow(clippy::unwrap_used, reason = "in tests")]

use std::sync::{LazyLock, mpsc};

use lens::opentelemetry::global::{self, BoxedTracer};
use lens::opentelemetry::trace::{Span as _, TraceContextExt, Tracer};
use lens::opentelemetry::{Context, context::FutureExt};
use lens_testkit::{Capture, Level, prefix};

/// Taken when the process starts, before any capture: as libraries do.
static TRACER: LazyLock<BoxedTracer> = LazyLock::new(|| global::tracer("kept in a static"));

const LINES: usize = 20;

/// What every test does: so that a record in the wrong test changes a count.
fn work(n: usize) {
    let _outer = lens::span!("outer", test = n);
    for line in 0..LINES {
        log::info!(test = n, line; "at work");
    }
    let mut span = TRACER.start("by the raw api");
    span.end();
    let thread = lens::thread::spawn(move || log::warn!(test = n; "from a thread"));
    thread.join().unwrap();
}

fn check(cap: &Capture, n: usize) {
    let outer = cap.spans().name("outer").one();
    outer.has_attr("test", i64::try_from(n).unwrap());
    let logs = cap.logs().exactly(LINES + 1);
    for log in &logs {
        log.in_span(&outer)
            .has_attr("test", i64::try_from(n).unwrap());
    }
    cap.spans().name("by the raw api").one().has_parent(&outer);
    cap.spans().exactly(2);
}

async fn async_work(n: usize) {
    let inside = async move {
        log::info!(test = n; "at work");
        tokio::task::yield_now().await;
        let task = tokio::spawn(async move { log::info!(test = n; "at work") });
        task.await.unwrap();
        let blocking = tokio::task::spawn_blocking(move || log::info!(test = n; "at work"));
        blocking.await.unwrap();
        let carried = async move { log::info!(test = n; "at work") };
        tokio::spawn(carried.with_context(Context::current()))
            .await
            .unwrap();
        lens::spawn(async move { TRACER.start("by the raw api").end() })
            .await
            .unwrap();
    };
    lens::span!("outer", test = n).instrument(inside).await;
}

fn check_async(cap: &Capture, n: usize) {
    let outer = cap.spans().name("outer").one();
    for log in cap.logs().exactly(4) {
        log.has_body("at work")
            .has_attr("test", i64::try_from(n).unwrap());
    }
    cap.logs().in_span(&outer).exactly(2);
    cap.spans().name("by the raw api").one().has_parent(&outer);
    cap.spans().exactly(2);
}

macro_rules! tests {
    ($($sync:ident $tokio:ident $n:literal),* $(,)?) => {$(
        #[lens_testkit::test]
        fn $sync(cap: Capture) {
            work($n);
            check(&cap, $n);
        }

        #[lens_testkit::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $tokio(cap: Capture) {
            async_work($n).await;
            check_async(&cap, $n);
        }
    )*};
}

// https://github.com/open-telemetry/opentelemetry-rust/issues/1223 (KIT-01)
tests! {
    sync_01 tokio_01 1, sync_02 tokio_02 2, sync_03 tokio_03 3, sync_04 tokio_04 4,
    sync_05 tokio_05 5, sync_06 tokio_06 6, sync_07 tokio_07 7, sync_08 tokio_08 8,
    sync_09 tokio_09 9, sync_10 tokio_10 10, sync_11 tokio_11 11, sync_12 tokio_12 12,
    sync_13 tokio_13 13, sync_14 tokio_14 14, sync_15 tokio_15 15, sync_16 tokio_16 16,
    sync_17 tokio_17 17, sync_18 tokio_18 18, sync_19 tokio_19 19, sync_20 tokio_20 20,
    sync_21 tokio_21 21, sync_22 tokio_22 22, sync_23 tokio_23 23, sync_24 tokio_24 24,
    sync_25 tokio_25 25, sync_26 tokio_26 26, sync_27 tokio_27 27, sync_28 tokio_28 28,
    sync_29 tokio_29 29, sync_30 tokio_30 30, sync_31 tokio_31 31, sync_32 tokio_32 32,
    sync_33 tokio_33 33, sync_34 tokio_34 34, sync_35 tokio_35 35, sync_36 tokio_36 36,
    sync_37 tokio_37 37, sync_38 tokio_38 38, sync_39 tokio_39 39, sync_40 tokio_40 40,
    sync_41 tokio_41 41, sync_42 tokio_42 42, sync_43 tokio_43 43, sync_44 tokio_44 44,
    sync_45 tokio_45 45, sync_46 tokio_46 46, sync_47 tokio_47 47, sync_48 tokio_48 48,
    sync_49 tokio_49 49, sync_50 tokio_50 50,
}

#[lens_testkit::test]
#[should_panic(expected = "on purpose")]
fn a_test_that_fails_disturbs_no_other(cap: Capture) {
    work(0);
    check(&cap, 0);
    panic!("on purpose");
}

#[lens_testkit::test(level = "warn")]
fn a_level_is_the_tests_own(cap: Capture) {
    log::info!("below");
    log::warn!("kept");
    cap.logs().one().has_body("kept").has_level(Level::Warn);
}

#[lens_testkit::test(env(OTEL_SERVICE_NAME = "billing", NEMO_LENS_LOGS_LEVEL = "error"))]
fn an_environment_is_the_tests_own(cap: Capture) {
    log::warn!("below");
    log::error!("kept");
    assert_eq!(
        cap.logs().one().resource("service.name"),
        Some(&"billing".into())
    );
}

#[lens_testkit::test(filter = "warn,isolation=debug", resource(team = "core", host.name = "x"))]
fn a_filter_and_a_resource_are_the_tests_own(cap: Capture) {
    log::trace!("below");
    log::debug!("kept");
    log::info!(target: "elsewhere", "below");
    let log = cap.logs().one();
    assert_eq!(log.resource("team"), Some(&"core".into()));
    assert_eq!(log.resource("host.name"), Some(&"x".into()));
}

#[lens_testkit::test(sampler = "always_off")]
fn an_unsampled_span_gives_its_ids_and_is_not_recorded(cap: Capture) {
    let _span = lens::span!("unsampled");
    log::info!("inside");
    assert!(cap.logs().one().trace_id().is_some());
    cap.spans().including_open().none();
}

#[lens_testkit::test(ids = "counting")]
fn ids_can_count(cap: Capture) {
    drop(lens::span!("first"));
    assert_eq!(
        cap.spans().one().trace_id().to_string(),
        format!("{:032x}", 2)
    );
}

#[lens_testkit::test]
fn lens_can_be_started_inside_a_test(cap: Capture) {
    let lens = lens::Builder::new().service("shop").level("info").start();
    log::debug!("below the program's level");
    {
        let _span = lens::span!("job");
        log::info!("inside");
    }
    drop(lens);
    log::info!("after the end");
    let job = cap.spans().name("job").one();
    let log = cap.logs().one();
    log.has_body("inside").in_span(&job);
    assert_eq!(log.resource("service.name"), Some(&"shop".into()));
}

#[lens_testkit::test]
fn what_is_captured_is_kept_after_a_shutdown(cap: Capture) {
    log::info!("before");
    lens::handle().shutdown(std::time::Duration::from_secs(1));
    cap.logs().body("before").one();
}

// https://github.com/jonhoo/inferno/pull/150 (KIT-02)
#[lens_testkit::test]
fn a_raw_thread_is_found_by_its_trace_or_wrapped(cap: Capture) {
    let span = lens::span!("parent");
    let parent = Context::current().span().span_context().clone();
    let by_trace = std::thread::spawn(move || {
        let context = Context::new().with_remote_span_context(parent);
        let _attached = context.attach();
        log::info!("by its trace");
        drop(lens::span!("child"));
    });
    by_trace.join().unwrap();
    let wrapped = std::thread::spawn(cap.wrap(|| log::info!("wrapped")));
    wrapped.join().unwrap();
    drop(span);
    cap.logs().exactly(2);
    cap.logs().body("by its trace").in_span("parent").one();
    cap.spans().name("child").one();
}

#[test]
fn captures_by_hand_do_not_mix() {
    let (a, b) = (Capture::new(), Capture::new());
    a.in_scope(|| {
        log::info!("a");
        b.in_scope(|| log::info!("b"));
        log::info!("a again");
    });
    a.logs().in_order(&["a", "a again"]).exactly(2);
    b.logs().one().has_body("b");
}

#[test]
fn what_belongs_to_nobody_is_shown_and_is_in_no_test() {
    let (a, b) = (Capture::new(), Capture::new());
    std::thread::spawn(|| log::info!("an orphan of this very test"))
        .join()
        .unwrap();
    a.logs().allow_empty().none();
    b.logs().allow_empty().none();
    let failure = std::panic::catch_unwind(|| a.logs().one()).unwrap_err();
    let text = failure.downcast_ref::<String>().unwrap();
    assert!(text.contains("an orphan of this very test"), "{text}");
    assert!(text.contains("lens::thread::spawn"), "{text}");
}

#[lens_testkit::test(isolation = "process")]
fn a_test_can_have_a_process_of_its_own(cap: Capture) {
    // Nothing leads from this thread to the test but that it is alone.
    std::thread::spawn(|| log::info!("from anywhere"))
        .join()
        .unwrap();
    cap.logs().body("from anywhere").one();
}

#[lens_testkit::test(flavor = "multi_thread", start_paused = false)]
async fn a_wait_ends_with_what_it_waits_for(cap: Capture) {
    let (go, gone) = mpsc::channel();
    lens::spawn(async move {
        gone.recv().unwrap();
        log::info!("part 1");
        log::info!("part 2");
    });
    go.send(()).unwrap();
    cap.logs()
        .body(prefix("part "))
        .wait_for(2)
        .await
        .exactly(2);
}

#[lens_testkit::test(start_paused = true)]
async fn a_wait_works_while_time_is_paused(cap: Capture) {
    lens::spawn(async {
        tokio::time::sleep(std::time::Duration::from_secs(3600)).await;
        log::info!("an hour later");
    });
    cap.logs().wait().await.one();
}

#[lens_testkit::test(strict = false)]
fn a_span_that_never_ends_is_shown_as_open(cap: Capture) {
    std::mem::forget(lens::span!("forgotten"));
    assert_eq!(cap.spans().count(), 0);
    assert!(cap.spans().including_open().one().is_open());
}

// https://github.com/rust-cli/env_logger/issues/145 (COR-07)
#[lens_testkit::test]
fn a_thread_local_destructor_that_logs_ends_no_test(cap: Capture) {
    struct LogsOnDrop;
    impl Drop for LogsOnDrop {
        fn drop(&mut self) {
            log::info!("from a destructor");
            let _ = lens::handle().is_exporting();
        }
    }
    thread_local! { static VALUE: LogsOnDrop = const { LogsOnDrop }; }
    for wrapped in [true, false] {
        let work = || {
            VALUE.with(|_| ());
            log::info!("before");
        };
        let thread = if wrapped {
            std::thread::spawn(cap.wrap(work))
        } else {
            std::thread::spawn(work)
        };
        thread.join().unwrap();
    }
    // The second thread is nobody's, but for a process that runs this test alone.
    cap.logs().body("before").at_least_n(1);
}

#[test]
fn a_plain_test_beside_a_capture_is_none_of_its_business() {
    if std::env::var_os("NEXTEST").is_some() {
        // Alone in its process, where everything is the one capture's.
        return;
    }
    let cap = Capture::new();
    // This thread is in no capture, and `cap` may be the only one alive.
    log::info!("of a plain test");
    cap.logs().allow_empty().none();
}

#[test]
fn one_trace_in_two_captures_belongs_to_each_on_its_own_threads() {
    let (a, b) = (Capture::new(), Capture::new());
    let remote = lens::opentelemetry::trace::SpanContext::new(
        lens::opentelemetry::TraceId::from(7),
        lens::opentelemetry::SpanId::from(7),
        lens::opentelemetry::trace::TraceFlags::SAMPLED,
        true,
        lens::opentelemetry::trace::TraceState::default(),
    );
    for cap in [&a, &b, &a] {
        let context = Context::new().with_remote_span_context(remote.clone());
        cap.in_scope(|| {
            let _attached = context.attach();
            drop(lens::span!("served"));
        });
    }
    assert_eq!((a.spans().count(), b.spans().count()), (2, 1));
}
