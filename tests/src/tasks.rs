//! Tasks that log, each in its span.

use std::time::Duration;

use lens::opentelemetry::Context;
use lens::opentelemetry::trace::TraceContextExt;

/// Two hundred tasks that each log in a span of their own, over every kind of wait.
pub async fn many() {
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..200 {
        tasks.spawn(work(task));
    }
    while tasks.join_next().await.is_some() {}
    let probe = tokio::spawn(async { log::info!("outside of every span") });
    let _ = probe.await;
}

#[lens::trace(name = "work", fields(task))]
async fn work(task: u64) {
    for line in 0..5 {
        let ids = Context::map_current(|cx| cx.span().span_context().span_id());
        log::info!(task, line, expected = ids.to_string().as_str(); "at work");
        if line % 2 == 0 {
            tokio::task::yield_now().await;
        } else {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

/// Logs in tasks and blocking work, with the helpers and without.
pub async fn spawned() {
    let work = async {
        let _ = lens::spawn(async { log::info!("with the helper") }).await;
        let _ = lens::spawn_blocking(|| log::info!("with the helper")).await;
        let _ = tokio::spawn(async { log::info!("without") }).await;
        let _ = tokio::task::spawn_blocking(|| log::info!("without")).await;
        log::info!("in parent");
    };
    lens::span!("parent", flavor = "async")
        .instrument(work)
        .await;
}
