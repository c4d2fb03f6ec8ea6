//! Empties one lane into its sink, on the worker.
//!
//! In: batches. Out: outcomes, to the counters. What goes over a network is in `delivery.rs`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use opentelemetry_sdk::Resource;

use super::Lane;
use super::delivery::deliver;
use super::lane::Batch;
use crate::config::Target;
use crate::diag;
use crate::export::{Console, Item, JsonLines, Pretty, encode};
use crate::stats::{Counters, Outcome, Signal};
use crate::transport::Client;

/// How often a sink that holds items back is asked again.
const TICK: Duration = Duration::from_millis(250);

/// Where the items of a lane go.
pub(crate) enum Sink {
    Otlp(Signal, Box<Target>, Resource),
    /// Both signals may go to one file.
    File(Signal, Arc<Mutex<JsonLines>>, Resource),
    Console(Console),
    Pretty(Pretty),
}

/// Runs until `lane` is closed.
pub(super) async fn run(lane: Arc<Lane>, sink: Sink, counters: Arc<Counters>) {
    let _end = End(&lane);
    match sink {
        Sink::Otlp(signal, target, resource) => {
            let client = Client::new(signal, *target);
            deliver(&lane, client, &counters, &resource).await;
        }
        Sink::File(signal, file, resource) => {
            while let Some(batch) = lane.next(None).await {
                let ticket = batch.ticket;
                let request = encode(signal, batch.items, &resource);
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
    }
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
    for signal in batch.items.iter().filter_map(Item::signal) {
        counters.settled(signal, &outcome, 1);
    }
    lane.settle(batch.ticket);
}
