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
/// Works on `fn` and `async fn`, above or below the attribute of a runtime (tokio in any
/// flavour, smol, any other), with any return type. The same by hand:
/// [`Builder`](crate::Builder).
///
/// # Arguments
///
/// The environment wins over the argument, the argument over the default. Each argument is a
/// setter of [`Builder`](crate::Builder), where its variable and default are documented:
/// [`enabled`](crate::Builder::enabled), [`service`](crate::Builder::service),
/// [`version`](crate::Builder::version), [`traces`](crate::Builder::traces),
/// [`logs`](crate::Builder::logs), [`level`](crate::Builder::level),
/// [`logger`](crate::Builder::logger) (also a list, `["a", "b"]`; a leading `crate` is the
/// annotated crate), [`filter`](crate::Builder::filter), [`log_ranks`](crate::Builder::log_ranks),
/// [`redact`](crate::Builder::redact), [`span_fields`](crate::Builder::span_fields) (also a list),
/// [`local`](crate::Builder::local), [`tracing`](crate::Builder::tracing),
/// [`exporter`](crate::Builder::exporter), [`endpoint`](crate::Builder::endpoint),
/// [`protocol`](crate::Builder::protocol), [`headers`](crate::Builder::headers),
/// [`groups`](crate::Builder::groups) (also a list),
/// [`root_span`](crate::Builder::root_span),
/// [`inherit_context`](crate::Builder::inherit_context), [`metrics`](crate::Builder::metrics),
/// `resource(team = "core", nodes = 2)` ([`resource`](crate::Builder::resource)),
/// [`strategy`](crate::Builder::strategy), [`rank`](crate::Builder::rank),
/// [`world_size`](crate::Builder::world_size), [`env_prefix`](crate::Builder::env_prefix),
/// [`signals`](crate::Builder::signals), [`strict`](crate::Builder::strict),
/// [`shutdown_timeout`](crate::Builder::shutdown_timeout) (milliseconds or a `Duration`);
/// and `crate = path` for a renamed dependency.
///
/// # Programs that use `tracing`
///
/// With the feature `tracing` and the argument of that name its spans are OpenTelemetry spans, its
/// events log records, by the same filters and with the same ids, and the console is what
/// `tracing_subscriber::fmt::init()` would print, records of `log` included. That call goes, or
/// the program's own subscriber is handed over:
///
#[cfg_attr(feature = "tracing", doc = "```no_run")]
#[cfg_attr(not(feature = "tracing"), doc = "```ignore")]
/// #[lens::main(logs = true, tracing = tracing_subscriber::fmt().compact().finish())]
/// fn main() {}
/// ```
///
/// # The logger slot
///
/// An annotated main is the program's `log` logger, telemetry on or off, from its first statement
/// on; what a constructor logs before main has no logger, as without lens. By default it
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

