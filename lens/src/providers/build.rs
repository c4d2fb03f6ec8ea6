//! Settings to running providers: one lane per receiver, one worker, two providers.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use opentelemetry_sdk::Resource;
use opentelemetry_sdk::logs::SdkLoggerProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;

use super::processors::{QueueLogs, QueueSpans};
use crate::config::{Batching, Config, Route};
use crate::export::{Console, JsonLines, Pretty};
use crate::open_spans::OpenSpans;
use crate::pipeline::{Lane, Sink, Tick, Worker};
use crate::resource::resource;
use crate::stats::{Counters, Signal};

/// What runs.
#[derive(Debug)]
pub(crate) struct Providers {
    pub(crate) logs: Option<SdkLoggerProvider>,
    pub(crate) traces: Option<SdkTracerProvider>,
    /// Where the bridge leaves log records without the SDK, if it can.
    pub(crate) direct: Option<Arc<Lane>>,
    pub(crate) open: Arc<OpenSpans>,
    pub(crate) counters: Arc<Counters>,
    pub(super) worker: Option<Worker>,
    /// Where spans go that have no other way to be ended.
    pub(super) spans: Option<Arc<Lane>>,
}

impl Providers {
    /// Builds what the settings ask for and starts exporting.
    pub(crate) fn build(config: &Config, tick: Option<Tick>) -> Self {
        let resource = resource(config);
        let open = Arc::new(OpenSpans::default());
        let counters = Arc::new(Counters::default());
        let mut lanes = Lanes {
            config,
            resource: &resource,
            counters: &counters,
            running: Vec::new(),
            terminal: None,
            files: Vec::new(),
        };
        let logs = config
            .logs
            .as_ref()
            .and_then(|route| lanes.lane(Signal::Logs, route));
        let traces = config
            .traces
            .as_ref()
            .and_then(|route| lanes.lane(Signal::Traces, route));
        let running = lanes.running;
        let worker = if running.is_empty() {
            None
        } else {
            Worker::start(running, Arc::clone(&counters), tick)
        };
        // Without a worker nothing would ever empty a lane.
        let (logs, traces) = worker.as_ref().map_or((None, None), |_| (logs, traces));
        // Spans that go nowhere still give the log records their ids.
        let traced = config.traces.is_some() && (traces.is_some() || logs.is_some());
        Self {
            direct: logs.clone().filter(|lane| lane.takes_encoded()),
            logs: logs.map(|lane| {
                SdkLoggerProvider::builder()
                    .with_resource(resource.clone())
                    .with_log_processor(QueueLogs(lane))
                    .build()
            }),
            traces: traced.then(|| {
                let processor = QueueSpans {
                    lane: traces.clone(),
                    announces: matches!(config.traces, Some(Route::Pretty)),
                    open: Arc::clone(&open),
                    redact: config.redact.clone(),
                };
                SdkTracerProvider::builder()
                    .with_resource(resource.clone())
                    .with_span_processor(processor)
                    .build()
            }),
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
            direct: None,
            open,
            counters: Arc::default(),
            worker: None,
            spans: None,
        }
    }

    /// Whether anything leaves this process or is written by it.
    pub(crate) fn is_exporting(&self) -> bool {
        self.worker.is_some()
    }
}

struct Lanes<'a> {
    config: &'a Config,
    resource: &'a Resource,
    counters: &'a Arc<Counters>,
    running: Vec<(Arc<Lane>, Sink)>,
    /// Signals that go to the same terminal share a lane, so that lines keep their order.
    terminal: Option<(Arc<Lane>, Terminal)>,
    files: Vec<(PathBuf, Arc<Mutex<JsonLines>>)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Terminal {
    Console,
    Pretty,
}

impl Lanes<'_> {
    fn lane(&mut self, signal: Signal, route: &Route) -> Option<Arc<Lane>> {
        match route {
            Route::Nowhere => None,
            Route::Console => Some(self.terminal(Terminal::Console)),
            Route::Pretty => Some(self.terminal(Terminal::Pretty)),
            Route::Otlp(target) => Some(self.requests(
                signal,
                Sink::Otlp(signal, target.clone(), self.resource.clone()),
            )),
            Route::File(path) => {
                let file = self.file(path);
                Some(self.requests(signal, Sink::File(signal, file, self.resource.clone())))
            }
        }
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
        if let Some((lane, known)) = &self.terminal
            && *known == terminal
        {
            return Arc::clone(lane);
        }
        let sink = match terminal {
            Terminal::Console => Sink::Console(Console::new(self.config.service.clone())),
            Terminal::Pretty => {
                let color = self.config.color && std::io::stdout().is_terminal();
                Sink::Pretty(Pretty::new(color))
            }
        };
        let lane = self.start(Batching::terminal(), sink, false);
        self.terminal = Some((Arc::clone(&lane), terminal));
        lane
    }

    fn start(&mut self, batching: Batching, sink: Sink, encoded: bool) -> Arc<Lane> {
        let lane = Arc::new(Lane::new(Arc::clone(self.counters), batching, encoded));
        self.running.push((Arc::clone(&lane), sink));
        lane
    }
}
