//! The end of everything: open spans, queues, worker, under one deadline.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use opentelemetry::KeyValue;
use opentelemetry::trace::TraceContextExt;
use opentelemetry_sdk::trace::SpanData;

use super::{Meters, Providers};
use crate::export::Item;
use crate::open_spans::OpenSpans;
use crate::os;
use crate::pipeline::{Lane, LastWords, Stop};
use crate::semconv::nemo;
use crate::stats::{Counters, Report, Stats, deadline};

impl Providers {
    /// Has what is queued exported within `timeout`.
    pub(crate) fn flush(&self, timeout: Duration) -> Report {
        let (began, deadline) = (Instant::now(), deadline(timeout));
        let collect = || self.meters.as_ref().and_then(Meters::collect);
        let done = match &self.worker {
            _ if self.is_stranded() => true,
            Some(worker) => {
                let collected = collect().is_none_or(|collect| worker.collect(collect, deadline));
                worker.flush(deadline) && collected
            }
            None => true,
        };
        self.report(began, done)
    }

    /// Ends open spans, runs `last_words`, exports everything and stops, within `timeout`.
    pub(crate) fn stop(&self, timeout: Duration, last_words: LastWords) -> Report {
        let began = Instant::now();
        let (open, counters) = (Arc::clone(&self.open), Arc::clone(&self.counters));
        let (lanes, traces) = (self.spans.clone(), self.traces.clone());
        // On the worker: in `atexit` this thread's locals, which the SDK uses, are gone.
        let last_words: LastWords = Box::new(move || {
            last_words();
            end_open_spans(&open, &lanes, &counters);
            // From here on the program's tracers make no more spans.
            let _ = traces.map(|traces| traces.shutdown());
        });
        let done = match &self.worker {
            _ if self.is_stranded() => true,
            Some(worker) => worker.stop(Stop {
                deadline: deadline(timeout),
                last_words,
                collect: self.meters.as_ref().and_then(Meters::end),
                collecting: self.meters.as_ref().map(Meters::lanes).unwrap_or_default(),
            }),
            None => {
                last_words();
                true
            }
        };
        self.report(began, done)
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

/// Ends what is open and marks it, so that it is exported and not taken for complete.
fn end_open_spans(open: &OpenSpans, lanes: &[Arc<Lane>], counters: &Counters) {
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
                let data = cut_off(span.data);
                for lane in lanes {
                    lane.push(Item::Span(Box::new(data.clone())));
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
