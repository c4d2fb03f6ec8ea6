//! A span, and what can be asked and asserted of it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use lens::__private::{SpanLine, SpanStatus, Style};
use lens::opentelemetry::{SpanId, TraceId};

use super::record::{find, rendered};
use super::{Snapshot, Value};
use crate::matchers::{TextMatch, ValueMatch};
use crate::query::{Item, Logs, Spans, broken};

/// The plain data of a span.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SpanData {
    /// The position among all spans and records of the capture, when it started.
    pub(crate) sequence: u64,
    pub(crate) resource: Arc<BTreeMap<String, Value>>,
    pub(crate) scope: String,
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) trace_id: TraceId,
    pub(crate) span_id: SpanId,
    pub(crate) parent: Option<SpanId>,
    pub(crate) is_parent_remote: bool,
    /// Nanoseconds since 1970.
    pub(crate) start: u64,
    /// `None` while it is open.
    pub(crate) end: Option<u64>,
    pub(crate) status: Status,
    pub(crate) attributes: Vec<(String, Value)>,
    pub(crate) dropped_attributes: u32,
    pub(crate) events: Vec<Event>,
    pub(crate) links: Vec<Link>,
    /// The thread it was started on; empty where it came over the wire.
    pub(crate) thread: String,
}

/// How a span ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// Nobody said.
    #[default]
    Unset,
    /// Well, explicitly.
    Ok,
    /// Badly, and why.
    Error(String),
}

/// Something that happened in a span.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// The event's name.
    pub name: String,
    /// Nanoseconds since 1970.
    pub time: u64,
    /// The event's attributes.
    pub attributes: Vec<(String, Value)>,
}

/// A reference to another span.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// The other span's trace.
    pub trace_id: TraceId,
    /// The other span.
    pub span_id: SpanId,
}

/// A span that was captured or received.
///
/// The `has_…` and `is_…` assertions return the span for the next one; a failure prints the
/// span and everything that was captured.
#[derive(Clone)]
pub struct Span {
    pub(crate) data: Arc<SpanData>,
    pub(crate) all: Arc<Snapshot>,
}

impl Item for SpanData {
    const NAME: &'static str = "span";

    fn line(&self) -> String {
        Style::default().span(SpanLine {
            name: &self.name,
            kind: self.kind,
            status: match &self.status {
                Status::Unset => SpanStatus::Unset,
                Status::Ok => SpanStatus::Ok,
                Status::Error(description) => SpanStatus::Error(description),
            },
            took: None,
            open: self.end.is_none(),
            attributes: rendered(&self.attributes),
            dropped: self.dropped_attributes,
        })
    }

    fn sequence(&self) -> u64 {
        self.sequence
    }
}

impl Span {
    pub(crate) fn find(all: &Arc<Snapshot>, id: SpanId) -> Option<Span> {
        let data = all.span(id)?;
        Some(Span {
            data: Arc::clone(data),
            all: Arc::clone(all),
        })
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.data.name
    }

    /// Returns the kind: `internal`, `server`, `client`, `producer` or `consumer`.
    #[must_use]
    pub fn kind(&self) -> &str {
        self.data.kind
    }

    /// Returns the name of the scope: the crate whose instrumentation it is.
    #[must_use]
    pub fn scope(&self) -> &str {
        &self.data.scope
    }

    /// Returns the id of the trace.
    #[must_use]
    pub fn trace_id(&self) -> TraceId {
        self.data.trace_id
    }

    /// Returns the id of the span.
    #[must_use]
    pub fn span_id(&self) -> SpanId {
        self.data.span_id
    }

    /// Returns the id of the parent; `None` for a root.
    #[must_use]
    pub fn parent_id(&self) -> Option<SpanId> {
        self.data.parent
    }

    /// Returns the parent, if that was captured too.
    #[must_use]
    pub fn parent(&self) -> Option<Span> {
        Span::find(&self.all, self.data.parent?)
    }

    /// Returns the status.
    #[must_use]
    pub fn status(&self) -> &Status {
        &self.data.status
    }

