//! A record of `log` as an event of `tracing`, for the console of the subscriber: with its own
//! target, level and key-values.
//!
//! What an event is made of lives for ever, so a call of `log::info!` gets it once, and a program
//! that makes up targets gets only so many.

use std::cell::Cell;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::iter::once;
use std::sync::{Mutex, PoisonError};

use log::kv::{Error, Key, Value, VisitSource, VisitValue};
use log::{Log, Record};
use tracing_core::callsite::{Callsite, Identifier};
use tracing_core::dispatcher::get_default;
use tracing_core::field::{DisplayValue, FieldSet, Value as FieldValue, display};
use tracing_core::metadata::Kind;
use tracing_core::subscriber::Interest;
use tracing_core::{Event, Level, Metadata};

use crate::levels::from_log;

/// How many calls are told apart.
const KEPT: usize = 4096;
/// How many a thread knows without a lock.
const LATEST_KEPT: usize = 64;
const NAME: &str = "log record";
const MESSAGE: &str = "message";

static CALLSITE: Forwarded = Forwarded { _byte: 0 };
static CALLS: Mutex<Option<Calls>> = Mutex::new(None);

thread_local! {
    /// The latest calls of this thread, by line.
    static LATEST: [Cell<Option<&'static Metadata<'static>>>; LATEST_KEPT] =
        const { [const { Cell::new(None) }; LATEST_KEPT] };
}

/// For the calls that are one too many, by level.
static OTHERS: [Metadata<'static>; 5] = [
    other(Level::ERROR),
    other(Level::WARN),
    other(Level::INFO),
    other(Level::DEBUG),
    other(Level::TRACE),
];

const fn other(level: Level) -> Metadata<'static> {
    let fields = FieldSet::new(&[MESSAGE], Identifier(&CALLSITE));
    Metadata::new(NAME, "log", level, None, None, None, fields, Kind::EVENT)
}

/// The callsite of all records; not empty, so that no other thing has its address.
struct Forwarded {
    _byte: u8,
}

impl Callsite for Forwarded {
    // It is not registered: the subscriber is asked for each record.
    fn set_interest(&self, _: Interest) {}

    fn metadata(&self) -> &Metadata<'_> {
        let [first, ..] = &OTHERS;
        first
    }
}

/// Whether an event is a record of `log` that the bridge has seen.
#[inline]
pub(super) fn is_forwarded(metadata: &Metadata<'_>) -> bool {
    metadata.callsite() == Identifier(&CALLSITE)
}

/// The console side of a program whose console is a subscriber of `tracing`.
pub(super) struct Forward;

impl Log for Forward {
    /// The subscriber is not asked: with filters of its layers' own, that is only for asking
    /// about an event that follows.
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        let mut pairs = Pairs(Vec::new());
        let _ = record.key_values().visit(&mut pairs);
        match of_call(record, &pairs) {
            Some(metadata) => {
                let message: &dyn FieldValue = record.args();
                let pairs = pairs.0.iter().map(|(_, value)| Some(value.as_field()));
                send(
                    metadata,
                    &once(Some(message)).chain(pairs).collect::<Vec<_>>(),
                );
            }
            None => {
                let message = format_args!("{}: {}{pairs}", record.target(), record.args());
                let level = from_log(record.level());
                if let Some(metadata) = OTHERS.iter().find(|other| *other.level() == level) {
                    send(metadata, &[Some(&message)]);
                }
            }
        }
    }

    fn flush(&self) {}
}

fn send(metadata: &'static Metadata<'static>, values: &[Option<&dyn FieldValue>]) {
    get_default(|subscriber| {
        if subscriber.enabled(metadata) {
            let values = metadata.fields().value_set_all(values);
            subscriber.event(&Event::new(metadata, &values));
        }
    });
}

/// What is known of the call of `record`; `None` where it is one too many.
fn of_call(record: &Record<'_>, pairs: &Pairs<'_>) -> Option<&'static Metadata<'static>> {
    let place = record.line().unwrap_or_default() as usize % LATEST_KEPT;
    let latest = LATEST.try_with(|latest| latest.get(place).map(Cell::get));
    if let Ok(Some(Some(known))) = latest
        && is_of(known, record, pairs)
    {
        return Some(known);
    }
    let known = {
        let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
        calls.get_or_insert_default().of(record, pairs)
    };
    let _ = LATEST.try_with(|latest| latest.get(place).map(|latest| latest.set(known)));
    known
}

