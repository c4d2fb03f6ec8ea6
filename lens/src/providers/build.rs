//! Settings to running providers: one lane per receiver, one worker, two providers.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use opentelemetry_sdk::Resource;
use opentelemetry_sdk::logs::{LoggerProviderBuilder, SdkLoggerProvider};
use opentelemetry_sdk::trace::{SdkTracerProvider, TracerProviderBuilder};

use super::meters::Meters;
use super::processors::{QueueLogs, QueueSpans};
use crate::config::{Batching, Config, Own, Route};
use crate::export::{Console, JsonLines, Pretty};
use crate::ids::RandomIds;
use crate::open_spans::OpenSpans;
use crate::pipeline::{Lane, Sink, Tick, Worker};
use crate::stats::{Counters, Signal};

/// What runs.
#[derive(Debug)]
pub(crate) struct Providers {
    pub(crate) logs: Option<SdkLoggerProvider>,
    pub(crate) traces: Option<SdkTracerProvider>,
    pub(crate) meters: Option<Meters>,
    /// Where the bridge leaves log records without the SDK, if it can.
    pub(crate) direct: Option<Arc<Lane>>,
    pub(crate) open: Arc<OpenSpans>,
    pub(crate) counters: Arc<Counters>,
    pub(super) worker: Option<Worker>,
    /// Where spans go that have no other way to be ended.
    pub(super) spans: Vec<Arc<Lane>>,
}

impl Providers {
    /// Builds what the settings ask for, with what is the program's `own`, and starts exporting.
    pub(crate) fn build(
        config: &Config,
        resource: &Resource,
        own: Own,
        tick: Option<Tick>,
    ) -> Self {
        let open = Arc::new(OpenSpans::default());
        let counters = Arc::new(Counters::default());
        let mut own = own;
        let mut lanes = Lanes {
            config,
            resource,
            counters: &counters,
            running: Vec::new(),
            terminal: Vec::new(),
            files: Vec::new(),
        };
        let [mut logs, mut traces, metrics] = Signal::ALL.map(|signal| lanes.of(signal));
        if config.logs.is_some() {
            logs.extend(
                std::mem::take(&mut own.log_exporters)
                    .into_iter()
                    .map(|exporter| {
                        lanes.own(
                            Signal::Logs,
                            exporter,
                            |exporter| exporter.set_resource(resource),
                            Sink::Logs,
                        )
                    }),
            );
        }
        if config.traces.is_some() {
            traces.extend(
                std::mem::take(&mut own.span_exporters)
                    .into_iter()
                    .map(|exporter| {
                        lanes.own(
                            Signal::Traces,
                            exporter,
                            |exporter| exporter.set_resource(resource),
                            Sink::Spans,
                        )
                    }),
            );
        }
        let running = lanes.running;
        let exports = !running.is_empty();
        let worker = exports
            .then(|| Worker::start(running, Arc::clone(&counters), tick))
            .flatten();
        // Without a worker nothing would ever empty a lane.
        let served = |lanes: Vec<_>| if worker.is_some() { lanes } else { Vec::new() };
        let (logs, traces, metrics) = (served(logs), served(traces), served(metrics));
        let bridges = config.logs.is_some() && !(logs.is_empty() && own.log_processors.is_empty());
        // Spans that go nowhere still give the log records their ids.
        let traced = config.traces.is_some()
            && (!traces.is_empty() || !own.span_processors.is_empty() || bridges);
        let measured =
            config.metrics.is_some() && !(metrics.is_empty() && own.metric_exporters.is_empty());
        let direct = match &logs[..] {
            [lane] if own.log_processors.is_empty() && lane.takes_encoded() => {
                Some(Arc::clone(lane))
            }
            _ => None,
        };
        let log_processors = std::mem::take(&mut own.log_processors);
        let span_processors = std::mem::take(&mut own.span_processors);
        let queue = QueueSpans {
            lanes: traces.clone(),
            announces: is_pretty(config.routes(Signal::Traces)),
            open: Arc::clone(&open),
            redact: config.redact.clone(),
            value_length: config.span_limits.value_length,
        };
        Self {
            direct,
            logs: bridges.then(|| loggers(resource, log_processors, logs)),
            traces: traced.then(|| tracers(config, resource, span_processors, queue)),
            meters: measured
                .then(|| Meters::new(metrics, config.collection, own, resource.clone())),
            open,
            counters,
            worker,
            spans: traces,
        }
    }

    /// Providers that somebody else built, and that no worker serves.
    #[cfg(feature = "__testkit")]
    pub(crate) fn captured(
        logs: Option<SdkLoggerProvider>,
        traces: Option<SdkTracerProvider>,
        open: Arc<OpenSpans>,
    ) -> Self {
        Self {
            logs,
            traces,
            meters: None,
            direct: None,
            open,
            counters: Arc::default(),
            worker: None,
            spans: Vec::new(),
        }
    }

    /// Whether anything leaves this process or is written by it.
    pub(crate) fn is_exporting(&self) -> bool {
        self.worker.is_some()
    }
}

