//! Where threads leave encoded log records: each in a buffer of its own.
//!
//! In: records, as bytes, without a lock that threads share. Out: the same bytes, when the sender
//! collects them. Bounded in bytes, those that were collected and not sent included.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::encode::{Run, ScopeKey};
use crate::stats::Reason;

/// What collectors take fastest.
pub(super) const REQUEST: usize = 100 * 1024;
/// How long most records are at most.
const USUAL: usize = 4 * 1024;
/// How many targets a thread keeps apart; beyond that, those that come one after another.
const RUNS: usize = 16;

/// Each front has another number, by which a thread finds its buffer.
static NEXT: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static MINE: RefCell<Vec<(u64, Arc<Mutex<Buffer>>)>> = const { RefCell::new(Vec::new()) };
}

/// The buffers of all threads.
#[derive(Debug)]
pub(super) struct Front {
    number: u64,
    capacity: usize,
    buffers: Mutex<Registry>,
    /// Bytes that have not met their fate.
    waiting: AtomicUsize,
    /// Those of them that the sender has not collected.
    fresh: AtomicUsize,
}

#[derive(Debug, Default)]
struct Registry {
    all: Vec<Arc<Mutex<Buffer>>>,
    is_closed: bool,
    /// From how many on it is worth a look whether their threads are gone.
    many: usize,
}

/// What one thread left.
#[derive(Debug, Default)]
struct Buffer {
    runs: Vec<Run>,
    /// Nobody collects it any more.
    is_closed: bool,
}

impl Front {
    /// At most so many bytes wait.
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            number: NEXT.fetch_add(1, Relaxed),
            capacity,
            buffers: Mutex::default(),
            waiting: AtomicUsize::new(0),
            fresh: AtomicUsize::new(0),
        }
    }

    /// Has `write` append a record, and says whether the sender must hear of it.
    ///
    /// `write` runs nothing of the program's.
    pub(super) fn push(
        &self,
        scope: &Scope<'_>,
        write: impl FnOnce(&mut Vec<u8>),
    ) -> Result<bool, Reason> {
        let mut write = Some(write);
        let pushed = MINE.try_with(|mine| {
            let write = write.take()?;
            let mut mine = mine.borrow_mut();
            let own = (mine.iter()).position(|(number, _)| *number == self.number);
            let own = own.unwrap_or_else(|| {
                // Of fronts that are gone only this thread still has the buffer.
                mine.retain(|(_, buffer)| Arc::strong_count(buffer) > 1);
                mine.push((self.number, self.register()));
                mine.len() - 1
            });
            let (_, buffer) = mine.get(own)?;
            Some(self.push_to(buffer, scope, write))
        });
        match (pushed, write) {
            (Ok(Some(pushed)), _) => pushed,
            // The thread is ending, and its locals with it.
            (_, Some(write)) => self.push_to(&self.register(), scope, write),
            (_, None) => Err(Reason::ThreadExit),
        }
    }

    fn push_to(
        &self,
        buffer: &Mutex<Buffer>,
        scope: &Scope<'_>,
        write: impl FnOnce(&mut Vec<u8>),
    ) -> Result<bool, Reason> {
        let mut buffer = lock(buffer);
        if buffer.is_closed {
            return Err(Reason::AfterShutdown);
        }
        let at = buffer.run(scope);
        #[expect(clippy::indexing_slicing, reason = "where it is said to be")]
        let run = &mut buffer.runs[at];
        let begin = run.records.len();
        write(&mut run.records);
        let end = run.records.len();
        // The first record of a run pays for the run.
        let overhead = if begin == 0 { run.scope.size() } else { 0 };
        let length = end - begin + overhead;
        let room = |waiting: usize| {
            let with = waiting.saturating_add(length);
            // One that is longer than all room there is has its chance when it is alone.
            (waiting == 0 || with <= self.capacity).then_some(with)
        };
        if self.waiting.fetch_update(Relaxed, Relaxed, room).is_err() {
            buffer.take_back(at, begin);
            return Err(Reason::QueueFull);
        }
        run.count += 1;
        let before = self.fresh.fetch_add(length, Relaxed);
        Ok(before == 0 || before / REQUEST != (before + length) / REQUEST)
    }

    fn register(&self) -> Arc<Mutex<Buffer>> {
        let mut registry = lock(&self.buffers);
        let buffer = Arc::new(Mutex::new(Buffer {
            is_closed: registry.is_closed,
            ..Buffer::default()
        }));
        if registry.all.len() > registry.many {
            // Nobody may collect for long. Of threads that are gone only the registry still
            // has the buffer.
            (registry.all)
                .retain(|buffer| Arc::strong_count(buffer) > 1 || !lock(buffer).runs.is_empty());
            registry.many = 2 * registry.all.len() + RUNS;
        }
        if !registry.is_closed {
            registry.all.push(Arc::clone(&buffer));
        }
        buffer
    }

    /// How many bytes wait to be collected.
    pub(super) fn fresh(&self) -> usize {
        self.fresh.load(Relaxed)
    }

    /// Takes everything that threads left; with `close` they leave nothing more.
    pub(super) fn collect(&self, close: bool) -> Vec<Run> {
        let mut runs = Vec::new();
        let mut registry = lock(&self.buffers);
        registry.is_closed |= close;
        registry.all.retain(|buffer| {
            // The thread is gone, unless it has the buffer, too.
            let is_orphan = Arc::strong_count(buffer) == 1;
            let mut buffer = lock(buffer);
            buffer.is_closed |= close;
            runs.append(&mut buffer.runs);
            !is_orphan
        });
        drop(registry);
        let bytes = runs.iter().map(Run::size).sum();
        self.fresh.fetch_sub(bytes, Relaxed);
        runs
    }

    /// Runs of so many bytes have met their fate, and make room.
    pub(super) fn release(&self, buffered: usize) {
        self.waiting.fetch_sub(buffered, Relaxed);
    }
}

