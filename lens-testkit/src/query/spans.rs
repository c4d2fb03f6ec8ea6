//! Questions about spans.

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::time::Duration;

use super::search::{Live, PATIENCE, Search};
use crate::matchers::{SpanMatch, TextMatch, ValueMatch};
use crate::model::{Snapshot, Span, SpanData, Status, find};

/// Some of the captured spans: narrowed by each method, counted by the last one.
///
/// Spans that have not ended are left out, unless [asked for](Self::including_open).
///
/// ```
/// use lens_testkit::Capture;
///
/// let cap = Capture::new();
/// cap.in_scope(|| drop(lens::span!("charge", order.id = 7)));
/// cap.spans().name("charge").one().is_root().has_attr("order.id", 7);
/// ```
#[derive(Clone)]
#[must_use = "a question asserts nothing until it is counted"]
pub struct Spans {
    search: Search<SpanData>,
    including_open: bool,
}

impl Spans {
    pub(crate) fn of(all: Arc<Snapshot>) -> Self {
        Self {
            search: Search::new(all, None, |all| &all.spans),
            including_open: false,
        }
    }

    pub(crate) fn live(live: Arc<dyn Live>) -> Self {
        Self {
            search: Search::new(live.snapshot().0, Some(live), |all| &all.spans),
            including_open: false,
        }
    }

    /// Those that have not ended, too.
    pub fn including_open(mut self) -> Self {
        self.including_open = true;
        self
    }

    /// Those whose name matches.
    pub fn name(self, name: impl Into<TextMatch>) -> Self {
        let name = name.into();
        self.with(format!("name = {name}"), move |span, _| {
            name.check("name", &span.name)
        })
    }

    /// Those of that kind: `internal`, `server`, `client`, `producer` or `consumer`.
    pub fn kind(self, kind: &str) -> Self {
        let kind = kind.to_owned();
        self.with(format!("kind = {kind}"), move |span, _| {
            if span.kind == kind {
                return Ok(());
            }
            Err(format!("kind: expected {kind}, found {}", span.kind))
        })
    }

    /// Those with an attribute that matches, by value and type.
    pub fn attr(self, key: &str, value: impl Into<ValueMatch>) -> Self {
        let (key, value) = (key.to_owned(), value.into());
        self.with(format!("attr {key} = {value}"), move |span, _| {
            value.check(&key, find(&span.attributes, &key))
        })
    }

    /// Those that are the root of their trace.
    pub fn root(self) -> Self {
        self.with("root".to_owned(), |span, _| match span.parent {
            None => Ok(()),
            Some(_) => Err("expected a root, found a span with a parent".to_owned()),
        })
    }

    /// Those directly below a span.
    pub fn child_of(self, parent: impl Into<SpanMatch>) -> Self {
        let parent = parent.into();
        self.with(format!("child of {parent}"), move |span, all| {
            let Some(id) = span.parent else {
                return Err(format!("parent: expected {parent}, found none"));
            };
            let found = all.span(id);
            let name = found.map_or("", |span| span.name.as_str());
            if parent.matches(id, name) {
                return Ok(());
            }
            Err(format!("parent: expected {parent}, found {name:?}"))
        })
    }

    /// Those in the trace of `span`.
    pub fn in_trace(self, span: &Span) -> Self {
        let (trace_id, name) = (span.trace_id(), span.name().to_owned());
        self.with(format!("in the trace of {name:?}"), move |span, _| {
            if span.trace_id == trace_id {
                return Ok(());
            }
            Err(format!("trace: expected that of {name:?}, found another"))
        })
    }

    /// Those whose status is an error with such a description.
    pub fn error(self, description: impl Into<TextMatch>) -> Self {
        let description = description.into();
        self.with(format!("error {description}"), move |span, _| {
            match &span.status {
                Status::Error(found) => description.check("error", found),
                _ => Err(format!("status: expected error {description}, found none")),
            }
        })
    }

    /// Those for which `f` is true; `why` says so in a failure.
    pub fn filter(self, why: &str, f: impl Fn(&Span) -> bool + Send + Sync + 'static) -> Self {
        let why = why.to_owned();
        self.with(why.clone(), move |span, all| {
            let span = Span {
                data: Arc::clone(span),
                all: Arc::clone(all),
            };
            if f(&span) {
                Ok(())
            } else {
                Err(format!("not {why}"))
            }
        })
    }

