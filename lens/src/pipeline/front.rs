//! Where threads leave encoded log records: each in a buffer of its own.
//!
//! In: records, as bytes, without a lock that threads share. Out: requests, when the sender
//! collects them. Bounded in bytes, those that were collected and not sent included.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::encode::{Open, Requests, ScopeKey};
use crate::export::Encoded;
use crate::stats::Reason;

/// What collectors take fastest.
pub(crate) const REQUEST: usize = 100 * 1024;
/// How many targets a thread keeps apart; beyond that, those that come one after another.
const RUNS: usize = 16;
/// How much room a thread keeps for what comes next: so many of so many bytes.
const SPARES: usize = 2;
const SPARE_BYTES: usize = 3 * REQUEST;

/// Each front has another number, by which a thread finds its buffer.
static NEXT: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static MINE: RefCell<Vec<(u64, Arc<Mutex<Buffer>>)>> = const { RefCell::new(Vec::new()) };
}

/// The buffers of all threads.
#[derive(Debug)]
pub(super) struct Front {
    number: u64,
    requests: Requests,
    capacity: usize,
    buffers: Mutex<Registry>,
    /// Bytes that the sender has not collected.
    fresh: AtomicUsize,
    /// Bytes that it has, and not sent yet.
    collected: AtomicUsize,
}

#[derive(Debug, Default)]
struct Registry {
    all: Vec<Arc<Mutex<Buffer>>>,
    is_closed: bool,
}

/// What one thread left.
#[derive(Debug, Default)]
struct Buffer {
    runs: Vec<Run>,
    /// Room that was used before, empty.
    spare: Vec<Vec<u8>>,
    /// Nobody collects it any more.
    is_closed: bool,
}

/// Records of one scope, one behind another.
#[derive(Debug)]
struct Run {
    scope: ScopeKey,
    records: Vec<u8>,
}

impl Front {
    /// At most so many bytes wait.
    pub(super) fn new(requests: Requests, capacity: usize) -> Self {
        Self {
            number: NEXT.fetch_add(1, Relaxed),
            requests,
            capacity,
            buffers: Mutex::default(),
            fresh: AtomicUsize::new(0),
            collected: AtomicUsize::new(0),
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
        let records = buffer.records(scope);
        let begin = records.len();
        write(records);
        let length = records.len() - begin;
        let before = self.fresh.fetch_add(length, Relaxed);
        let waiting = before + self.collected.load(Relaxed);
        // One that is longer than all room there is has its chance when it is alone.
        if waiting > 0 && waiting + length > self.capacity {
            records.truncate(begin);
            self.fresh.fetch_sub(length, Relaxed);
            return Err(Reason::QueueFull);
        }
        Ok(before == 0 || before / REQUEST != (before + length) / REQUEST)
    }

    fn register(&self) -> Arc<Mutex<Buffer>> {
        let mut registry = lock(&self.buffers);
        let buffer = Buffer {
            is_closed: registry.is_closed,
            ..Buffer::default()
        };
        let buffer = Arc::new(Mutex::new(buffer));
        registry.all.push(Arc::clone(&buffer));
        buffer
    }

    /// How many bytes wait to be collected.
    pub(super) fn fresh(&self) -> usize {
        self.fresh.load(Relaxed)
    }

    /// Takes everything that threads left, as requests; with `close` they leave nothing more.
    pub(super) fn collect(&self, close: bool) -> Vec<Encoded> {
        let mut open = Vec::new();
        let mut registry = lock(&self.buffers);
        registry.is_closed |= close;
        registry.all.retain(|buffer| {
            // The thread is gone, unless it has the buffer, too.
            let is_orphan = Arc::strong_count(buffer) == 1;
            let runs = {
                let mut buffer = lock(buffer);
                buffer.is_closed |= close;
                std::mem::take(&mut buffer.runs)
            };
            for mut run in runs {
                self.requests.add(&mut open, &run.scope, &run.records);
                if run.records.capacity() <= SPARE_BYTES && !is_orphan {
                    run.records.clear();
                    let mut buffer = lock(buffer);
                    if buffer.spare.len() < SPARES {
                        buffer.spare.push(run.records);
                    }
                }
            }
            !is_orphan
        });
        drop(registry);
        let requests: Vec<_> = open.into_iter().map(|open| self.finish(&open)).collect();
        let bytes = requests.iter().map(|request| request.buffered).sum();
        self.collected.fetch_add(bytes, Relaxed);
        self.fresh.fetch_sub(bytes, Relaxed);
        requests
    }

    fn finish(&self, open: &Open) -> Encoded {
        Encoded {
            body: self.requests.finish(open),
            records: open.records,
            buffered: open.buffered,
        }
    }

    /// A request has met its fate, and makes room.
    pub(super) fn release(&self, buffered: usize) {
        self.collected.fetch_sub(buffered, Relaxed);
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
    /// The records of `scope`, to append one.
    fn records(&mut self, scope: &Scope<'_>) -> &mut Vec<u8> {
        let recent = self.runs.len().saturating_sub(RUNS);
        let mut latest = self.runs.iter().skip(recent);
        // A run that is long enough for a request does not grow: it would be copied.
        let known = latest.rposition(|run| run.records.len() < REQUEST && scope.is(&run.scope));
        let at = known.map_or(self.runs.len(), |known| recent + known);
        if at == self.runs.len() {
            self.runs.push(Run {
                scope: scope.to_key(),
                records: self.spare.pop().unwrap_or_default(),
            });
        }
        #[expect(clippy::indexing_slicing, reason = "found, or pushed just now")]
        &mut self.runs[at].records
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "front_tests.rs"]
mod tests;