/// The scope of a record, borrowed.
pub(crate) enum Scope<'a> {
    /// The target of a macro call, which lives for ever, or of a record made by hand.
    Target(&'a str, Option<&'static str>),
    Key(ScopeKey),
}

impl Scope<'_> {
    fn is(&self, key: &ScopeKey) -> bool {
        match self {
            Self::Target(target, _) => key.rest.is_none() && key.target == *target,
            Self::Key(own) => own == key,
        }
    }

    fn to_key(&self) -> ScopeKey {
        match self {
            Self::Target(target, for_ever) => ScopeKey {
                target: match for_ever {
                    Some(target) => Cow::Borrowed(target),
                    None => Cow::Owned((*target).to_owned()),
                },
                rest: None,
            },
            Self::Key(key) => key.clone(),
        }
    }
}

impl Buffer {
    /// Where to append a record of `scope`.
    fn run(&mut self, scope: &Scope<'_>) -> usize {
        let recent = self.runs.len().saturating_sub(RUNS);
        let mut latest = self.runs.iter().skip(recent);
        // A run that is long enough for a request does not grow: it would be copied.
        let known = latest.rposition(|run| run.records.len() < REQUEST && scope.is(&run.scope));
        known.map_or_else(
            || {
                // Where one is full, the next one will be.
                let is_busy = (self.runs.last()).is_some_and(|run| run.records.len() >= REQUEST);
                let room = if is_busy { REQUEST + USUAL } else { 0 };
                self.runs.push(Run {
                    scope: scope.to_key(),
                    records: Vec::with_capacity(room),
                    count: 0,
                });
                self.runs.len() - 1
            },
            |known| recent + known,
        )
    }

    /// Undoes what was appended to a run from `begin` on, with the room it took.
    fn take_back(&mut self, at: usize, begin: usize) {
        if begin == 0 {
            self.runs.remove(at);
        } else if let Some(run) = self.runs.get_mut(at) {
            run.records.truncate(begin);
            run.records.shrink_to(2 * REQUEST);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "front_tests.rs"]
mod tests;
