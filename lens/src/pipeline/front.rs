//! Where threads leave encoded log records: each in a buffer of its own.
//!
//! In: records, as bytes, without a lock that threads share. Out: the same bytes, when the sender
//! collects them. Bounded in bytes, those that were collected and not sent included.

use std::borrow::Cow;
use std::cell::RefCell;
use std::mem::take;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, PoisonError};
#[cfg(not(lens_model))]
use std::sync::{Mutex, MutexGuard};

// What `front_model.rs` puts in every order that threads could have.
#[cfg(lens_model)]
use shuttle::{
    sync::{Mutex, MutexGuard},
    thread_local,
};

use super::room::Room;
use crate::config::Batching;
use crate::encode::{Run, ScopeKey};
use crate::export::Units;
use crate::stats::Reason;

/// What collectors take fastest.
pub(super) const REQUEST: usize = 100 * 1024;
/// How long most records are at most.
const USUAL: usize = 4 * 1024;
/// What a thread takes of the room at once, so that most records touch nothing that is shared.
const PORTION: usize = 8 * 1024;
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
    buffers: Mutex<Registry>,
    bytes: Room,
    /// What a thread takes of them at once.
    portion: usize,
    /// Where somebody bounds the number of records, too.
    records: Option<Room>,
    /// Somebody found no room since the last collection.
    is_short: AtomicBool,
}

/// What threads left.
#[derive(Debug)]
pub(super) struct Collected {
    pub(super) runs: Vec<Run>,
    /// How many of their records were not counted.
    pub(super) uncounted: u64,
    /// Somebody found no room, and what threads did not use is room again.
    pub(super) is_roomier: bool,
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
    /// Room that was taken and is not used yet.
    left: usize,
    /// Bytes that the sender has not been told of.
    untold: usize,
    /// How many records no counter knows of yet.
    uncounted: u64,
    /// The latest run that was finished was as long as a request: the next one will be.
    is_busy: bool,
    /// Nobody collects it any more.
    is_closed: bool,
}

impl Front {
    pub(super) fn new(batching: &Batching) -> Self {
        let (queue, batch) = (batching.most_waiting, batching.most_at_once);
        let is_bounded = queue.is_some() || batch.is_some();
        Self {
            number: NEXT.fetch_add(1, Relaxed),
            buffers: Mutex::default(),
            bytes: Room::new(batching.bytes, REQUEST),
            // Where there is little, no thread takes much of it.
            portion: PORTION.min(batching.bytes / 64),
            records: is_bounded
                .then(|| Room::new(queue.unwrap_or(usize::MAX), batch.unwrap_or(usize::MAX))),
            is_short: AtomicBool::new(false),
        }
    }

    /// Has `write` append a record, and says whether the sender must hear of it.
    ///
    /// `write` runs nothing of the program's.
    #[inline]
    pub(super) fn push(
        &self,
        scope: &Scope<'_>,
        write: impl Fn(&mut Vec<u8>),
    ) -> Result<bool, Reason> {
        let pushed = MINE.try_with(|mine| {
            let mut mine = mine.borrow_mut();
            let own = (mine.iter()).position(|(number, _)| *number == self.number);
            let own = own.unwrap_or_else(|| {
                // Of fronts that are gone only this thread still has the buffer.
                mine.retain(|(_, buffer)| Arc::strong_count(buffer) > 1);
                mine.push((self.number, self.register()));
                mine.len() - 1
            });
            let (_, buffer) = mine.get(own)?;
            Some(self.push_to(buffer, scope, &write))
        });
        match pushed {
            Ok(Some(pushed)) => pushed,
            // The thread is ending, and its locals with it.
            _ => self.push_to(&self.register(), scope, &write),
        }
    }

    #[inline]
    fn push_to(
        &self,
        buffer: &Mutex<Buffer>,
        scope: &Scope<'_>,
        write: impl Fn(&mut Vec<u8>),
    ) -> Result<bool, Reason> {
        let mut buffer = lock(buffer);
        if buffer.is_closed {
            return Err(Reason::AfterShutdown);
        }
        let at = buffer.run(scope, self.records.as_ref());
        #[expect(clippy::indexing_slicing, reason = "where it is said to be")]
        let run = &mut buffer.runs[at];
        let begin = run.records.len();
        write(&mut run.records);
        let end = run.records.len();
        // The first record of a run pays for the run.
        let overhead = if begin == 0 { run.scope.size() } else { 0 };
        let length = end - begin + overhead;
        let Some(is_news) = self.take_room(length, &mut buffer) else {
            buffer.take_back(at, begin);
            return Err(Reason::QueueFull);
        };
        buffer.uncounted += 1;
        let is_busy = buffer.is_busy;
        if let Some(run) = buffer.runs.get_mut(at) {
            run.count += 1;
            if begin == 0 && is_busy {
                run.records.reserve(REQUEST + USUAL);
            }
        }
        Ok(is_news)
    }