    /// Lets [`none`](Self::none) pass also when nothing was captured at all.
    pub fn allow_empty(mut self) -> Self {
        self.search.allow_empty = true;
        self
    }

    /// Waits until one has ended, for ten seconds at most.
    pub async fn wait(self) -> Self {
        self.wait_for(1).await
    }

    /// Waits until so many have ended, for ten seconds at most by
    /// the wall clock, also where a runtime's time is paused.
    pub async fn wait_for(self, count: usize) -> Self {
        let including_open = self.including_open;
        let search = self.closed().wait(count, PATIENCE).await;
        Self {
            search,
            including_open,
        }
    }

    /// Waits on this thread until so many have ended, for `patience` at most.
    pub fn wait_blocking(self, count: usize, patience: Duration) -> Self {
        let including_open = self.including_open;
        let search = self.closed().wait_blocking(count, patience);
        Self {
            search,
            including_open,
        }
    }

    /// Returns the only one.
    ///
    /// # Panics
    ///
    /// When there is none, or more than one.
    #[track_caller]
    pub fn one(self) -> Span {
        let mut found = self.exactly(1);
        found.remove(0)
    }

    /// Returns the first one to start.
    ///
    /// # Panics
    ///
    /// When there is none.
    #[track_caller]
    pub fn first(self) -> Span {
        let mut found = self.at_least_n(1);
        found.remove(0)
    }

    /// Returns the only one, if there is one.
    ///
    /// # Panics
    ///
    /// When there is more than one.
    #[track_caller]
    pub fn maybe_one(self) -> Option<Span> {
        let search = self.closed();
        spans(&search.all, search.at_most(1)).pop()
    }

    /// Asserts that there is none.
    ///
    /// # Panics
    ///
    /// When there is one, or when nothing at all was captured, unless
    /// [allowed](Self::allow_empty).
    #[track_caller]
    pub fn none(self) {
        self.closed().none();
    }

    /// Returns how many there are; asserts nothing.
    #[must_use]
    pub fn count(&self) -> usize {
        self.to_vec().len()
    }

    /// Returns all of them in the order they started; asserts nothing.
    #[must_use]
    pub fn to_vec(&self) -> Vec<Span> {
        let search = self.clone().closed();
        spans(&search.all, search.found())
    }

    /// Asserts how many there are, and returns them.
    ///
    /// # Panics
    ///
    /// When there are more or fewer.
    #[track_caller]
    pub fn exactly(self, count: usize) -> Vec<Span> {
        let search = self.closed();
        spans(&search.all, search.exactly(count))
    }

    /// Asserts how many there are at least, and returns them.
    ///
    /// # Panics
    ///
    /// When there are fewer.
    #[track_caller]
    pub fn at_least_n(self, count: usize) -> Vec<Span> {
        let search = self.closed();
        spans(&search.all, search.at_least(count))
    }

    /// Asserts how many there are at most, and returns them.
    ///
    /// # Panics
    ///
    /// When there are more.
    #[track_caller]
    pub fn at_most(self, count: usize) -> Vec<Span> {
        let search = self.closed();
        spans(&search.all, search.at_most(count))
    }

    fn with(
        mut self,
        shown: String,
        check: impl Fn(&Arc<SpanData>, &Arc<Snapshot>) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.search = self.search.with(shown, check);
        self
    }

    /// The search with open spans left out, unless asked for.
    fn closed(self) -> Search<SpanData> {
        if self.including_open {
            return self.search;
        }
        self.search
            .with("ended".to_owned(), |span, _| match span.end {
                Some(_) => Ok(()),
                None => Err("expected an ended span, found an open one".to_owned()),
            })
    }
}

/// A question is asked anew each time; a panic leaves nothing half done.
impl UnwindSafe for Spans {}
impl RefUnwindSafe for Spans {}

impl std::fmt::Debug for Spans {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.to_vec()).finish()
    }
}

fn spans(all: &Arc<Snapshot>, found: Vec<Arc<SpanData>>) -> Vec<Span> {
    (found.into_iter())
        .map(|data| Span {
            data,
            all: Arc::clone(all),
        })
        .collect()
}