/// Runs a function inside a span: put it on a function, an `impl` block or a module.
///
/// ```
/// #[lens::trace(name = "train.step", group = "step", fields(iteration = i, model.size = "7b"))]
/// fn step(i: u64) -> Result<f64, std::io::Error> {
///     log::info!("carries the span's ids");
///     lens::record!(loss = 0.5);
///     Ok(0.5)
/// }
///
/// #[lens::trace]
/// async fn load(path: &str) -> String {
///     path.to_owned()
/// }
///
/// struct Model;
///
/// #[lens::trace(group = "step", skip(len))]
/// impl Model {
///     fn forward(&self) {}
///     fn len(&self) -> usize { 0 }
/// }
/// # step(1).unwrap();
/// ```
///
/// The span is active while the body runs. A function that returns a future (an `async fn`, a
/// method of `async_trait`, `-> impl Future`, `-> Pin<Box<dyn Future>>`) is traced from that
/// future's first poll to its end, active whenever it is polled; the future stays `Send`. A
/// macro sees words, not types: behind another name, such as `BoxFuture`, or with
/// `#[track_caller]`, only what the function does before it returns is in the span. The
/// span has the function's path and place as
/// [`code.*` attributes](https://opentelemetry.io/docs/specs/semconv/registry/attributes/code/).
///
/// On an `impl` block, a trait or an inline module each function in it is traced that has a
/// body and no attribute of its own; a `const fn` and a test are left out. Where a module has a
/// file of its own the attribute goes on what is in the file.
///
/// # Arguments
///
/// * `name`: the span's name; default the function's path, such as `shop::Cart::checkout`.
///   Not on a block.
/// * `group`: a word by which the span is turned on and off, see
///   [`Builder::groups`](crate::Builder::groups) and [`set_groups`](crate::set_groups).
///   Without one it is always on.
/// * `kind`: `"internal"` (the default), `"server"`, `"client"`, `"producer"` or `"consumer"`.
/// * `parent`: the context it belongs to, in place of the current one, such as
///   [`lens::extract(&headers)`](crate::extract); of one without a span it begins a trace. Not on a
///   block.
/// * `links`: contexts of spans it has to do with, such as `[context]` or an iterator of them.
///   Not on a block.
/// * `fields(…)`: attributes, evaluated before the body and only when the span is on. `key =
///   value` is typed, see [`Field`](crate::Field); `key:% = value` is its `Display`,
///   `key:? = value` its `Debug`; without a value `key` is the variable of that name. A key is
///   a name, names with dots between them, or a string. Values are evaluated in a closure, so
///   not with `?`. Arguments that are not named here are not recorded. Not on a block.
/// * `err = false`: an `Err` is not the span's status.
/// * `skip(function, …)`: on a block, functions that are not traced.
/// * `crate = path`: for a renamed dependency.
///
/// # The status
///
/// An `Err` and a panic set it to error. The text of an `Err` is what its `Display` says, or
/// its `Debug`; a type with neither gives none. What a macro cannot see has no status: an `Err`
/// behind a generic parameter, and one of a `#[track_caller]` function.
///
/// # Cost
///
/// With its group off: one load of a flag and at most 25 instructions, nothing evaluated and
/// nothing allocated; a future is moved once more, and holds its arguments a second time.
/// Without a tracer provider: its fields and a
/// look at the global provider, no span; the result is not looked at.
pub use lens_macros::trace;

/// Says how the log records of a module and its children are bridged: put it on a module.
///
/// ```
/// #[lens::bridge(level = "debug", max_per_second = 100)]
/// mod optimizer {
///     pub fn step() { log::debug!("bridged, a hundred times a second at most") }
/// }
///
/// #[lens::bridge(off)]
/// mod noisy {}
/// # optimizer::step();
/// ```
///
/// On an inline module, in programs and in libraries; Rust does not let an attribute see a
/// module with a file of its own, which begins with
/// [`bridge_module!`](crate::bridge_module) instead. Scopes register themselves when the
/// program is linked. They do not turn the bridge on, and never touch the console.
///
/// # Arguments
///
/// * `level`: the least severity that is bridged, as in [`main`](macro@crate::main). Without
///   one the module is bridged like everything else, and at the program's level where
///   [`logger`](crate::Builder::logger) would leave it out.
/// * `off`: nothing is bridged, unless `NEMO_LENS_LOGS_FILTER` asks for it.
/// * `max_per_second = 100`: so many records leave in each second; the scope with the longest
///   path that says so counts. Errors always pass.
/// * `sample = 0.01`: this part of the records leaves, one in a hundred here, evenly. Errors
///   always pass. With `max_per_second`, what is left of the sample is counted.
/// * `crate = path`: for a renamed dependency.
///
/// What is held back is counted as [dropped](crate::Dropped), and told in one log record a
/// second and scope, with `lens.held_back.max_per_second` and `lens.held_back.sample`.
///
/// # Which records leave
///
#[doc = include_str!("../docs/which-records-leave.md")]
///
/// # Cost
///
/// Where nothing is bridged: none. Else a thread looks a target up once and then compares it.
pub use lens_macros::bridge;

/// Says how the log records of the module it stands in are bridged.
///
/// ```
/// lens::bridge_module!(level = "debug");
/// # fn main() {}
/// ```
///
/// For a module with a file of its own, or one that has such modules; at its top. Takes the
/// arguments of [`bridge`](macro@crate::bridge).
#[macro_export]
macro_rules! bridge_module {
    ($($tokens:tt)*) => {
        $crate::__private::bridge_module! { $crate; $($tokens)* }
    };
}

/// Starts a span that is active until the guard is dropped.
///
/// ```
/// let shots = 5;
/// let _evaluate = lens::span!("evaluate", group = "evaluate", dataset = "mmlu", shots);
/// log::info!("carries the span's ids");
/// ```
///
/// After the name come, in any order, `group`, `kind`, `parent` and `links` as in
/// [`trace`](macro@crate::trace#arguments) and the span's attributes, as in its `fields`. An
/// attribute that is called like one of these is written in quotes: `"group" = 7`.
///
/// The guard is not `Send`. In async code the span goes into the future:
/// `lens::span!("fetch").instrument(future).await`. A guard that is held across an `.await`
/// all the same is noticed by the traced function around it, if that is on, told once, and not
/// active in other tasks.
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

