//! Empties one lane into its sink, on the worker.
//!
//! In: batches. Out: outcomes, to the counters. What goes over a network is in `delivery.rs`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use opentelemetry_sdk::Resource;

use super::Lane;
use super::delivery::deliver;
use crate::config::Target;
use crate::diag;
use crate::export::{Console, Item, JsonLines, Pretty, Units, encode};
use crate::stats::{Counters, Outcome, Signal};
use crate::transport::Client;

/// How often a sink that holds items back is asked again.
const TICK: Duration = Duration::from_millis(250);

/// Where the items of a lane go.
pub(crate) enum Sink {
    Otlp(Signal, Box<Target>, Resource),
    File(Signal, PathBuf, Resource),
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
        Sink::File(signal, path, resource) => {
            let mut file = JsonLines::new(path);
            while let Some(batch) = lane.next(None).await {
                let units = Units::of(&batch);
                let request = encode(signal, batch, &resource);
                let outcome = written(&mut file, signal, &request);
                counters.settled(signal, &outcome, units.count);
                lane.settle(&units);
                tokio::task::yield_now().await;
            }
        }
        Sink::Console(mut console) => {
            while let Some(batch) = lane.next(None).await {
                let written = console.write(&batch);
                settle(&lane, &counters, &batch, written);
                // No await above ever waits here, and the other lanes live on the same thread.
                tokio::task::yield_now().await;
            }
        }
        Sink::Pretty(mut pretty) => {
            while let Some(batch) = lane.next(pretty.is_holding().then_some(TICK)).await {
                let written = pretty.write(&batch, false);
                settle(&lane, &counters, &batch, written);
                // No await above ever waits here, and the other lanes live on the same thread.
                tokio::task::yield_now().await;
            }
            pretty.write(&[], true);
        }
    }
}

/// Appends a request, and tells when that begins and ceases to fail.
fn written(file: &mut JsonLines, signal: Signal, request: &[u8]) -> Outcome {
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

fn settle(lane: &Lane, counters: &Counters, batch: &[Item], written: bool) {
    let outcome = if written {
        Outcome::Exported { rejected: 0 }
    } else {
        Outcome::Failed
    };
    for signal in batch.iter().filter_map(Item::signal) {
        counters.settled(signal, &outcome, 1);
    }
    lane.settle(&Units::of(batch));
}
