//! A record on its way out: everything of it that runs the program's code is done.
//!
//! In: a `log::Record` or an event of `tracing`, alive for one call. Out: bytes where lens exports
//! OTLP, an SDK record where somebody else's processors or a terminal take it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::SystemTime;

use opentelemetry::logs::{AnyValue, LogRecord as _};
use opentelemetry::trace::TraceContextExt;
use opentelemetry::{Context, Key};

use super::about::started;
use super::body::Body;
use super::origin::Origin;
use super::own::Own;
use super::site::{self, severity};
use super::value::Attributes;
use crate::encode::{self, LogFields, Scalar, ids, nanos};
use crate::pipeline::{Lane, Scope};
use crate::reentry::{Phase, within};
use crate::span_fields::SpanFields;
use crate::state::Bridge;

/// What was taken of a record, but for its message.
pub(super) struct Taken<'r, R> {
    bridge: &'static Bridge,
    record: &'r R,
    time: SystemTime,
    attributes: Attributes<'r>,
}

impl<'r, R: Origin> Taken<'r, R> {
    /// A record that was made at `time`, and has not been asked.
    #[inline]
    pub(super) fn new(bridge: &'static Bridge, record: &'r R, time: SystemTime) -> Self {
        Self {
            bridge,
            record,
            time,
            attributes: Attributes::new(&bridge.rules.redact, bridge.rules.limits),
        }
    }

    /// Has `ask` put in its key-values.
    #[inline]
    pub(super) fn ask(&mut self, ask: impl FnOnce(&mut Attributes<'r>)) {
        // Each value is on its own guarded; this is for a source that panics between them.
        let _ = catch_unwind(AssertUnwindSafe(|| ask(&mut self.attributes)));
        if !self.bridge.rules.span_fields.is_empty() {
            Context::map_current(|context| {
                if let Some(fields) = SpanFields::of(context) {
                    fields.each(|key, value| self.attributes.add_missing(key, value));
                }
            });
        }
        self.attributes.cut();
    }

    /// What went wrong, as the program says: its error, or what it calls so.
    #[cfg(feature = "tracing")]
    pub(super) fn failure(&self) -> Option<String> {
        let failure = self.attributes.failure.as_ref();
        let said = || self.attributes.text_of(&["error", "err"]);
        failure.map(|failure| failure.message.clone()).or_else(said)
    }

    /// Hands the record over, with its message, if it has one.
    #[inline]
    pub(super) fn emit(&mut self, body: Option<Body<'_>>) {
        match &self.bridge.direct {
            Some(lane) => self.encode(lane, body),
            None => self.emit_sdk(body),
        }
    }

    #[inline]
    fn encode(&self, lane: &Lane, body: Option<Body<'_>>) {
        let context = Context::map_current(|context| {
            let ids = ids(context.span().span_context());
            (!context.is_telemetry_suppressed()).then_some(ids)
        });
        let Some(ids) = context else { return };
        let common = if self.attributes.name_the_code() {
            None
        } else {
            site::common(self.bridge, self.record)
        };
        let (file, line, severity) = match &common {
            Some(_) => (None, None, (None, "")),
            None => {
                let (number, text) = severity(self.record.level());
                (self.record.file(), self.record.line(), (Some(number), text))
            }
        };
        let own = self.own(file, line);
        let nanos = nanos(self.time);
        let fields = LogFields {
            time: nanos,
            observed: nanos,
            common: common.as_deref().unwrap_or_default(),
            severity,
            event_name: self.attributes.event_name.unwrap_or_default(),
            body: body.map(|body| Scalar::Text(body.as_str())),
            attributes: OwnAndGiven(&own, &self.attributes),
            dropped: self.attributes.dropped,
            ids,
        };
        let scope = Scope::Target(self.record.target(), self.record.literal_target());
        within(Phase::Emitting, || {
            lane.push_log(&scope, |out| {
                fields.append(out);
            });
        });
    }

    fn emit_sdk(&mut self, body: Option<Body<'_>>) {
        let severity = severity(self.record.level());
        let mut record = started(&self.bridge.logger, severity, self.time);
        match self.record.literal_target() {
            Some(target) => record.set_target(target),
            None => record.set_target(self.record.target().to_owned()),
        }
        if let Some(name) = self.attributes.event_name {
            record.set_event_name(name);
        }
        if let Some(body) = body {
            record.set_body(body.into());
        }
        let own = self.own(self.record.file(), self.record.line());
        own.each(|key, value| {
            record.add_attribute(Key::from_static_str(key), AnyValue::from(value));
        });
        for (key, value) in self.attributes.take_pairs() {
            record.add_attribute(key, value);
        }
        self.bridge.emit(record);
    }

    #[inline]
    fn own<'a>(&'a self, file: Option<&'a str>, line: Option<u32>) -> Own<'a> {
        Own {
            failure: self.attributes.failure.as_ref(),
            file,
            line,
            dropped: self.attributes.dropped,
            given: Some(&self.attributes),
            redact: &self.bridge.rules.redact,
            limits: self.bridge.rules.limits,
        }
    }
}

/// The bridge's own attributes are beside those that a limit counts, and before them.
struct OwnAndGiven<'a>(&'a Own<'a>, &'a Attributes<'a>);

impl encode::Attributes for OwnAndGiven<'_> {
    fn each(&self, mut put: impl FnMut(&str, &Scalar<'_>)) {
        self.0.each(&mut put);
        for (key, value) in self.1.pairs() {
            put(key.as_str(), &Scalar::Any(value));
        }
    }
}