/// Adds to a sum that only grows.
///
/// ```
/// let tokens = 4096;
/// lens::counter!("train.tokens", tokens, unit = "{token}", description = "Tokens seen.");
/// lens::counter!("train.steps", 1, optimizer = "sgd");
/// ```
///
/// # Arguments
///
/// The name and the number, then, in any order, `unit` and `description`, which are constants like
/// the name, and attributes, written as in the `fields` of [`trace`](macro@crate::trace#arguments).
/// An attribute that is called `unit` itself is written in quotes: `"unit" = 7`. Units are
/// [those of the conventions](https://opentelemetry.io/docs/specs/semconv/general/metrics/#instrument-units):
/// `"s"`, `"By"`, `"{token}"`.
///
/// A number is an [`Amount`](crate::Amount). What is less than zero is left out, and told once.
///
/// A closure in its place is asked for the sum so far whenever metrics are collected, as long as
/// the [`Observation`](crate::Observation) lives that this returns then; its attributes are
/// evaluated now. It is called where it may measure and log, and should return within 2 s; under an SDK of the application's
/// own, though, while that collects, where it should not measure.
///
/// ```
/// # fn bytes_read() -> u64 { 0 }
/// let _read = lens::counter!("dataset.bytes", || bytes_read(), unit = "By");
/// ```
///
/// An instrument is made where it stands, at the first measurement; several places may have one of
/// the same name, if their units and descriptions are the same. A name that is known only at run
/// time is for [`Handle::meter`](crate::Handle::meter).
///
/// Each set of attributes is a series that takes memory for as long as the program runs: 2,000
/// for each instrument, and [one for what is more](https://opentelemetry.io/docs/specs/otel/metrics/sdk/#overflow-attribute);
/// see [`Builder::metric_views`](crate::Builder::metric_views).
///
/// # Cost
///
/// Where nothing is measured: one load, neither number nor attributes are evaluated. Else what the
/// SDK's instrument costs; a string that is no literal is copied. Without lens started, through
/// OpenTelemetry's global provider, which has to be set before the first measurement.
#[macro_export]
macro_rules! counter {
    ($($tokens:tt)*) => {
        $crate::__private::metric! { $crate; Counter; $($tokens)* }
    };
}

/// Adds to a sum that grows and shrinks.
///
/// ```
/// lens::up_down_counter!("requests.active", 1);
/// lens::up_down_counter!("requests.active", -1);
/// ```
///
/// Arguments, closures and cost are those of [`counter!`](crate::counter!).
#[macro_export]
macro_rules! up_down_counter {
    ($($tokens:tt)*) => {
        $crate::__private::metric! { $crate; UpDownCounter; $($tokens)* }
    };
}

/// Says what a value is now.
///
/// ```
/// lens::gauge!("train.learning_rate", 0.5);
///
/// let queue = std::sync::Arc::new(std::sync::Mutex::new(vec![1, 2]));
/// let watched = std::sync::Arc::clone(&queue);
/// let _depth = lens::gauge!("queue.depth", move || watched.lock().unwrap().len());
/// ```
///
/// Arguments, closures and cost are those of [`counter!`](crate::counter!).
#[macro_export]
macro_rules! gauge {
    ($($tokens:tt)*) => {
        $crate::__private::metric! { $crate; Gauge; $($tokens)* }
    };
}

/// Measures something of which the distribution counts.
///
/// ```
/// let took = std::time::Duration::from_millis(20);
/// lens::histogram!("step.duration", took, unit = "s", buckets = [0.01, 0.1, 1.0]);
/// ```
///
/// Arguments and cost are those of [`counter!`](crate::counter!), and `buckets`: the upper bounds
/// of its buckets, a constant; without them they are the SDK's. Where
/// [`Builder::exponential_histograms`](crate::Builder::exponential_histograms) is set, or a view
/// says otherwise, they do not count. No closure.
#[macro_export]
macro_rules! histogram {
    ($($tokens:tt)*) => {
        $crate::__private::metric! { $crate; Histogram; $($tokens)* }
    };
}
