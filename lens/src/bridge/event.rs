//! An event of `tracing` as a log record. Its console is the business of whoever subscribes.

use std::cell::Cell;
use std::time::SystemTime;

use log::{Level, Record};
use tracing_core::{Event, Metadata};

use super::admitted::admitting;
use super::body::Body;
use super::field::{Each, Given};
use super::origin::Origin;
use super::taken::Taken;
use super::value::Name;
use crate::reentry::{Phase, within};
#[cfg(feature = "__testkit")]
use crate::state;
use crate::text::{Scratch, write};

/// The field that is the body of the record.
const MESSAGE: &str = "message";
/// How the names of events begin that nobody gave one.
const NAMELESS: &str = "event ";

thread_local! {
    /// Where the latest event of this thread was made: file and line.
    static LATEST: Cell<Option<(&'static str, Option<u32>)>> = const { Cell::new(None) };
}

/// Takes an event.
pub(crate) fn take_event(event: &Event<'_>) {
    let metadata = event.metadata();
    match Forwarded::of(event) {
        Some(record) => bridge(event, &record, true),
        None => {
            let place = metadata.file().map(|file| (file, metadata.line()));
            let _ = LATEST.try_with(|latest| latest.set(place));
            bridge(event, metadata, false);
        }
    }
}

/// Whether `record` is the event that was taken last on this thread: `tracing` repeats each of
/// them where its feature `log-always` is on.
#[inline]
pub(super) fn is_echo(record: &Record<'_>) -> bool {
    // A macro of `log` has a literal there.
    if record.file_static().is_some() {
        return false;
    }
    let latest = LATEST.try_with(Cell::take).ok().flatten();
    latest.is_some_and(|(file, line)| record.file() == Some(file) && record.line() == line)
}

fn bridge(event: &Event<'_>, record: &impl Origin, is_forwarded: bool) {
    let Some(admitted) = admitting(record) else {
        #[cfg(feature = "__testkit")]
        state::scope::late(
            &log::Metadata::builder()
                .level(record.level())
                .target(record.target())
                .build(),
        );
        return;
    };
    let time = SystemTime::now();
    let Ok(depth) = admitted.pass(record.level(), time) else {
        return;
    };
    let phase = Phase::Formatting {
        depth: depth + 1,
        console: false,
    };
    let mut scratch = Scratch::default();
    let mut has_message = false;
    let mut taken = Taken::new(admitted.bridge, record, time);
    within(phase, || {
        taken.ask(|attributes| {
            let name = event.metadata().name();
            if !is_forwarded && !name.starts_with(NAMELESS) {
                attributes.event_name = Some(name);
            }
            event.record(&mut Each(|name, value: Given<'_>| match name {
                MESSAGE => {
                    has_message = true;
                    match value {
                        Given::Shown(value) => write(&mut scratch, format_args!("{value:?}")),
                        value => write(&mut scratch, format_args!("{value}")),
                    };
                }
                // What is in them is known already.
                _ if is_forwarded && name.starts_with(Forwarded::PREFIX) => {}
                _ => attributes.take(Name::Literal(name), |this| match value {
                    Given::Error(error) if this.take_failure(Name::Literal(name), error) => None,
                    value => Some(value.into()),
                }),
            }));
        });
    });
    taken.emit(has_message.then(|| Body::Text(scratch.as_str())));
}

impl Origin for Metadata<'static> {
    #[inline]
    fn level(&self) -> Level {
        as_log(*Metadata::level(self))
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

fn as_log(level: tracing_core::Level) -> Level {
    match level {
        tracing_core::Level::ERROR => Level::Error,
        tracing_core::Level::WARN => Level::Warn,
        tracing_core::Level::INFO => Level::Info,
        tracing_core::Level::DEBUG => Level::Debug,
        tracing_core::Level::TRACE => Level::Trace,
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
            level: as_log(*metadata.level()),
            target: String::new(),
            module: String::new(),
            file: None,
            line: None,
        };
        event.record(&mut Each(|name, value: Given<'_>| match (name, value) {
            ("log.target", Given::Text(target)) => target.clone_into(&mut forwarded.target),
            ("log.module_path", Given::Text(path)) => path.clone_into(&mut forwarded.module),
            ("log.file", Given::Text(file)) => forwarded.file = Some(file.to_owned()),
            ("log.line", Given::Unsigned(line)) => forwarded.line = line.try_into().ok(),
            _ => {}
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
