//! The end of everything: open spans, queues, worker, under one deadline.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime};

use opentelemetry::KeyValue;
use opentelemetry::trace::TraceContextExt;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData};

use super::processors::QueueSpans;
use super::{Meters, Providers};
use crate::open_spans::OpenSpans;
use crate::os;
use crate::pipeline::{Errand, Stop, Worker};
use crate::semconv::nemo;
use crate::stats::{Counters, Report, Stats, deadline};

impl Providers {
    /// Has what is queued exported within `timeout`.
    pub(crate) fn flush(&self, timeout: Duration) -> Report {
        let (began, deadline) = (Instant::now(), deadline(timeout));
        let done = match &self.worker {
            Some(worker) if !self.is_stranded() => {
                // What code of the program's has, first: it may emit, and may not come back.
                worker.ask_flush();
                let flushed = self.flush_own(worker, deadline);
                worker.flush(deadline) && flushed
            }
            _ => true,
        };
        self.report(began, done)
    }

    /// Flushes what runs code of the program's, its processors and what measures; `false` when it
    /// did not end in time. One that never does is not asked again.
    fn flush_own(&self, worker: &Worker, deadline: Instant) -> bool {
        let meters = self.meters.as_ref();
        let collect = meters.and_then(|meters| meters.collect(Some(deadline)));
        let logs = self.logs.clone().filter(|_| self.has_own_processors);
        let traces = self.traces.clone().filter(|_| self.has_own_processors);
        if collect.is_none() && logs.is_none() && traces.is_none() {
            return true;
        }
        let is_flushing = Arc::clone(&self.is_flushing);
        if is_flushing.swap(true, Relaxed) {
            return false;
        }
        let errand = Box::new(move || {
            let _over = Over(is_flushing);
            // What fails has told so itself, or is the program's own affair.
            let _ = logs.map(|logs| logs.force_flush());
            let _ = traces.map(|traces| traces.force_flush());
            collect.into_iter().for_each(|collect| collect());
        });
        worker.run(errand, deadline)
    }

    /// Ends open spans, runs `last_words`, exports everything and stops, within `timeout`.
    pub(crate) fn stop(&self, timeout: Duration, last_words: Errand) -> Report {
        let (began, deadline) = (Instant::now(), deadline(timeout));
        let (open, counters) = (Arc::clone(&self.open), Arc::clone(&self.counters));
        let Some(worker) = self.worker.as_ref().filter(|_| !self.is_stranded()) else {
            if self.worker.is_none() {
                // Nothing of the program's own is here, and nothing to wait for.
                last_words();
                end_open_spans(&open, None, &counters);
                let _ = self.traces.as_ref().map(SdkTracerProvider::shutdown);
            }
            return self.report(began, true);
        };
        let queue = self.queue.clone();
        let done = worker.stop(Stop {
            deadline,
            // On the worker's side: in `atexit` this thread's locals, which the SDK uses, are gone.
            last_words: Box::new(move || {
                last_words();
                end_open_spans(&open, queue.as_ref(), &counters);
            }),
            collect: (self.meters.as_ref()).and_then(|meters| meters.end(deadline)),
            collecting: self.meters.as_ref().map(Meters::lanes).unwrap_or_default(),
            endings: self.endings(deadline),
        });
        self.report(began, done)
    }

    /// From here on the program's tracers make no more spans, and its processors end.
    fn endings(&self, deadline: Instant) -> Vec<Errand> {
        let left = move || deadline.saturating_duration_since(Instant::now());
        let mut endings: Vec<Errand> = Vec::new();
        if let Some(traces) = self.traces.clone() {
            endings.push(Box::new(move || _ = traces.shutdown_with_timeout(left())));
        }
        if let Some(logs) = self.logs.clone().filter(|_| self.has_own_processors) {
            endings.push(Box::new(move || _ = logs.shutdown_with_timeout(left())));
        }
        endings
    }

    /// In a forked child the worker is missing; nobody waits for it.
    fn is_stranded(&self) -> bool {
        os::is_forked_child()
    }

    /// The accounting so far.
    pub(crate) fn stats(&self) -> Stats {
        if let Some(lane) = &self.direct {
            lane.count();
        }
        self.counters.snapshot()
    }

    fn report(&self, began: Instant, done: bool) -> Report {
        Report {
            stats: self.stats(),
            elapsed: began.elapsed(),
            timed_out: !done,
        }
    }
}

/// Something is over, however it ended.
struct Over(Arc<AtomicBool>);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.store(false, Relaxed);
    }
}

/// Ends what is open and marks it, so that it is exported and not taken for complete.
fn end_open_spans(open: &OpenSpans, queue: Option<&QueueSpans>, counters: &Counters) {
    let spans = open.take_all();
    let count = spans.len() as u64;
    for span in spans {
        match span.context {
            Some(context) => {
                context.span().set_attribute(truncated());
                context.span().end();
            }
            // A span of somebody else cannot be reached: exported as it was at its start.
            None => {
                if let Some(queue) = queue {
                    queue.push(cut_off(span.data));
                }
            }
        }
    }
    counters.truncated(count);
}

fn truncated() -> KeyValue {
    KeyValue::new(nemo::SPAN_TRUNCATED, true)
}

fn cut_off(mut span: SpanData) -> SpanData {
    span.attributes.push(truncated());
    span.end_time = SystemTime::now();
    span
}