fn is_pretty(routes: Option<&[Route]>) -> bool {
    let mut routes = routes.unwrap_or_default().iter();
    routes.any(|route| matches!(route, Route::Pretty))
}

/// The provider of loggers; the program's processors see a record first.
fn loggers(
    resource: &Resource,
    processors: Vec<Box<dyn FnOnce(LoggerProviderBuilder) -> LoggerProviderBuilder + Send>>,
    lanes: Vec<Arc<Lane>>,
) -> SdkLoggerProvider {
    let builder = SdkLoggerProvider::builder().with_resource(resource.clone());
    let builder = processors
        .into_iter()
        .fold(builder, |builder, add| add(builder));
    let lanes = lanes.into_iter().map(QueueLogs);
    lanes
        .fold(builder, LoggerProviderBuilder::with_log_processor)
        .build()
}

/// The provider of tracers; the program's processors see a span first.
fn tracers(
    config: &Config,
    resource: &Resource,
    processors: Vec<Box<dyn FnOnce(TracerProviderBuilder) -> TracerProviderBuilder + Send>>,
    queue: QueueSpans,
) -> SdkTracerProvider {
    let builder = SdkTracerProvider::builder()
        .with_resource(resource.clone())
        .with_sampler(config.sampler.clone())
        .with_id_generator(RandomIds)
        .with_span_limits(config.span_limits.counts);
    let builder = processors
        .into_iter()
        .fold(builder, |builder, add| add(builder));
    builder.with_span_processor(queue).build()
}

struct Lanes<'a> {
    config: &'a Config,
    resource: &'a Resource,
    counters: &'a Arc<Counters>,
    running: Vec<(Arc<Lane>, Sink)>,
    /// Signals that go to the same terminal share a lane, so that lines keep their order.
    terminal: Vec<(Arc<Lane>, Terminal)>,
    files: Vec<(PathBuf, Arc<Mutex<JsonLines>>)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Terminal {
    Console,
    Pretty,
}

impl Lanes<'_> {
    /// A lane for each route of `signal`.
    fn of(&mut self, signal: Signal) -> Vec<Arc<Lane>> {
        let routes = self.config.routes(signal).unwrap_or_default();
        routes
            .iter()
            .map(|route| self.lane(signal, route))
            .collect()
    }

    fn lane(&mut self, signal: Signal, route: &Route) -> Arc<Lane> {
        match route {
            Route::Console => self.terminal(Terminal::Console),
            Route::Pretty => self.terminal(Terminal::Pretty),
            Route::Otlp(target) => {
                let sink = Sink::Otlp(signal, target.clone(), self.resource.clone());
                self.requests(signal, sink)
            }
            Route::File(path) => {
                let sink = Sink::File(signal, self.file(path), self.resource.clone());
                self.requests(signal, sink)
            }
        }
    }

    /// A lane to an exporter of the program's own.
    fn own<E: ?Sized>(
        &mut self,
        signal: Signal,
        mut exporter: Box<E>,
        prepare: impl FnOnce(&mut E),
        sink: fn(Arc<E>) -> Sink,
    ) -> Arc<Lane> {
        prepare(&mut exporter);
        self.start(self.config.batching(signal), sink(exporter.into()), false)
    }

    /// A lane for what leaves as requests; log records are encoded where they are made.
    fn requests(&mut self, signal: Signal, sink: Sink) -> Arc<Lane> {
        let encoded = matches!(signal, Signal::Logs);
        self.start(self.config.batching(signal), sink, encoded)
    }

    /// The one writer of a file, which must know what was written to it last.
    fn file(&mut self, path: &Path) -> Arc<Mutex<JsonLines>> {
        let mut files = self.files.iter();
        if let Some((_, file)) = files.find(|(known, _)| known == path) {
            return Arc::clone(file);
        }
        let file = Arc::new(Mutex::new(JsonLines::new(path.to_owned())));
        self.files.push((path.to_owned(), Arc::clone(&file)));
        file
    }

    fn terminal(&mut self, terminal: Terminal) -> Arc<Lane> {
        let mut terminals = self.terminal.iter();
        if let Some((lane, _)) = terminals.find(|(_, known)| *known == terminal) {
            return Arc::clone(lane);
        }
        let sink = match terminal {
            Terminal::Console => Sink::Console(Console::new(self.config.identity.service.clone())),
            Terminal::Pretty => {
                let color = self.config.color && std::io::stdout().is_terminal();
                Sink::Pretty(Pretty::new(color))
            }
        };
        let lane = self.start(Batching::terminal(), sink, false);
        self.terminal.push((Arc::clone(&lane), terminal));
        lane
    }

    fn start(&mut self, batching: Batching, sink: Sink, encoded: bool) -> Arc<Lane> {
        let lane = Arc::new(Lane::new(Arc::clone(self.counters), batching, encoded));
        self.running.push((Arc::clone(&lane), sink));
        lane
    }
}
