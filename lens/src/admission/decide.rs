//! What is decided about a record, and kept for the next one like it.
//!
//! In: a record's target, module and level. Out: whether it is bridged, without a lock that
//! threads share: each thread has its own copies of the table and of its latest decisions.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use log::{LevelFilter, Metadata};

use super::flood::Flood;
use crate::config::{Decision, Filter, Table};

/// Each table that was ever in effect has another number.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// How many decisions a thread keeps. They lie by the address of the target, which is that of
/// a literal; a program has fewer of those in a loop.
const KEPT: usize = 128;

thread_local! {
    static LATEST: RefCell<Latest> = const { RefCell::new(Latest::new()) };
    /// What was decided lately about targets that are literals, in which nothing has to be
    /// compared, borrowed or dropped.
    static LITERALS: [Cell<Known>; KEPT_LITERALS] =
        const { [const { Cell::new(Known::NOTHING) }; KEPT_LITERALS] };
}

const KEPT_LITERALS: usize = 64;

/// A decision about records of a target that is also where they are made.
#[derive(Clone, Copy)]
struct Known {
    /// The number of the table that decided.
    number: u64,
    target: &'static str,
    decision: Decision,
}

impl Known {
    /// No table has this number.
    const NOTHING: Self = Self {
        number: 0,
        target: "",
        decision: Decision {
            level: LevelFilter::Off,
            limit: None,
        },
    };
}

/// What decides, while the program runs.
#[derive(Debug)]
pub(crate) struct Decider {
    /// The number of the table; another one tells threads that theirs is old.
    number: AtomicU64,
    current: Mutex<(Filter, Arc<Table>)>,
    /// By the numbers that the table has for scopes.
    floods: Vec<Flood>,
}

impl Decider {
    pub(crate) fn new(filter: Filter) -> Self {
        let table = Arc::new(filter.table());
        Self {
            number: AtomicU64::new(NEXT.fetch_add(1, Ordering::Relaxed)),
            floods: filter.scopes().iter().copied().map(Flood::new).collect(),
            current: Mutex::new((filter, table)),
        }
    }

    /// Puts `directives` above all others; returns those that are none, and changes nothing
    /// then.
    pub(crate) fn set_top<'a>(&self, directives: &'a str) -> Vec<&'a str> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let mut filter = current.0.clone();
        let bad = filter.set_top(directives);
        if bad.is_empty() {
            let table = Arc::new(filter.table());
            *current = (filter, table);
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            self.number.store(number, Ordering::Release);
        }
        bad
    }

    /// The most verbose level that can pass.
    pub(crate) fn max_level(&self) -> LevelFilter {
        self.table().max_level()
    }

    /// The scopes that may hold records back.
    pub(crate) fn floods(&self) -> &[Flood] {
        &self.floods
    }

    /// What may hold back a record that was decided upon.
    #[inline]
    pub(crate) fn flood(&self, decision: Decision) -> Option<&Flood> {
        self.floods.get(decision.limit?)
    }

    /// Decides about records of `target` made in `module`, or anywhere.
    #[inline]
    pub(crate) fn decide(&self, target: &str, module: Option<&str>) -> Decision {
        let number = self.number.load(Ordering::Acquire);
        let cached = LATEST.try_with(|latest| {
            // Nothing of the program runs while it is borrowed.
            let mut latest = latest.try_borrow_mut().ok()?;
            if latest.number != number {
                latest.renew(number, self.table());
            }
            latest.decide(target, module)
        });
        match cached {
            Ok(Some(decision)) => decision,
            _ => self.table().decide(target, module),
        }
    }

    /// Decides about records whose target is the module they are made in, one literal, as that of
    /// every macro call that names no other: its address says which it is.
    #[inline]
    pub(crate) fn decide_literal(&self, target: &'static str) -> Decision {
        let number = self.number.load(Ordering::Acquire);
        let address = target.as_ptr().addr();
        let place = (address ^ (address >> 6)) % KEPT_LITERALS;
        let known = LITERALS.try_with(|literals| literals.get(place).map(Cell::get));
        match known {
            Ok(Some(known)) if known.number == number && std::ptr::eq(known.target, target) => {
                known.decision
            }
            _ => self.decide_anew(target, number, place),
        }
    }

    #[inline(never)]
    fn decide_anew(&self, target: &'static str, number: u64, place: usize) -> Decision {
        let decision = self.decide(target, Some(target));
        let known = Known {
            number,
            target,
            decision,
        };
        let _ = LITERALS.try_with(|literals| literals.get(place).map(|place| place.set(known)));
        decision
    }

    /// Whether a record with this metadata may be bridged, wherever it is made.
    pub(crate) fn admits(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= self.decide(metadata.target(), None).level
    }

    fn table(&self) -> Arc<Table> {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&current.1)
    }
}

/// A thread's copy of the table, and what that said lately.
struct Latest {
    number: u64,
    table: Option<Arc<Table>>,
    kept: Vec<Option<Kept>>,
}

struct Kept {
    target: Box<str>,
    module: Module<Box<str>>,
    decision: Decision,
}

/// Where a record is made.
#[derive(Clone, Copy)]
enum Module<T> {
    /// In the module whose path is the target, as for every macro call that names none: it
    /// need not be compared again.
    Target,
    Named(T),
    Anywhere,
}

impl<'m> Module<&'m str> {
    #[inline]
    fn of(target: &str, module: Option<&'m str>) -> Self {
        match module {
            Some(module) if std::ptr::eq(module, target) => Self::Target,
            Some(module) => Self::Named(module),
            None => Self::Anywhere,
        }
    }

    /// What tells apart decisions about one target.
    #[inline]
    fn address(self) -> usize {
        match self {
            Self::Target => 0,
            Self::Named(module) => module.as_ptr().addr(),
            Self::Anywhere => 1,
        }
    }

    fn to_kept(self) -> Module<Box<str>> {
        match self {
            Self::Target => Module::Target,
            Self::Named(module) => Module::Named(module.into()),
            Self::Anywhere => Module::Anywhere,
        }
    }
}

impl Kept {
    #[inline]
    fn is_of(&self, target: &str, module: Module<&str>) -> bool {
        let same_module = match (&self.module, module) {
            (Module::Target, Module::Target) | (Module::Anywhere, Module::Anywhere) => true,
            (Module::Named(kept), Module::Named(module)) => **kept == *module,
            _ => false,
        };
        same_module && *self.target == *target
    }
}

impl Latest {
    const fn new() -> Self {
        Self {
            number: 0,
            table: None,
            kept: Vec::new(),
        }
    }

    #[cold]
    fn renew(&mut self, number: u64, table: Arc<Table>) {
        self.kept.clear();
        self.kept.resize_with(KEPT, || None);
        (self.number, self.table) = (number, Some(table));
    }

    #[inline]
    fn decide(&mut self, target: &str, module: Option<&str>) -> Option<Decision> {
        let made_in = Module::of(target, module);
        let address = target.as_ptr().addr() ^ made_in.address();
        let place = (address ^ (address >> 7)) % KEPT;
        let kept = self.kept.get_mut(place)?;
        if let Some(kept) = kept
            && kept.is_of(target, made_in)
        {
            return Some(kept.decision);
        }
        let decision = self.table.as_ref()?.decide(target, module);
        *kept = Some(Kept {
            target: target.into(),
            module: made_in.to_kept(),
            decision,
        });
        Some(decision)
    }
}
