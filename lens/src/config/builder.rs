//! What the code asked for: everything optional, nothing checked.

use std::time::Duration;

use opentelemetry::{KeyValue, Value};
use opentelemetry_sdk::metrics::Temporality;
use opentelemetry_sdk::trace::ShouldSample;

use crate::config::{
    Batch, Export, IntoLocal, IntoStrategy, IntoTracing, Limits, Local, Own, Strategy, Tracing,
};
use crate::env::Env;
use crate::groups::Site;

/// Starts lens by hand: what `#[lens::main]` does, for programs that build their own main.
///
/// Every setter is named like the attribute's argument and like the end of its variable;
/// the environment wins over both.
///
/// ```no_run
/// let _lens = lens::Builder::new().logs(true).level("info").start();
/// log::info!("exported, and printed as ever");
/// ```
#[derive(Debug, Default)]
#[must_use = "nothing happens until `start` is called"]
pub struct Builder {
    pub(crate) env: Option<Env>,
    pub(crate) package: Package,
    pub(crate) local: Option<Local>,
    pub(crate) tracing: Option<Tracing>,
    pub(super) enabled: Option<bool>,
    pub(super) service: Option<String>,
    pub(super) version: Option<String>,
    pub(super) traces: Option<bool>,
    pub(super) logs: Option<bool>,
    pub(super) level: Option<String>,
    pub(super) logger: Option<String>,
    pub(super) filter: Option<String>,
    pub(super) log_ranks: Option<String>,
    pub(super) redact: Option<String>,
    pub(super) span_fields: Option<String>,
    pub(super) groups: Option<String>,
    pub(super) shutdown_timeout: Option<Duration>,
    pub(super) metrics: Option<bool>,
    pub(super) silent: Option<bool>,
    pub(super) strict: Option<bool>,
    pub(super) signals: Option<bool>,
    /// A bad setting is an error, whatever `strict` says.
    pub(crate) must_be_good: bool,
    pub(super) env_prefix: Option<String>,
    pub(super) propagators: Option<String>,
    pub(super) inherit_context: Option<bool>,
    pub(super) resource: Vec<KeyValue>,
    pub(super) run_id: Option<String>,
    pub(super) user_id: Option<String>,
    pub(super) rank: Option<u64>,
    pub(super) world_size: Option<u64>,
    pub(super) strategy: Option<Strategy>,
    pub(super) export_rank: Option<u64>,
    pub(super) export_sample_rate: Option<f64>,
    pub(super) rank_sampler: Option<bool>,
    pub(super) sampler: Option<Box<dyn ShouldSample>>,
    pub(super) metric_interval: Option<Duration>,
    pub(super) metric_timeout: Option<Duration>,
    pub(super) temporality: Option<Temporality>,
    pub(super) metric_views: Option<String>,
    pub(super) exponential_histograms: Option<bool>,
    pub(super) export: Export,
    pub(super) log_export: Export,
    pub(super) span_export: Export,
    pub(super) metric_export: Export,
    pub(super) log_batch: Batch,
    pub(super) span_batch: Batch,
    pub(super) limits: Limits,
    pub(super) log_limits: Limits,
    pub(super) span_limits: Limits,
    pub(crate) own: Own,
    pub(crate) root: Root,
}

/// The span around everything, if one is asked for.
#[derive(Debug, Default)]
pub(crate) struct Root {
    pub(crate) name: Option<String>,
    /// Main is a future that makes it active itself.
    pub(crate) in_future: bool,
}

/// What cargo told the annotated crate about itself.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Package {
    pub(crate) name: Option<&'static str>,
    /// Where main stands.
    pub(crate) site: Option<&'static Site>,
    /// The module path of the annotated main; its first segment is the crate.
    pub(crate) module: &'static str,
}

impl Package {
    pub(crate) fn version(&self) -> Option<&'static str> {
        self.site?.version
    }

    pub(crate) fn root(&self) -> &'static str {
        self.module.split("::").next().unwrap_or_default()
    }
}

impl Builder {
    /// Creates a builder that asks for nothing: spans are exported, logs are not.
    pub fn new() -> Self {
        Self::default()
    }

