//! Questions about log records.

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::time::Duration;

use log::Level;

use super::search::{Live, PATIENCE, Search};
use crate::matchers::{SpanMatch, TextMatch, ValueMatch};
use crate::model::{LogData, LogRecord, Snapshot, Span, least_severity};

/// Some of the captured log records: narrowed by each method, counted by the last one.
///
/// ```
/// use lens_testkit::{Capture, Level};
///
/// let cap = Capture::new();
/// cap.in_scope(|| log::warn!(order = 7; "card declined"));
/// cap.logs().level(Level::Warn).body("card declined").one().has_attr("order", 7);
/// ```
#[derive(Clone)]
#[must_use = "a question asserts nothing until it is counted"]
pub struct Logs(Search<LogData>);

impl Logs {
    pub(crate) fn of(all: Arc<Snapshot>) -> Self {
        Self(Search::new(all, None, |all| &all.logs))
    }

    pub(crate) fn live(live: Arc<dyn Live>) -> Self {
        Self(Search::new(live.snapshot().0, Some(live), |all| &all.logs))
    }

    /// Those of that level.
    pub fn level(self, level: Level) -> Self {
        self.with(format!("level = {level}"), move |log, _| {
            if log.level() == Some(level) {
                return Ok(());
            }
            Err(format!(
                "level: expected {level}, found {}",
                log.severity_text
            ))
        })
    }

    /// Those at least that severe.
    pub fn at_least(self, level: Level) -> Self {
        let least = least_severity(level);
        self.with(format!("level >= {level}"), move |log, _| {
            if log.severity >= least {
                return Ok(());
            }
            Err(format!(
                "level: expected at least {level}, found {}",
                log.severity_text
            ))
        })
    }

    /// Those whose target matches.
    pub fn target(self, target: impl Into<TextMatch>) -> Self {
        let target = target.into();
        self.with(format!("target = {target}"), move |log, _| {
            target.check("target", &log.target)
        })
    }

    /// Those whose message matches.
    pub fn body(self, body: impl Into<TextMatch>) -> Self {
        let body = body.into();
        self.with(format!("body = {body}"), move |log, _| {
            body.check("body", &log.body_text())
        })
    }

    /// Those with an attribute that matches, by value and type.
    pub fn attr(self, key: &str, value: impl Into<ValueMatch>) -> Self {
        let (key, value) = (key.to_owned(), value.into());
        self.with(format!("attr {key} = {value}"), move |log, _| {
            value.check(&key, log.attr(&key))
        })
    }

    /// Those without an attribute.
    pub fn no_attr(self, key: &str) -> Self {
        let key = key.to_owned();
        self.with(format!("no attr {key}"), move |log, _| {
            match log.attr(&key) {
                None => Ok(()),
                Some(value) => Err(format!(
                    "{key}: expected no attribute, found {}",
                    value.typed()
                )),
            }
        })
    }

    /// Those made directly in a span: one of that name, or that very one.
    pub fn in_span(self, span: impl Into<SpanMatch>) -> Self {
        let span = span.into();
        self.with(format!("in span {span}"), move |log, all| {
            let Some((_, id)) = log.ids else {
                return Err(format!("span: expected {span}, found no span"));
            };
            let found = all.span(id);
            match found {
                Some(found) if span.matches(id, &found.name) => Ok(()),
                Some(found) => Err(format!("span: expected {span}, found {:?}", found.name)),
                None if span.id() == Some(id) => Ok(()),
                None => Err(format!(
                    "span: expected {span}, found one that was not captured"
                )),
            }
        })
    }

    /// Those made in a span or anywhere below it.
    pub fn under_span(self, span: impl Into<SpanMatch>) -> Self {
        let span = span.into();
        self.with(format!("under span {span}"), move |log, all| {
            let mut id = log.ids.map(|(_, id)| id);
            while let Some(found) = id.and_then(|id| all.span(id)) {
                if span.matches(found.span_id, &found.name) {
                    return Ok(());
                }
                id = found.parent;
            }
            Err(format!("span: expected one below {span}, found none"))
        })
    }

    /// Those made in the trace of `span`.
    pub fn in_trace(self, span: &Span) -> Self {
        let (trace_id, name) = (span.trace_id(), span.name().to_owned());
        self.with(format!("in the trace of {name:?}"), move |log, _| {
            if log.ids.is_some_and(|(found, _)| found == trace_id) {
                return Ok(());
            }
            Err(format!(
                "trace: expected that of {name:?}, found another or none"
            ))
        })
    }

    /// Those made outside of every span.
    pub fn uncorrelated(self) -> Self {
        self.with("outside of every span".to_owned(), |log, _| match log.ids {
            None => Ok(()),
            Some(_) => Err("span: expected none, found one".to_owned()),
        })
    }