    /// Takes room for a record of `length` bytes; says whether the sender must hear of it.
    #[inline]
    fn take_room(&self, length: usize, buffer: &mut Buffer) -> Option<bool> {
        let mut is_news = false;
        if let Some(records) = &self.records {
            if !records.take(1, false) {
                return None;
            }
            is_news = records.tell(1);
        }
        buffer.untold += length;
        if length > buffer.left {
            let needed = length - buffer.left;
            let portion = needed.max(self.portion);
            buffer.left += if self.bytes.take(portion, false) {
                portion
            } else if self.bytes.take(needed, true) {
                needed
            } else {
                buffer.untold -= length;
                self.records.iter().for_each(|records| records.put_back(1));
                return None;
            };
            is_news |= self.bytes.tell(take(&mut buffer.untold));
        }
        buffer.left -= length;
        Some(is_news)
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

    /// Whether nothing waits to be collected.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.fresh.load(Relaxed) == 0
    }

    /// Whether it is time to collect: there is enough for a request, or somebody found no room,
    /// which threads may have taken and not used.
    pub(super) fn has_enough(&self) -> bool {
        self.bytes.has_step()
            || self.records.as_ref().is_some_and(Room::has_step)
            || self.is_short.load(Relaxed)
    }

    /// Somebody found no room; whether the sender must hear of it.
    pub(super) fn runs_short(&self) -> bool {
        !self.is_short.load(Relaxed) && !self.is_short.swap(true, Relaxed)
    }

    /// Takes everything that threads left; with `close` they leave nothing more.
    pub(super) fn collect(&self, close: bool) -> Collected {
        let was_short = self.is_short.swap(false, Relaxed);
        let (mut runs, mut left, mut untold, mut uncounted) = (Vec::new(), 0, 0, 0);
        let mut registry = lock(&self.buffers);
        registry.is_closed |= close;
        registry.all.retain(|buffer| {
            // The thread is gone, unless it has the buffer, too.
            let is_orphan = Arc::strong_count(buffer) == 1;
            let mut buffer = lock(buffer);
            buffer.is_closed |= close;
            buffer.finish();
            runs.append(&mut buffer.runs);
            left += take(&mut buffer.left);
            untold += take(&mut buffer.untold);
            uncounted += take(&mut buffer.uncounted);
            !is_orphan
        });
        drop(registry);
        let size: usize = runs.iter().map(Run::size).sum();
        self.bytes.collected(size - untold);
        self.bytes.release(left);
        if let Some(records) = &self.records {
            records.collected(runs.iter().map(|run| run.count as usize).sum());
        }
        Collected {
            runs,
            uncounted,
            is_roomier: was_short && left > 0,
        }
    }

    /// Has `add` count the records that were left since somebody asked, before anything becomes
    /// of them.
    pub(super) fn count(&self, add: impl FnOnce(u64)) {
        let registry = lock(&self.buffers);
        let buffers = registry.all.iter();
        let uncounted = buffers.map(|buffer| take(&mut lock(buffer).uncounted));
        add(uncounted.sum());
    }

    /// Runs have met their fate, and make room.
    pub(super) fn release(&self, units: &Units) {
        self.bytes.release(units.buffered);
        if let Some(records) = &self.records {
            records.release(units.count as usize);
        }
    }
}

/// The scope of a record, borrowed.
pub(crate) enum Scope<'a> {
    /// The target of a macro call, which lives for ever, or of a record made by hand.
    Target(&'a str, Option<&'static str>),
    Key(ScopeKey),
}

impl Scope<'_> {
    #[inline]
    fn is(&self, key: &ScopeKey) -> bool {
        match self {
            Self::Target(target, _) => {
                // That of a macro call is the same text, which need not be read.
                let is_same = std::ptr::eq(&*key.target, *target) || key.target == *target;
                is_same && key.rest.is_none()
            }
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
    #[inline]
    fn run(&mut self, scope: &Scope<'_>, records: Option<&Room>) -> usize {
        let most = records.map_or(u64::MAX, |records| records.step as u64);
        // A run that is long enough for a request does not grow: it would be copied.
        let takes =
            |run: &Run| run.records.len() < REQUEST && run.count < most && scope.is(&run.scope);
        let count = self.runs.len();
        if self.runs.last().is_some_and(takes) {
            return count - 1;
        }
        let recent = count.saturating_sub(RUNS);
        let mut others = self.runs.iter().skip(recent);
        others.rposition(takes).map_or_else(
            || {
                self.finish();
                self.runs.push(Run {
                    scope: scope.to_key(),
                    records: Vec::new(),
                    count: 0,
                });
                count
            },
            |known| recent + known,
        )
    }

    /// The latest run does not grow any more.
    fn finish(&mut self) {
        if let Some(run) = self.runs.last() {
            self.is_busy = run.records.len() >= REQUEST / 2;
        }
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
#[cfg(not(lens_model))]
#[path = "front_tests.rs"]
mod tests;

#[cfg(test)]
#[cfg(lens_model)]
#[path = "front_model.rs"]
mod model;
