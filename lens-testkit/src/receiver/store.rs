//! What was received, and who waits for it.

use std::sync::Arc;
use std::task::Waker;
use std::time::Instant;

use super::Attempt;
use super::script::Script;
use crate::model::{LogData, Point, Snapshot, SpanData};
use crate::query::Live;
use crate::watched::Watched;

/// What was received.
#[derive(Debug, Default)]
pub(super) struct Store(pub(super) Watched<State>);

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) script: Script,
    /// How many bytes a request may have.
    pub(super) most: Option<usize>,
    pub(super) logs: Vec<Arc<LogData>>,
    pub(super) spans: Vec<Arc<SpanData>>,
    pub(super) points: Vec<Arc<Point>>,
    pub(super) attempts: Vec<Attempt>,
    pub(super) connections: usize,
    /// Whether connections are accepted.
    pub(super) listening: bool,
}

impl Live for Store {
    fn snapshot(&self) -> (Arc<Snapshot>, u64) {
        let (items, version) = self.0.look(|state| {
            (
                state.logs.clone(),
                state.spans.clone(),
                state.points.clone(),
            )
        });
        let (mut logs, mut spans, points) = items;
        // A request groups its items by scope, so the order sent says little.
        logs.sort_by_key(|log| log.time);
        spans.sort_by_key(|span| span.start);
        let snapshot = Snapshot {
            title: "the receiver".to_owned(),
            logs,
            spans,
            points,
            ..Snapshot::default()
        };
        (Arc::new(snapshot), version)
    }

    fn register(&self, waker: &Waker) {
        self.0.register(waker);
    }

    fn wait(&self, seen: u64, deadline: Instant) {
        self.0.wait(seen, deadline);
    }

    fn touch(&self) {
        self.0.change(|_| ());
    }
}
