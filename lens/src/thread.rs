//! Threads and tasks that keep the span they were started in.

use crate::span::carried;

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
    std::thread::spawn(carried(f))
}
