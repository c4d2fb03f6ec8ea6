//! Empties one lane into its sink, on the worker.
//!
//! In: batches. Out: outcomes, to the counters. What goes over a network is in `delivery.rs`.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::{Either, select};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use super::Lane;
use super::delivery::deliver;
use super::lane::Batch;
use crate::config::{LogSink, SpanSink, Target};
use crate::diag;
use crate::export::{Console, Encoder, Item, JsonLines, Pretty};
use crate::stats::{Counters, Outcome, Signal};
use crate::transport::Client;

/// How often a sink that holds items back is asked again.
const TICK: Duration = Duration::from_millis(250);

/// Where the items of a lane go.
pub(crate) enum Sink {
    Otlp(Signal, Box<Target>, Resource),
    /// All signals may go to one file.
    File(Signal, Arc<Mutex<JsonLines>>, Resource),
    Console(Console),
    Pretty(Pretty),
    /// Exporters of the program's own.
    Logs(Arc<dyn LogSink>),
    Spans(Arc<dyn SpanSink>),
}

/// Runs until `lane` is closed.
pub(super) async fn run(lane: Arc<Lane>, sink: Sink, counters: Arc<Counters>) {
    let _end = End(&lane);
    match sink {
        Sink::Otlp(signal, target, resource) => {
            let client = Client::new(signal, *target);
            deliver(&lane, client, &counters, &Encoder::new(&resource)).await;
        }
        Sink::File(signal, file, resource) => {
            let encoder = Encoder::new(&resource);
            while let Some(batch) = lane.next(None).await {
                let ticket = batch.ticket;
                let request = encoder.encode(signal, batch.items);
                let outcome = written(&file, signal, &request);
                counters.settled(signal, &outcome, ticket.units.count);
                lane.settle(ticket);
                tokio::task::yield_now().await;
            }
        }
        Sink::Console(mut console) => {
            while let Some(batch) = lane.next(None).await {
                let written = console.write(&batch.items);
                settle(&lane, &counters, &batch, written);
                // No await above ever waits here, and the other lanes live on the same thread.
                tokio::task::yield_now().await;
            }
        }
        Sink::Pretty(mut pretty) => {
            while let Some(batch) = lane.next(pretty.is_holding().then_some(TICK)).await {
                let written = pretty.write(&batch.items, false);
                settle(&lane, &counters, &batch, written);
                // No await above ever waits here, and the other lanes live on the same thread.
                tokio::task::yield_now().await;
            }
            pretty.write(&[], true);
        }
        Sink::Logs(exporter) => {
            let ends = Arc::clone(&exporter);
            let export = move |items: Vec<Item>, runtime: &Handle| {
                let records: Vec<_> = (items.iter())
                    .filter_map(|item| match item {
                        Item::Log(log) => Some((&log.record, &log.scope)),
                        _ => None,
                    })
                    .collect();
                exporter.export(&records, runtime)
            };
            hand_over(&lane, (Signal::Logs, &counters), Arc::new(export)).await;
            end_own(&lane, move |timeout| ends.shutdown(timeout)).await;
        }
        Sink::Spans(exporter) => {
            let ends = Arc::clone(&exporter);
            let export = move |items: Vec<Item>, runtime: &Handle| {
                let spans = items.into_iter().filter_map(|item| match item {
                    Item::Span(span) => Some(*span),
                    _ => None,
                });
                exporter.export(spans.collect(), runtime)
            };
            hand_over(&lane, (Signal::Traces, &counters), Arc::new(export)).await;
            end_own(&lane, move |timeout| ends.shutdown(timeout)).await;
        }
    }
}

/// An exporter of the program's own, at work on some items.
type Export = dyn Fn(Vec<Item>, &Handle) -> OTelSdkResult + Send + Sync;

/// Hands batches to an exporter of the program's own, where it may block and panic.
async fn hand_over(lane: &Lane, (signal, counters): (Signal, &Counters), export: Arc<Export>) {
    let items = signal.items();
    let key = format!("own exporter {items}");
    while let Some(batch) = lane.next(None).await {
        let (ticket, export) = (batch.ticket, Arc::clone(&export));
        let mut task = spawn_blocking(move || export(batch.items, &Handle::current()));
        let outcome = match select(&mut task, pin!(lane.out_of_time_for_one())).await {
            Either::Left((Ok(Ok(())), _)) => Ok(Outcome::Exported { rejected: 0 }),
            Either::Left((Ok(Err(error)), _)) => Err((Outcome::Failed, error.to_string())),
            Either::Left((Err(_), _)) => Err((Outcome::Failed, "it panicked".to_owned())),
            Either::Right(_) => Err((Outcome::Unknown, "it did not end in time".to_owned())),
        };
        let outcome = match outcome {
            Ok(outcome) => {
                diag::recovered(&key, format_args!("{items} are exported again"));
                outcome
            }
            Err((outcome, fault)) => {
                let whose = "in the program's own exporter";
                diag::fault(
                    &key,
                    format_args!("export of {items} fails {whose}: {fault}"),
                );
                outcome
            }
        };
        let is_late = matches!(outcome, Outcome::Unknown);
        counters.settled(signal, &outcome, ticket.units.count);
        lane.settle(ticket);
        if is_late {
            // It is never called again before it has returned.
            select(task, pin!(lane.out_of_time())).await;
        }
    }
}

/// Shuts an exporter of the program's own down, in the time that is left.
async fn end_own(lane: &Lane, end: impl FnOnce(Duration) -> OTelSdkResult + Send + 'static) {
    let left = lane.time_left();
    let task = spawn_blocking(move || end(left));
    select(task, pin!(lane.out_of_time())).await;
}

/// Appends a request, and tells when that begins and ceases to fail.
fn written(file: &Mutex<JsonLines>, signal: Signal, request: &[u8]) -> Outcome {
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    let (items, shown) = (signal.items(), file.shown());
    let key = format!("write {items} {shown}");
    match file.write(signal, request) {
        Ok(()) => {
            diag::recovered(&key, format_args!("{items} are written to {shown} again"));
            Outcome::Exported { rejected: 0 }
        }
        Err(error) => {
            diag::fault(
                &key,
                format_args!("export of {items} fails: cannot write to {shown}: {error}"),
            );
            Outcome::Failed
        }
    }
}

/// Ends the lane however its sender ends, so that nobody waits for it.
struct End<'a>(&'a Lane);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

fn settle(lane: &Lane, counters: &Counters, batch: &Batch, written: bool) {
    let outcome = if written {
        Outcome::Exported { rejected: 0 }
    } else {
        Outcome::Failed
    };
    for item in &batch.items {
        if let Some(signal) = item.signal() {
            counters.settled(signal, &outcome, item.count());
        }
    }
    lane.settle(batch.ticket);
}
