//! An event of `tracing` as a log record. Its console is the business of whoever subscribes.

use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};
use std::time::SystemTime;

use log::{Level, Record};
use tracing_core::{Event, Field, Metadata};

use super::admitted::admitting;
use super::body::Body;
use super::field::{Each, Given, name};
use super::origin::Origin;
use super::taken::Taken;
use super::value::Name;
use crate::levels::to_log;
use crate::reentry::{Phase, phase, within};
#[cfg(feature = "__testkit")]
use crate::state;
use crate::text::{Scratch, write};

/// The field that is the body of the record.
const MESSAGE: &str = "message";
/// How the names of events begin that nobody gave one.
const NAMELESS: &str = "event ";

/// File and line.
type Place = (&'static str, Option<u32>);

/// Where there are events.
static EVENTS: RwLock<Option<HashSet<Place>>> = RwLock::new(None);

/// Notes where there are events.
pub(crate) fn note_event(metadata: &'static Metadata<'static>) {
    if let Some(file) = metadata.file() {
        let mut events = EVENTS.write().unwrap_or_else(PoisonError::into_inner);
        let events = events.get_or_insert_default();
        events.insert((file, metadata.line()));
    }
}

/// Whether `record` is an event, too: `tracing` repeats them, before or after, where its feature
/// `log-always` is on.
#[inline]
pub(super) fn is_echo(record: &Record<'_>) -> bool {
    // A macro of `log` has a literal there.
    if record.file_static().is_some() {
        return false;
    }
    let Some(file) = record.file() else {
        return false;
    };
    let events = EVENTS.read().unwrap_or_else(PoisonError::into_inner);
    let place = (file, record.line());
    events
        .as_ref()
        .is_some_and(|events| events.contains(&place))
}

/// Takes an event. Of an error that is bridged, says what the program says is wrong.
pub(crate) fn take_event(event: &Event<'_>) -> Option<String> {
    match Forwarded::of(event) {
        // The console of `log` made it, of a record that the bridge has.
        Some(_) if phase() == Phase::Printing => None,
        Some(record) => bridge(event, &record, true),
        None => bridge(event, event.metadata(), false),
    }
}

fn bridge(event: &Event<'_>, record: &impl Origin, is_forwarded: bool) -> Option<String> {
    let Some(admitted) = admitting(record) else {
        #[cfg(feature = "__testkit")]
        state::scope::late(
            &log::Metadata::builder()
                .level(record.level())
                .target(record.target())
                .build(),
        );
        return None;
    };
    let time = SystemTime::now();
    let depth = admitted.pass(record.level(), time).ok()?;
    let phase = Phase::Formatting {
        depth: depth + 1,
        console: false,
    };
    let mut scratch = Scratch::default();
    let mut has_message = false;
    let mut taken = Taken::new(admitted.bridge, record, time);
    within(phase, || {
        taken.ask(|attributes| {
            let event_name = event.metadata().name();
            if !is_forwarded && !event_name.starts_with(NAMELESS) {
                attributes.event_name = Some(event_name);
            }
            event.record(&mut Each(|field: &Field, value: Given<'_>| {
                match name(field) {
                    MESSAGE => {
                        has_message = true;
                        match value {
                            Given::Shown(value) => write(&mut scratch, format_args!("{value:?}")),
                            value => write(&mut scratch, format_args!("{value}")),
                        };
                    }
                    // What is in them is known already.
                    name if is_forwarded && name.starts_with(Forwarded::PREFIX) => {}
                    name => attributes.take(Name::Literal(name), |this| match value {
                        Given::Error(error) if this.take_failure(Name::Literal(name), error) => {
                            None
                        }
                        value => Some(value.into()),
                    }),
                }
            }));
        });
    });
    let message = has_message.then(|| scratch.as_str());
    let wrong = || taken.failure().or(message.map(str::to_owned));
    let wrong = (record.level() == Level::Error).then(wrong).flatten();
    taken.emit(message.map(Body::Text));
    wrong
}

impl Origin for Metadata<'static> {
    #[inline]
    fn level(&self) -> Level {
        to_log(*Metadata::level(self))
    }

    #[inline]
    fn target(&self) -> &str {
        Metadata::target(self)
    }

    #[inline]
    fn literal_target(&self) -> Option<&'static str> {
        Some(Metadata::target(self))
    }

    #[inline]
    fn module(&self) -> &str {
        self.module_path().unwrap_or_default()
    }

    #[inline]
    fn file(&self) -> Option<&str> {
        Metadata::file(self)
    }

    #[inline]
    fn literal_file(&self) -> Option<&'static str> {
        Metadata::file(self)
    }

    #[inline]
    fn line(&self) -> Option<u32> {
        Metadata::line(self)
    }
}

/// A record of `log` that a forwarder made an event of, with what it says of its origin in
/// fields.
struct Forwarded {
    level: Level,
    target: String,
    module: String,
    file: Option<String>,
    line: Option<u32>,
}

impl Forwarded {
    const PREFIX: &'static str = "log.";

    fn of(event: &Event<'_>) -> Option<Self> {
        let metadata = event.metadata();
        if metadata.target() != "log" || metadata.fields().field("log.target").is_none() {
            return None;
        }
        let mut forwarded = Self {
            level: to_log(*metadata.level()),
            target: String::new(),
            module: String::new(),
            file: None,
            line: None,
        };
        event.record(&mut Each(|field: &Field, value: Given<'_>| {
            match (field.name(), value) {
                ("log.target", Given::Text(target)) => target.clone_into(&mut forwarded.target),
                ("log.module_path", Given::Text(path)) => path.clone_into(&mut forwarded.module),
                ("log.file", Given::Text(file)) => forwarded.file = Some(file.to_owned()),
                ("log.line", Given::Unsigned(line)) => forwarded.line = line.try_into().ok(),
                _ => {}
            }
        }));
        Some(forwarded)
    }
}

impl Origin for Forwarded {
    fn level(&self) -> Level {
        self.level
    }

    fn target(&self) -> &str {
        &self.target
    }

    fn literal_target(&self) -> Option<&'static str> {
        None
    }

    fn module(&self) -> &str {
        &self.module
    }

    fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    fn literal_file(&self) -> Option<&'static str> {
        None
    }

    fn line(&self) -> Option<u32> {
        self.line
    }
}