/// Whether it is what is known of the call of `record`.
fn is_of(known: &Metadata<'_>, record: &Record<'_>, pairs: &Pairs<'_>) -> bool {
    let names = pairs.0.iter().map(|(name, _)| name.as_str());
    *known.level() == from_log(record.level())
        && known.target() == record.target()
        && (known.file(), known.line()) == (record.file(), record.line())
        && known.module_path() == record.module_path()
        && (known.fields().iter().skip(1).map(|field| field.name())).eq(names)
}

/// The calls that were seen, by what they are made of.
#[derive(Default)]
struct Calls {
    hasher: RandomState,
    known: HashMap<u64, Vec<&'static Metadata<'static>>>,
    count: usize,
}

impl Calls {
    /// What is known of the call of `record`; `None` where it is one too many.
    fn of(&mut self, record: &Record<'_>, pairs: &Pairs<'_>) -> Option<&'static Metadata<'static>> {
        let place = (record.target(), record.file(), record.line());
        let known = self.known.entry(self.hasher.hash_one(place)).or_default();
        if let Some(known) = known.iter().find(|known| is_of(known, record, pairs)) {
            return Some(known);
        }
        if self.count >= KEPT {
            return None;
        }
        self.count += 1;
        let names = pairs.0.iter().map(|(name, _)| kept(name.as_str()));
        let names: Vec<_> = once(MESSAGE).chain(names).collect();
        let metadata: &'static _ = Box::leak(Box::new(Metadata::new(
            NAME,
            kept(record.target()),
            from_log(record.level()),
            record.file().map(kept),
            record.line(),
            record.module_path().map(kept),
            FieldSet::new(Box::leak(names.into()), Identifier(&CALLSITE)),
            Kind::EVENT,
        )));
        known.push(metadata);
        Some(metadata)
    }
}

fn kept(text: &str) -> &'static str {
    Box::leak(text.into())
}

/// The key-values of a record.
struct Pairs<'r>(Vec<(Key<'r>, Given<'r>)>);

impl<'r> VisitSource<'r> for Pairs<'r> {
    fn visit_pair(&mut self, key: Key<'r>, value: Value<'r>) -> Result<(), Error> {
        let mut typed = Typed(None);
        value.visit(&mut typed)?;
        let value = typed.0.unwrap_or_else(|| Given::Shown(display(value)));
        self.0.push((key, value));
        Ok(())
    }
}

impl fmt::Display for Pairs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0.iter()).try_for_each(|(key, value)| write!(f, " {key}={value:?}"))
    }
}

/// A value by its own type, where `tracing` has that.
#[derive(Debug)]
enum Given<'r> {
    Signed(i128),
    Unsigned(u128),
    Float(f64),
    Bool(bool),
    Text(String),
    Shown(DisplayValue<Value<'r>>),
}

impl Given<'_> {
    fn as_field(&self) -> &dyn FieldValue {
        match self {
            Self::Signed(value) => value,
            Self::Unsigned(value) => value,
            Self::Float(value) => value,
            Self::Bool(value) => value,
            Self::Text(value) => value,
            Self::Shown(value) => value,
        }
    }
}

struct Typed<'r>(Option<Given<'r>>);

impl VisitValue<'_> for Typed<'_> {
    fn visit_any(&mut self, _: Value<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn visit_i64(&mut self, value: i64) -> Result<(), Error> {
        self.visit_i128(value.into())
    }

    fn visit_u64(&mut self, value: u64) -> Result<(), Error> {
        self.visit_u128(value.into())
    }

    fn visit_i128(&mut self, value: i128) -> Result<(), Error> {
        self.0 = Some(Given::Signed(value));
        Ok(())
    }

    fn visit_u128(&mut self, value: u128) -> Result<(), Error> {
        self.0 = Some(Given::Unsigned(value));
        Ok(())
    }

    fn visit_f64(&mut self, value: f64) -> Result<(), Error> {
        self.0 = Some(Given::Float(value));
        Ok(())
    }

    fn visit_bool(&mut self, value: bool) -> Result<(), Error> {
        self.0 = Some(Given::Bool(value));
        Ok(())
    }

    fn visit_str(&mut self, value: &str) -> Result<(), Error> {
        self.0 = Some(Given::Text(value.to_owned()));
        Ok(())
    }
}
