//! Tokio tasks that keep the span they were started in.

use opentelemetry::Context;

use crate::context::has_context;
use crate::span::{Instrumented, carried};

/// Spawns a tokio task that keeps the active span, like `tokio::spawn` otherwise.
///
/// Needs the feature `tokio`, which is on by default.
///
/// # Panics
///
/// Where `tokio::spawn` does: outside a tokio runtime.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let step = lens::span!("step");
/// let task = lens::spawn(async { log::info!("carries the ids of step") });
/// drop(step);
/// task.await.unwrap();
/// # }
/// ```
#[track_caller]
pub fn spawn<F>(future: F) -> tokio::task::JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    tokio::spawn(Instrumented::within(
        future,
        has_context().then(Context::current),
    ))
}

/// Runs a function that blocks beside the tasks and keeps the active span, like
/// `tokio::task::spawn_blocking` otherwise.
///
/// Needs the feature `tokio`, which is on by default.
///
/// # Panics
///
/// Where tokio's does: outside a tokio runtime.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let step = lens::span!("step");
/// let work = lens::spawn_blocking(|| log::info!("carries the ids of step"));
/// drop(step);
/// work.await.unwrap();
/// # }
/// ```
#[track_caller]
pub fn spawn_blocking<F, T>(work: F) -> tokio::task::JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    tokio::task::spawn_blocking(carried(work))
}
