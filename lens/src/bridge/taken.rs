//! A `log` record on its way out: everything of it that runs the program's code is done.
//!
//! In: `log::Record`, alive for one call. Out: bytes where lens exports OTLP, an SDK record
//! where somebody else's processors or a terminal take it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::SystemTime;

use log::Record;
use opentelemetry::logs::{AnyValue, LogRecord as _};
use opentelemetry::trace::TraceContextExt;
use opentelemetry::{Context, Key};

use super::about::started;
use super::body::Body;
use super::own::Own;
use super::site::{self, severity};
use super::value::Attributes;
use crate::encode::{self, LogFields, Scalar, ids, nanos};
use crate::pipeline::{Lane, Scope};
use crate::reentry::{Phase, within};
use crate::state::Bridge;

/// What was taken of a record, but for its message.
pub(super) struct Taken<'r> {
    bridge: &'static Bridge,
    record: &'r Record<'r>,
    time: SystemTime,
    attributes: Attributes<'r>,
}

impl<'r> Taken<'r> {
    /// A record that was made at `time`, and has not been asked.
    #[inline]
    pub(super) fn new(bridge: &'static Bridge, record: &'r Record<'r>, time: SystemTime) -> Self {
        Self {
            bridge,
            record,
            time,
            attributes: Attributes::new(&bridge.redact, bridge.limits),
        }
    }

    /// Asks its key-values.
    #[inline]
    pub(super) fn ask(&mut self) {
        // Each value is on its own guarded; this is for a source that panics between them.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            let _ = self.record.key_values().visit(&mut self.attributes);
        }));
        self.attributes.cut();
    }

    /// Hands the record over, with its message.
    #[inline]
    pub(super) fn emit(&mut self, body: Body<'_>) {
        match &self.bridge.direct {
            Some(lane) => self.encode(lane, body),
            None => self.emit_sdk(body),
        }
    }

    #[inline]
    fn encode(&self, lane: &Lane, body: Body<'_>) {
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
            body: Some(Scalar::Text(body.as_str())),
            attributes: OwnAndGiven(&own, &self.attributes),
            dropped: self.attributes.dropped,
            ids,
        };
        let scope = Scope::Target(self.record.target(), self.literal_target());
        within(Phase::Emitting, || {
            lane.push_log(&scope, |out| {
                fields.append(out);
            });
        });
    }

    fn emit_sdk(&mut self, body: Body<'_>) {
        let severity = severity(self.record.level());
        let mut record = started(&self.bridge.logger, severity, self.time);
        match self.literal_target() {
            Some(target) => record.set_target(target),
            None => record.set_target(self.record.target().to_owned()),
        }
        if let Some(name) = self.attributes.event_name {
            record.set_event_name(name);
        }
        record.set_body(body.into());
        let own = self.own(self.record.file(), self.record.line());
        own.each(|key, value| {
            record.add_attribute(Key::from_static_str(key), AnyValue::from(value));
        });
        for (key, value) in self.attributes.take_pairs() {
            record.add_attribute(key, value);
        }
        self.bridge.emit(record);
    }

    /// The target of a macro call that names none of its own: it need not be copied.
    #[inline]
    fn literal_target(&self) -> Option<&'static str> {
        let module = self.record.module_path_static();
        module.filter(|module| *module == self.record.target())
    }

    #[inline]
    fn own<'a>(&'a self, file: Option<&'a str>, line: Option<u32>) -> Own<'a> {
        Own {
            failure: self.attributes.failure.as_ref(),
            file,
            line,
            dropped: self.attributes.dropped,
            given: Some(&self.attributes),
            redact: &self.bridge.redact,
            limits: self.bridge.limits,
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