    /// Those about an error with such a message.
    pub fn error(self, message: impl Into<TextMatch>) -> Self {
        self.attr("exception.message", message.into())
    }

    /// Those for which `f` is true; `why` says so in a failure.
    pub fn filter(self, why: &str, f: impl Fn(&LogRecord) -> bool + Send + Sync + 'static) -> Self {
        let why = why.to_owned();
        self.with(why.clone(), move |log, all| {
            let record = LogRecord {
                data: Arc::clone(log),
                all: Arc::clone(all),
            };
            if f(&record) {
                Ok(())
            } else {
                Err(format!("not {why}"))
            }
        })
    }

    /// Lets [`none`](Self::none) pass also when nothing was captured at all.
    pub fn allow_empty(mut self) -> Self {
        self.0.allow_empty = true;
        self
    }

    /// Waits until there is one, for ten seconds at most.
    pub async fn wait(self) -> Self {
        self.wait_for(1).await
    }

    /// Waits until there are so many, for ten seconds at most by
    /// the wall clock, also where a runtime's time is paused.
    pub async fn wait_for(self, count: usize) -> Self {
        Self(self.0.wait(count, PATIENCE).await)
    }

    /// Waits on this thread until there are so many, for `patience` at most.
    pub fn wait_blocking(self, count: usize, patience: Duration) -> Self {
        Self(self.0.wait_blocking(count, patience))
    }

    /// Returns the only one.
    ///
    /// # Panics
    ///
    /// When there is none, or more than one.
    #[track_caller]
    pub fn one(self) -> LogRecord {
        let mut found = self.exactly(1);
        found.remove(0)
    }

    /// Returns the first one.
    ///
    /// # Panics
    ///
    /// When there is none.
    #[track_caller]
    pub fn first(self) -> LogRecord {
        let mut found = self.at_least_n(1);
        found.remove(0)
    }

    /// Returns the only one, if there is one.
    ///
    /// # Panics
    ///
    /// When there is more than one.
    #[track_caller]
    pub fn maybe_one(self) -> Option<LogRecord> {
        let found = self.0.at_most(1);
        self.records(found).pop()
    }

    /// Asserts that there is none.
    ///
    /// # Panics
    ///
    /// When there is one, or when nothing at all was captured, unless
    /// [allowed](Self::allow_empty).
    #[track_caller]
    pub fn none(self) {
        self.0.none();
    }

    /// Returns how many there are; asserts nothing.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.found().len()
    }

    /// Returns all of them; asserts nothing.
    #[must_use]
    pub fn to_vec(&self) -> Vec<LogRecord> {
        self.records(self.0.found())
    }

    /// Asserts how many there are, and returns them.
    ///
    /// # Panics
    ///
    /// When there are more or fewer.
    #[track_caller]
    pub fn exactly(self, count: usize) -> Vec<LogRecord> {
        let found = self.0.exactly(count);
        self.records(found)
    }

    /// Asserts how many there are at least, and returns them.
    ///
    /// # Panics
    ///
    /// When there are fewer.
    #[track_caller]
    pub fn at_least_n(self, count: usize) -> Vec<LogRecord> {
        let found = self.0.at_least(count);
        self.records(found)
    }

    /// Asserts how many there are at most, and returns them.
    ///
    /// # Panics
    ///
    /// When there are more.
    #[track_caller]
    pub fn at_most(self, count: usize) -> Vec<LogRecord> {
        let found = self.0.at_most(count);
        self.records(found)
    }

    /// Asserts that these messages are there in this order, others between them or not.
    ///
    /// # Panics
    ///
    /// When one is missing or comes too early.
    #[track_caller]
    pub fn in_order(self, bodies: &[&str]) -> Self {
        let found = self.to_vec();
        let mut rest = found.iter();
        for body in bodies {
            if !rest.any(|log| log.body_str() == *body) {
                let came: Vec<_> = found.iter().map(LogRecord::body_str).collect();
                crate::attribute::fail(&format!(
                    "expected the messages {bodies:?} in this order; {body:?} is missing or came \
                     too early\nfound {came:?}\n\n{}",
                    crate::tree::captured(&self.0.all)
                ));
            }
        }
        self
    }

    fn with(
        self,
        shown: String,
        check: impl Fn(&Arc<LogData>, &Arc<Snapshot>) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        Self(self.0.with(shown, check))
    }

    fn records(&self, found: Vec<Arc<LogData>>) -> Vec<LogRecord> {
        (found.into_iter())
            .map(|data| LogRecord {
                data,
                all: Arc::clone(&self.0.all),
            })
            .collect()
    }
}

/// A question is asked anew each time; a panic leaves nothing half done.
impl UnwindSafe for Logs {}
impl RefUnwindSafe for Logs {}

impl std::fmt::Debug for Logs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.to_vec()).finish()
    }
}
