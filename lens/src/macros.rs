//! The attributes and macros, with everything a user reads about them.

/// Starts lens for a program: put it on `fn main`.
///
/// ```no_run
/// #[lens::main(logs = true, level = "info", logger = "crate::training")]
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     log::info!(loss = 1.23; "exported with the active span's ids, printed as ever");
///     Ok(())
/// }
/// ```
///
/// It sets up what its arguments and the environment ask for, runs main, and delivers what
/// is buffered however main ends: return, `Err` (an ERROR record), panic (a FATAL record),
/// [`std::process::exit`]. Exit codes and everything the program prints stay as they are.
///
/// Works on `fn` and `async fn`, above or below `#[tokio::main]` in any flavour, with any
/// return type. The same by hand: [`Builder`](crate::Builder).
///
/// # Arguments
///
/// The environment wins over the argument, the argument over the default. Each argument is a
/// setter of [`Builder`](crate::Builder), where its variable and default are documented:
/// [`enabled`](crate::Builder::enabled), [`service`](crate::Builder::service),
/// [`version`](crate::Builder::version), [`traces`](crate::Builder::traces),
/// [`logs`](crate::Builder::logs), [`level`](crate::Builder::level),
/// [`logger`](crate::Builder::logger) (also a list, `["a", "b"]`; a leading `crate` is the
/// annotated crate), [`filter`](crate::Builder::filter), [`local`](crate::Builder::local),
/// [`exporter`](crate::Builder::exporter), [`endpoint`](crate::Builder::endpoint),
/// [`protocol`](crate::Builder::protocol), [`headers`](crate::Builder::headers),
/// [`shutdown_timeout`](crate::Builder::shutdown_timeout) (milliseconds or a `Duration`);
/// and `crate = path` for a renamed dependency.
///
/// # The logger slot
///
/// An annotated main is the program's `log` logger, telemetry on or off: by default it
/// prints what `env_logger::init()` would. So a call of `env_logger::init()` goes, or the
/// program's own logger is handed over:
///
/// ```no_run
/// # struct MyLogger;
/// # impl log::Log for MyLogger {
/// #     fn enabled(&self, _: &log::Metadata<'_>) -> bool { true }
/// #     fn log(&self, _: &log::Record<'_>) {}
/// #     fn flush(&self) {}
/// # }
/// #[lens::main(logs = true, local = (log::LevelFilter::Info, MyLogger))]
/// fn main() {}
/// ```
///
/// # Cost
///
/// Off: the console logger, and about a nanosecond for a record the console does not want.
#[cfg(feature = "sdk")]
pub use lens_macros::main;
#[cfg(not(feature = "sdk"))]
pub use lens_macros::main_without_sdk as main;

/// Runs a function inside a span: put it on any `fn` or `async fn`, also a method.
///
/// ```
/// #[lens::trace(name = "train.step", fields(iteration = i, model.size = "7b"))]
/// fn step(i: u64) -> Result<f64, std::io::Error> {
///     log::info!("carries the span's ids");
///     Ok(0.5)
/// }
///
/// #[lens::trace]
/// async fn load(path: &str) -> String {
///     path.to_owned()
/// }
/// # step(1).unwrap();
/// ```
///
/// The span is active while the body runs, in async code whenever it is polled; the future
/// stays `Send`. An `Err` and a panic set its status to error. Arguments are recorded only
/// when named in `fields`; their values are [`Field`](crate::Field)s.
///
/// # Arguments
///
/// * `name`: the span's name; default the function's path.
/// * `fields(key = value, …)`: attributes, evaluated before the body.
/// * `crate = path`: for a renamed dependency.
///
/// # Cost
///
/// Without a tracer provider: its fields and a look at the global provider, no span; the
/// result is not looked at.
pub use lens_macros::trace;

/// Starts a span that is active until the guard is dropped.
///
/// ```
/// let shots = 5;
/// let _evaluate = lens::span!("evaluate", group = "evaluate", dataset = "mmlu", shots);
/// log::info!("carries the span's ids");
/// ```
///
/// After the name come, in any order, `group` and `kind` as in [`trace`](macro@crate::trace)
/// and the span's attributes, as in its `fields`. An attribute that is called `group` or
/// `kind` itself is written in quotes: `"group" = 7`.
///
/// The guard is not `Send`. In async code the span goes into the future:
/// `lens::span!("fetch").instrument(future).await`. A guard that is held across an `.await`
/// all the same is noticed by the traced function around it, told once, and not active in
/// other tasks.
///
/// # Cost
///
/// With its group off: one load, nothing is evaluated. Without a tracer provider: its fields
/// and a look at the global provider, no span.
#[macro_export]
macro_rules! span {
    ($($tokens:tt)*) => {
        $crate::__private::span! { $crate; $($tokens)* }
    };
}

/// Adds attributes to the active span, when their values are known only later.
///
/// ```
/// #[lens::trace(group = "step", fields(iteration = i))]
/// fn step(i: u64) {
///     let loss = 0.5;
///     lens::record!(loss, optimizer = "sgd");
/// }
/// # step(1);
/// ```
///
/// Attributes are written as in the `fields` of [`trace`](macro@crate::trace). The active
/// span is that of the innermost traced function or guard that is on; a guard has
/// [`SpanGuard::record`](crate::SpanGuard::record) for its own.
///
/// # Cost
///
/// Where the active span does not record, or there is none: a look at it, nothing is
/// evaluated.
#[macro_export]
macro_rules! record {
    ($($tokens:tt)*) => {
        $crate::__private::record! { $crate; $($tokens)* }
    };
}