    /// Turns everything on or off; off means no thread, no socket, no provider.
    ///
    /// Default `true`. Variables: `NEMO_LENS_ENABLED`, `OTEL_SDK_DISABLED`.
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = Some(enabled);
        self
    }

    /// Sets `service.name`.
    ///
    /// Default: the annotated binary's name; `unknown_service` where lens is started by
    /// hand. Variable: `OTEL_SERVICE_NAME`.
    pub fn service(mut self, name: impl Into<String>) -> Self {
        self.service = Some(name.into());
        self
    }

    /// Sets `service.version`. Default: the package's version.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Turns metrics on or off. Default `true`; nothing is sent where nothing is measured.
    /// Variable: `NEMO_LENS_METRICS_ENABLED`.
    pub fn metrics(mut self, metrics: bool) -> Self {
        self.metrics = Some(metrics);
        self
    }

    /// Turns spans on or off. Default `true`. Variable: `NEMO_LENS_TRACES_ENABLED`.
    pub fn traces(mut self, traces: bool) -> Self {
        self.traces = Some(traces);
        self
    }

    /// Turns the log bridge on or off.
    ///
    /// Default `false`; [`level`](Self::level), [`logger`](Self::logger) and
    /// [`filter`](Self::filter) imply `true`.
    /// Variable: `NEMO_LENS_LOGS_ENABLED`.
    pub fn logs(mut self, logs: bool) -> Self {
        self.logs = Some(logs);
        self
    }

    /// Sets the least severity that is bridged: `"off"`, `"error"`, `"warn"`, `"info"`,
    /// `"debug"` or `"trace"`, in any case.
    ///
    /// Default `"info"`. Variable: `NEMO_LENS_LOGS_LEVEL`.
    pub fn level(mut self, level: impl Into<String>) -> Self {
        self.level = Some(level.into());
        self
    }

    /// Bridges only these loggers and their children: one name, or several with commas.
    ///
    /// Default: every logger. Variable: `NEMO_LENS_LOGS_LOGGER`.
    pub fn logger(mut self, names: impl Into<String>) -> Self {
        self.logger = Some(names.into());
        self
    }

    /// Adds directives, with commas between them: a level for everything, or `logger=level`
    /// for a logger and its children, as in `"warn,megatron.training=debug,hyper=off"`.
    ///
    /// The directive with the most specific logger decides about a record. At the same logger
    /// the variable wins over this, and this over [`level`](Self::level) and
    /// [`logger`](Self::logger). Variable: `NEMO_LENS_LOGS_FILTER`.
    pub fn filter(mut self, directives: impl Into<String>) -> Self {
        self.filter = Some(directives.into());
        self
    }

    /// Bridges log records on these ranks of a job only: `"all"`, `"first"`, `"last"`, numbers
    /// and ranges, with commas between them, as in `"0,8-11"`.
    ///
    /// The rank is what torchrun, SLURM, Open MPI or PMI say in their variables; a process that
    /// is told none bridges. Others pay what a record costs that is filtered out, and keep
    /// their console. Default `"all"`. Variable: `NEMO_LENS_LOGS_RANKS`.
    pub fn log_ranks(mut self, ranks: impl Into<String>) -> Self {
        self.log_ranks = Some(ranks.into());
        self
    }

    /// Chooses the attributes of log records and spans whose values do not leave: keys with
    /// commas between them, `+` and keys for these and the default ones, or `"off"`.
    ///
    /// A key hides itself and every key that ends with a dot and it, in any case and with `-` as
    /// good as `_`: `"authorization"` hides `http.request.header.Authorization`. By default
    /// passwords, secrets, tokens, keys, cookies and authorization are hidden, also inside of maps.
    /// Not looked at are the message of a record, and records that other bridges make by
    /// [`Handle::logger_provider`](crate::Handle::logger_provider). Variable: `NEMO_LENS_REDACT`.
    pub fn redact(mut self, keys: impl Into<String>) -> Self {
        self.redact = Some(keys.into());
        self
    }

    /// Puts these fields of the spans around a log record on the record, too: names, with commas
    /// between them.
    ///
    /// The record's own attribute of that name wins, and then that of the innermost span. Fields
    /// that are recorded later are on the records that come after. They are those of
    /// [`trace`](macro@crate::trace) and [`span!`](crate::span!), and of `tracing` with
    /// [`tracing`](Self::tracing); not attributes set by OpenTelemetry's API. Default: none.
    /// Variable: `NEMO_LENS_SPAN_FIELDS`.
    ///
    /// ```
    /// let builder = lens::Builder::new().span_fields("request_id,tenant");
    /// # let _ = builder;
    /// ```
    pub fn span_fields(mut self, names: impl Into<String>) -> Self {
        self.span_fields = Some(names.into());
        self
    }

    /// Chooses the console side: a word or a logger, see [`IntoLocal`].
    ///
    /// Default `"stderr"`. Variable: `NEMO_LENS_LOCAL` (`stderr`, `stdout`, `off`; over a
    /// logger handed in only `off`).
    pub fn local<Marker>(mut self, local: impl IntoLocal<Marker>) -> Self {
        self.local = Some(local.into_local());
        self
    }

    /// Takes the spans and events of `tracing` as well: `true`, or a subscriber, see
    /// [`IntoTracing`]. Needs the feature `tracing`.
    ///
    /// With `true` the console is what `tracing_subscriber::fmt::init()` would print in this
    /// program, on stdout, or where [`local`](Self::local) says. Records of `log` go there, too,
    /// with their own target and key-values. With `local = "none"` lens installs nothing: the
    /// program adds [lens's layer](crate::layer) to the subscriber it installs. Default `false`.
    pub fn tracing<Marker>(mut self, tracing: impl IntoTracing<Marker>) -> Self {
        self.tracing = Some(tracing.into_tracing());
        self
    }

    /// Chooses where telemetry goes: `"otlp"`, `"console"`, `"pretty"`, `"file:PATH"` or `"none"`,
    /// or several of them with commas between them.
    ///
    /// A file is appended to, one request a line, as
    /// [OTLP JSON](https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/), which a
    /// collector can read later.
    ///
    /// Default `"otlp"`. Variables: `NEMO_LENS_EXPORTER`, and for one signal
    /// `OTEL_LOGS_EXPORTER`, `OTEL_TRACES_EXPORTER`, `OTEL_METRICS_EXPORTER`.
    pub fn exporter(mut self, exporter: impl Into<String>) -> Self {
        self.export = self.export.exporter(exporter);
        self
    }

    /// Sets the base URL of the OTLP receiver.
    ///
    /// Default `http://localhost:4318`. Variables: `OTEL_EXPORTER_OTLP_ENDPOINT`, and for
    /// one signal, used as it is, `OTEL_EXPORTER_OTLP_LOGS_ENDPOINT` and so on; in code that is
    /// [`Export::endpoint`].
    pub fn endpoint(mut self, url: impl Into<String>) -> Self {
        self.export = self.export.endpoint(url);
        self
    }

    /// Chooses the OTLP protocol: `"http/protobuf"`, `"http/json"` or `"grpc"`.
    ///
    /// Default `http/protobuf`, except that an endpoint on port 4317 means `grpc`.
    /// Variable: `OTEL_EXPORTER_OTLP_PROTOCOL`, or that of one signal.
    pub fn protocol(mut self, protocol: impl Into<String>) -> Self {
        self.export = self.export.protocol(protocol);
        self
    }

    /// Sets request headers, as in the variable: `"key=value,key2=value2"`, values
    /// percent-encoded where needed.
    ///
    /// Variable: `OTEL_EXPORTER_OTLP_HEADERS`, or that of one signal.
    pub fn headers(mut self, headers: impl Into<String>) -> Self {
        self.export = self.export.headers(headers);
        self
    }

    /// Sets the one deadline for everything that happens at exit.
    ///
    /// Default 5 s. Variable: `NEMO_LENS_SHUTDOWN_TIMEOUT`, in milliseconds.
    pub fn shutdown_timeout(mut self, timeout: Duration) -> Self {
        self.shutdown_timeout = Some(timeout);
        self
    }

    /// Takes lens's variables from `env` in place of the process environment.
    pub fn env(mut self, env: Env) -> Self {
        self.env = Some(env);
        self
    }

    /// Adds a resource attribute, which every record, span and metric has.
    ///
    /// Variable: `OTEL_RESOURCE_ATTRIBUTES`, whose attributes win; both win over what is detected.
    pub fn resource(mut self, key: impl Into<opentelemetry::Key>, value: impl Into<Value>) -> Self {
        self.resource.push(KeyValue::new(key, value));
        self
    }

    /// Chooses which processes of a job export: a word or a function, see [`IntoStrategy`].
    ///
    /// On the others lens is off, and their console stays. Default `"all_ranks"`. Variable:
    /// `NEMO_LENS_EXPORT_STRATEGY`.
    pub fn strategy<Marker>(mut self, strategy: impl IntoStrategy<Marker>) -> Self {
        self.strategy = Some(strategy.into_strategy());
        self
    }

    /// Says which process of its job this is, from 0.
    ///
    /// Default: what torchrun, SLURM, Open MPI or PMI say in their variables.
    pub fn rank(mut self, rank: u64) -> Self {
        self.rank = Some(rank);
        self
    }

    /// Says how many processes the job has. Default: as for [`rank`](Self::rank).
    pub fn world_size(mut self, processes: u64) -> Self {
        self.world_size = Some(processes);
        self
    }

    /// Has lens's variables looked for with a prefix of the program's own first, as in
    /// `MEGATRON_OTEL_LOGS_LEVEL`, and then with `NEMO_LENS`. Default: none.
    pub fn env_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.env_prefix = Some(prefix.into());
        self
    }

    /// Has SIGTERM and SIGINT deliver what is buffered before they end the program, within the
    /// [deadline](Self::shutdown_timeout); a second one ends it at once.
    ///
    /// A handler of the program's own, set before or after, decides what becomes of it. One that is
    /// set later must call what was there before, as tokio's does, or else nothing is delivered
    /// until the program ends. One more thread. Default `false`. Variable: `NEMO_LENS_FLUSH_ON_SIGNAL`.
    pub fn signals(mut self, flush: bool) -> Self {
        self.signals = Some(flush);
        self
    }

    /// Has a bad setting end the program at its start, with exit code 1 and a line for each.
    ///
    /// [`try_start`](Self::try_start) returns them instead. Default `false`: a line for each, and
    /// the program runs. Variable: `NEMO_LENS_STRICT`.
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = Some(strict);
        self
    }

    /// Turns on the span groups named here, and every other one off: group names and the
    /// presets `default` (job, checkpoint, evaluate), `per_step` (those and model_init,
    /// load_checkpoint, step, forward_backward, optimizer), `all` and `none`, with commas
    /// between them.
    ///
    /// Default `"default"`; a span without a group is always on. Variable:
    /// `NEMO_LENS_SPAN_GROUPS`. While the program runs: [`set_groups`](crate::set_groups).
    pub fn groups(mut self, groups: impl Into<String>) -> Self {
        self.groups = Some(groups.into());
        self
    }

    /// Puts a span around everything, active on the current thread until the guard that
    /// [`start`](Self::start) returns is dropped.
    ///
    /// On an annotated `async fn main` it is active in main wherever that is polled. Other
    /// tasks and threads are outside, unless spawned by [`spawn`](crate::spawn) or
    /// [`thread::spawn`](crate::thread::spawn).
    pub fn root_span(mut self, name: impl Into<String>) -> Self {
        self.root.name = Some(name.into());
        self
    }

    /// Has main go on with the trace of whoever started this process and said so in
    /// `TRACEPARENT`, `TRACESTATE` and `BAGGAGE`, as
    /// [`process::inject`](crate::process::inject) does.
    ///
    /// So one value for all processes of a job puts them into one trace. The span it names is
    /// active in main, on or off, like a [`root_span`](Self::root_span), which is its child. Default
    /// `true`; a service that outlives whoever started it says `false`. Variable:
    /// `NEMO_LENS_INHERIT_CONTEXT`.
    pub fn inherit_context(mut self, inherit: bool) -> Self {
        self.inherit_context = Some(inherit);
        self
    }

    #[doc(hidden)]
    pub fn __root_in_future(mut self) -> Self {
        self.root.in_future = true;
        self
    }

    pub(crate) fn package(mut self, package: Package) -> Self {
        self.package = package;
        self
    }
}
