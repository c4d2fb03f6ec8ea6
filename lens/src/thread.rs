//! Threads and tasks that keep the span they were started in.

use opentelemetry::Context;

use crate::context::has_context;

/// Spawns a thread that keeps the active span, like [`std::thread::spawn`] otherwise.
///
/// # Panics
///
/// Where `std::thread::spawn` does: when the system has no thread left.
///
/// ```
/// let _step = lens::span!("step");
/// lens::thread::spawn(|| log::info!("carries the ids of step")).join().unwrap();
/// ```
#[expect(clippy::disallowed_methods, reason = "the user's own thread")]
pub fn spawn<F, T>(f: F) -> std::thread::JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let context = has_context().then(Context::current);
    std::thread::spawn(move || {
        let _active = context.map(Context::attach);
        f()
    })
}
