//! Guards that are dropped late, out of order, or never.

use std::future::poll_fn;
use std::task::Poll;

use lens_testkit::{Capture, test};

/// Lets other futures of the same task run.
async fn turn() {
    let mut turned = false;
    poll_fn(|task| {
        if std::mem::replace(&mut turned, true) {
            return Poll::Ready(());
        }
        task.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

#[lens::trace(name = "misuse")]
async fn misuse() {
    let _guard = lens::span!("held");
    log::info!("before");
    turn().await;
    log::info!("after");
}

#[lens::trace(name = "other")]
async fn other() {
    log::info!("other");
    turn().await;
    log::info!("other again");
}

#[test]
async fn a_guard_held_across_an_await_does_not_show_in_other_futures(cap: Capture) {
    tokio::join!(misuse(), other(), misuse());
    log::info!("outside");
    cap.logs().body("outside").uncorrelated().one();
    for held in cap.logs().body("before").exactly(2) {
        assert_eq!(held.span().unwrap().name(), "held");
    }
    for after in cap.logs().body("after").exactly(2) {
        assert_eq!(after.span().unwrap().name(), "misuse");
    }
    let other = cap.spans().name("other").one();
    cap.logs().body("other").one().in_span(&other);
    cap.logs().body("other again").one().in_span(&other);
    let misuses = cap.spans().name("misuse").exactly(2);
    for held in cap.spans().name("held").exactly(2) {
        assert!(
            misuses
                .iter()
                .any(|misuse| Some(misuse.span_id()) == held.parent_id())
        );
    }
}

#[test]
async fn a_spawned_task_keeps_a_guard_it_holds_to_itself(cap: Capture) {
    // Not `Send`, so on one thread, where it would show everywhere.
    let local = tokio::task::LocalSet::new();
    let step = lens::span!("step");
    let task = local.spawn_local(step.instrument(async {
        let _held = lens::span!("held");
        tokio::task::yield_now().await;
    }));
    local.spawn_local(async { log::info!("elsewhere") });
    local.run_until(task).await.unwrap();
    local.await;
    cap.logs().body("elsewhere").uncorrelated().one();
}

#[lens::trace(name = "forgetful")]
fn forgetful() {
    std::mem::forget(lens::span!("forgotten"));
    log::info!("inside");
}

#[test(strict = false)]
fn a_forgotten_guard_is_inactive_behind_its_function(cap: Capture) {
    let around = lens::span!("around");
    forgetful();
    log::info!("behind");
    drop(around);
    log::info!("outside");
    let around = cap.spans().name("around").one();
    assert_eq!(
        cap.logs().body("inside").one().span().unwrap().name(),
        "forgotten"
    );
    cap.logs().body("behind").one().in_span(&around);
    cap.logs().body("outside").uncorrelated().one();
}

#[test]
fn guards_dropped_out_of_order_leave_nothing_behind(cap: Capture) {
    let first = lens::span!("first");
    let second = lens::span!("second");
    let third = lens::span!("third");
    drop(first);
    log::info!("in third");
    drop(third);
    log::info!("in second");
    drop(second);
    log::info!("outside");
    let span = |name| cap.spans().name(name).one();
    cap.logs().body("in third").one().in_span(&span("third"));
    cap.logs().body("in second").one().in_span(&span("second"));
    cap.logs().body("outside").uncorrelated().one();
}

struct Loud;

impl Drop for Loud {
    fn drop(&mut self) {
        log::info!("dropped");
    }
}

#[lens::trace(name = "cancelled")]
async fn cancelled() {
    let _loud = Loud;
    std::future::pending::<()>().await;
}

#[test]
async fn a_cancelled_future_ends_its_span_and_leaves_no_ids(cap: Capture) {
    let mut future = Box::pin(cancelled());
    let polled = poll_fn(|task| Poll::Ready(future.as_mut().poll(task).is_pending())).await;
    assert!(polled);
    log::info!("meanwhile");
    drop(future);
    log::info!("afterwards");
    let span = cap.spans().name("cancelled").one();
    cap.logs().body("dropped").one().in_span(&span);
    cap.logs().body("meanwhile").uncorrelated().one();
    cap.logs().body("afterwards").uncorrelated().one();
    std::mem::forget(Box::pin(cancelled()));
}

#[test]
fn a_panic_behind_a_guard_is_its_status_and_leaves_no_ids(cap: Capture) {
    let caught = std::panic::catch_unwind(|| {
        let _guard = lens::span!("guarded");
        forgetful_panic();
    });
    assert!(caught.is_err());
    log::info!("caught");
    cap.spans().name("guarded").one().has_error("panicked");
    cap.logs().body("caught").uncorrelated().one();
}

#[lens::trace]
fn forgetful_panic() {
    let _inner = lens::span!("inner");
    panic!("in the middle");
}

#[test(strict = false)]
async fn blocking_work_leaves_no_span_to_what_its_thread_does_next(cap: Capture) {
    let work = async {
        let forgets = || std::mem::forget(lens::span!("forgotten"));
        lens::spawn_blocking(forgets).await.expect("it ends");
    };
    lens::span!("around").instrument(work).await;
    let next = tokio::task::spawn_blocking(|| log::info!("another's"));
    next.await.expect("it ends");
    cap.logs().body("another's").uncorrelated().one();
}
