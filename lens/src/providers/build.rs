//! Settings to running providers: one lane per receiver, one worker, two providers.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
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
use crate::pipeline::{Every, Lane, Sink, Tick, Worker};
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
    pub(super) queue: Option<QueueSpans>,
    /// Processors that are the program's own have to be flushed and ended.
    pub(super) has_own_processors: bool,
    /// They are being flushed.
    pub(super) is_flushing: Arc<AtomicBool>,
}

impl Providers {
    /// Builds what the settings ask for, with what is the program's `own`, and starts exporting.
    pub(crate) fn build(
        config: &Config,
        resource: &Resource,
        own: Own,
        tick: Option<Tick>,
    ) -> Self {
        let (mut own, counters) = (own, Arc::new(Counters::default()));
        let mut lanes = Lanes {
            config,
            resource,
            counters: &counters,
            running: Vec::new(),
            terminal: Vec::new(),
            files: Vec::new(),
        };
        let logs = lanes.logs(&mut own);
        let (traces, announced) = lanes.traces(&mut own);
        let metrics = lanes.of(Signal::Metrics);
        let running = lanes.running;
        let (processes_logs, processes_spans, measures) = (
            config.logs.is_some() && !own.log_processors.is_empty(),
            config.traces.is_some() && !own.span_processors.is_empty(),
            config.metrics.is_some() && !own.metric_exporters.is_empty(),
        );
        let has_own = processes_logs || processes_spans || measures;
        let log_processors = std::mem::take(&mut own.log_processors);
        let span_processors = std::mem::take(&mut own.span_processors);
        let meters = (measures || !metrics.is_empty())
            .then(|| Meters::new(metrics, config.collection.clone(), own, resource.clone()));
        let collecting = meters.clone().map(|meters| Every {
            interval: config.collection.interval,
            errand: Box::new(move || meters.collect(None)),
            late: "metrics take longer to be collected than from one collection to the next; an \
                   exporter of the program's own may not return",
        });
        let worker = (has_own || !running.is_empty())
            .then(|| Worker::start(running, Arc::clone(&counters), tick, collecting))
            .flatten();
        // Without a worker nothing would ever empty a lane.
        let served = |lanes: Vec<_>| if worker.is_some() { lanes } else { Vec::new() };
        let (logs, traces) = (served(logs), served(traces));
        let bridges = processes_logs || !logs.is_empty();
        // Spans that go nowhere still give the log records their ids.
        let traced = config.traces.is_some() && (processes_spans || bridges || !traces.is_empty());
        let direct = match &logs[..] {
            [lane] if !processes_logs && lane.takes_encoded() => Some(Arc::clone(lane)),
            _ => None,
        };
        let queue = QueueSpans {
            lanes: traces,
            announced,
            open: Arc::default(),
            redact: config.records.redact.clone(),
            limits: config.span_limits,
        };
        Self {
            direct,
            logs: bridges.then(|| loggers(resource, log_processors, logs)),
            traces: traced.then(|| tracers(config, resource, span_processors, queue.clone())),
            meters: meters.filter(|_| worker.is_some()),
            open: Arc::clone(&queue.open),
            counters,
            worker,
            queue: Some(queue),
            has_own_processors: processes_logs || processes_spans,
            is_flushing: Arc::default(),
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
            queue: None,
            has_own_processors: false,
            is_flushing: Arc::default(),
        }
    }

    /// Whether anything leaves this process or is written by it.
    pub(crate) fn is_exporting(&self) -> bool {
        self.worker.is_some()
    }
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

    /// A lane for each route and for each of the program's own exporters.
    fn logs(&mut self, own: &mut Own) -> Vec<Arc<Lane>> {
        let (mut lanes, signal) = (self.of(Signal::Logs), Signal::Logs);
        for mut exporter in std::mem::take(&mut own.log_exporters) {
            if self.config.logs.is_some() {
                exporter.set_resource(self.resource);
                let sink = Sink::Logs(exporter.into());
                lanes.push(self.start(self.config.batching(signal), sink, false));
            }
        }
        lanes
    }

    /// The same for spans, and the lane where somebody wants to hear of them when they start.
    fn traces(&mut self, own: &mut Own) -> (Vec<Arc<Lane>>, Option<Arc<Lane>>) {
        let (mut lanes, signal) = (self.of(Signal::Traces), Signal::Traces);
        let routes = self.config.routes(signal).unwrap_or_default().iter();
        let mut pretty = lanes
            .iter()
            .zip(routes)
            .filter(|(_, route)| matches!(route, Route::Pretty));
        let announced = pretty.next().map(|(lane, _)| Arc::clone(lane));
        for mut exporter in std::mem::take(&mut own.span_exporters) {
            if self.config.traces.is_some() {
                exporter.set_resource(self.resource);
                let sink = Sink::Spans(exporter.into());
                lanes.push(self.start(self.config.batching(signal), sink, false));
            }
        }
        (lanes, announced)
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