    /// Returns the description of an error status.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        match &self.data.status {
            Status::Error(description) => Some(description),
            Status::Unset | Status::Ok => None,
        }
    }

    /// Returns an attribute.
    #[must_use]
    pub fn attr(&self, key: &str) -> Option<&Value> {
        find(&self.data.attributes, key)
    }

    /// Returns what happened in the span, in the order of time.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.data.events
    }

    /// Returns the links.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.data.links
    }

    /// Returns the sender's attribute.
    #[must_use]
    pub fn resource(&self, key: &str) -> Option<&Value> {
        self.data.resource.get(key)
    }

    /// Whether the span has not ended.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.data.end.is_none()
    }

    /// Returns when the span started and ended, in nanoseconds since 1970.
    #[must_use]
    pub fn times(&self) -> (u64, Option<u64>) {
        (self.data.start, self.data.end)
    }

    /// Returns how long the span took; nothing for an open one.
    #[must_use]
    pub fn duration(&self) -> Duration {
        let end = self.data.end.unwrap_or(self.data.start);
        Duration::from_nanos(end.saturating_sub(self.data.start))
    }

    /// Returns the records made directly in this span.
    pub fn logs(&self) -> Logs {
        Logs::of(Arc::clone(&self.all)).in_span(self)
    }

    /// Returns the spans directly below this one.
    pub fn children(&self) -> Spans {
        Spans::of(Arc::clone(&self.all)).child_of(self)
    }

    /// Returns the one child of that name.
    ///
    /// # Panics
    ///
    /// When there is none, or more than one.
    #[track_caller]
    pub fn child(&self, name: impl Into<TextMatch>) -> Span {
        self.children().name(name).one()
    }

    /// Asserts an attribute, by value and type.
    ///
    /// # Panics
    ///
    /// When it is missing or does not match.
    #[track_caller]
    pub fn has_attr(&self, key: &str, value: impl Into<ValueMatch>) -> &Self {
        if let Err(why) = value.into().check(key, self.attr(key)) {
            self.fail(&why);
        }
        self
    }

    /// Asserts that the status is an error with such a description.
    ///
    /// # Panics
    ///
    /// When it is not.
    #[track_caller]
    pub fn has_error(&self, description: impl Into<TextMatch>) -> &Self {
        match &self.data.status {
            Status::Error(found) => {
                if let Err(why) = description.into().check("error", found) {
                    self.fail(&why);
                }
            }
            other => self.fail(&format!("status: expected an error, found {other:?}")),
        }
        self
    }

    /// Asserts that the status is no error.
    ///
    /// # Panics
    ///
    /// When it is one.
    #[track_caller]
    pub fn has_no_error(&self) -> &Self {
        if let Status::Error(description) = &self.data.status {
            self.fail(&format!("status: expected no error, found {description:?}"));
        }
        self
    }

    /// Asserts that the span is directly below `parent`.
    ///
    /// # Panics
    ///
    /// When it is not.
    #[track_caller]
    pub fn has_parent(&self, parent: &Span) -> &Self {
        let is_parent = self.parent_id() == Some(parent.span_id());
        if !is_parent || self.trace_id() != parent.trace_id() {
            let found = match (self.parent_id(), self.parent()) {
                (None, _) => "no parent".to_owned(),
                (_, Some(found)) => format!("{:?}", found.name()),
                (Some(_), None) => "a span that was not captured".to_owned(),
            };
            self.fail(&format!(
                "parent: expected {:?}, found {found}",
                parent.name()
            ));
        }
        self
    }

    /// Asserts that the span is directly below one of another process, by the
    /// [`traceparent`](https://www.w3.org/TR/trace-context/#traceparent-header) that this sent.
    ///
    /// # Panics
    ///
    /// When it is not.
    #[track_caller]
    pub fn has_remote_parent(&self, traceparent: &str) -> &Self {
        let found = match self.data.parent {
            Some(parent) if self.data.is_parent_remote => {
                format!("{}-{parent}", self.data.trace_id)
            }
            Some(_) => "a parent of its own process".to_owned(),
            None => "no parent".to_owned(),
        };
        let ids = traceparent.splitn(4, '-').skip(1).take(2);
        let expected = ids.collect::<Vec<_>>().join("-");
        if found != expected {
            self.fail(&format!(
                "parent: expected {expected} of another process, found {found}"
            ));
        }
        self
    }

    /// Asserts that the span links to `other`.
    ///
    /// # Panics
    ///
    /// When it does not.
    #[track_caller]
    pub fn has_link(&self, other: &Span) -> &Self {
        let ids = (other.trace_id(), other.span_id());
        let mut links = self.links().iter();
        if !links.any(|link| (link.trace_id, link.span_id) == ids) {
            let count = self.links().len();
            self.fail(&format!(
                "expected a link to {:?}, found none among {count}",
                other.name()
            ));
        }
        self
    }

    /// Asserts that the span is the root of its trace.
    ///
    /// # Panics
    ///
    /// When it has a parent.
    #[track_caller]
    pub fn is_root(&self) -> &Self {
        if self.parent_id().is_some() {
            self.fail("expected a root, found a span with a parent");
        }
        self
    }

    #[track_caller]
    fn fail(&self, why: &str) -> ! {
        broken(&*self.data, why, &self.all)
    }
}

/// One line, as in a tree.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.data.line())
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.data.fmt(f)
    }
}

impl PartialEq for Span {
    fn eq(&self, other: &Self) -> bool {
        self.data == other.data
    }
}
