//! Numbers that are asked for when metrics are collected.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use opentelemetry::KeyValue;

use super::amount::{Amount, Number};
use super::attributes::is_present;
use super::kinds::Kind;
use super::metric::Metric;
use crate::asked::{self, Ask};
#[cfg(feature = "sdk")]
use crate::os;
use crate::{diag, epoch};

/// Keeps a closure asked, at each collection of metrics, until this is dropped.
///
/// Made by [`gauge!`](crate::gauge!) and its like, where the number is a closure.
#[must_use = "the closure is asked until this is dropped; bind it, or have it asked for ever with `.forever()`"]
pub struct Observation {
    list: Weak<List>,
    watch: Weak<Watch>,
}

impl Observation {
    /// Has the closure asked until the program ends.
    ///
    /// ```
    /// lens::gauge!("process.threads", || 1).forever();
    /// ```
    pub fn forever(self) {
        std::mem::forget(self);
    }
}

impl fmt::Debug for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observation").finish_non_exhaustive()
    }
}

impl Drop for Observation {
    fn drop(&mut self) {
        if is_stranded() {
            return;
        }
        if let Some(list) = self.list.upgrade() {
            let watch = self.watch.as_ptr();
            let mut watches = list.lock();
            let at = watches.iter().position(|known| Arc::as_ptr(known) == watch);
            let gone = at.map(|at| watches.swap_remove(at));
            drop(watches);
            // The closure may own what measures as it is dropped.
            drop(gone);
        }
    }
}

/// In a forked child a lock may be held for ever, and nobody collects.
fn is_stranded() -> bool {
    #[cfg(feature = "sdk")]
    return os::is_forked_child();
    #[cfg(not(feature = "sdk"))]
    return false;
}

/// A closure that is asked, what it said last, and what its number is of.
struct Watch {
    number: Box<dyn Fn() -> Number + Send + Sync>,
    said: Mutex<Option<Number>>,
    attributes: Vec<KeyValue>,
}

impl Watch {
    /// Asks the closure, which may be anything.
    fn ask(&self, name: &str) -> Option<Number> {
        let number = catch_unwind(AssertUnwindSafe(&self.number));
        if number.is_err() {
            diag::fault(
                &format!("metric {name} panics"),
                format_args!("a closure of the metric {name} panicked; it has no number"),
            );
        }
        number.ok()
    }

    fn said(&self) -> MutexGuard<'_, Option<Number>> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Something that makes instruments.
trait Bind: Sync {
    /// Has an instrument of the current provider tell the list; with nothing locked.
    fn bind(&self, list: &Arc<List>);
}

/// What one instrument tells.
struct List {
    /// The metric, and its name.
    metric: &'static dyn Bind,
    name: &'static str,
    /// They are not whole numbers.
    is_real: bool,
    /// By what the provider of the instrument is known.
    owner: AtomicUsize,
    watches: Mutex<Vec<Arc<Watch>>>,
}

impl List {
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Watch>>> {
        self.watches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the numbers. A provider of somebody else's collects without a word, and its closures
    /// are asked then.
    fn tell(&self, tell: &mut dyn FnMut(Number, &[KeyValue])) {
        if self.owner.load(Relaxed) == epoch::FOREIGN as usize {
            let watches = self.lock().clone();
            for watch in watches {
                if let Some(number) = watch.ask(self.name) {
                    tell(number, &watch.attributes);
                }
            }
            return;
        }
        // Under the lock, so that no closure is dropped here: nothing of the program's runs.
        for watch in self.lock().iter() {
            if let Some(number) = *watch.said() {
                tell(number, &watch.attributes);
            }
        }
    }
}

impl Ask for List {
    fn owner(&self) -> usize {
        self.owner.load(Relaxed)
    }

    fn ask(&self) {
        let watches = self.lock().clone();
        for watch in watches {
            let number = watch.ask(self.name);
            *watch.said() = number;
        }
    }

    fn forget(&self) {
        for watch in self.lock().iter() {
            *watch.said() = None;
        }
    }

    fn go_over(self: Arc<Self>) {
        let owner = owner();
        if self.owner.swap(owner, Relaxed) != owner {
            self.metric.bind(&self);
        }
    }
}

/// The lists of a metric, each of an instrument: of whole numbers and of others, and in tests of
/// each capture.
pub(super) struct Watched {
    lists: Vec<Arc<List>>,
}

impl Watched {
    pub(super) const fn new() -> Self {
        Self { lists: Vec::new() }
    }
}

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watched").finish_non_exhaustive()
    }
}

impl<K: Kind> Metric<K> {
    /// Has `amount` asked at each collection.
    pub fn watch<A: Amount, const N: usize>(
        &'static self,
        amount: impl Fn() -> A + Send + Sync + 'static,
        attributes: [KeyValue; N],
    ) -> Observation {
        if is_stranded() {
            return Observation {
                list: Weak::new(),
                watch: Weak::new(),
            };
        }
        let watch = Arc::new(Watch {
            number: Box::new(move || amount().number()),
            said: Mutex::default(),
            attributes: attributes.into_iter().filter(is_present).collect(),
        });
        let list = self.list(A::IS_REAL);
        list.lock().push(Arc::clone(&watch));
        Observation {
            list: Arc::downgrade(&list),
            watch: Arc::downgrade(&watch),
        }
    }

    /// The list that an instrument of the provider tells which is in effect.
    fn list(&'static self, is_real: bool) -> Arc<List> {
        let owner = owner();
        let mut watched = self.watched();
        let is_meant = |list: &&Arc<List>| list.is_real == is_real && list.owner() == owner;
        if let Some(known) = watched.lists.iter().find(is_meant) {
            return Arc::clone(known);
        }
        let list = Arc::new(List {
            metric: self,
            name: self.about.name,
            is_real,
            owner: AtomicUsize::new(owner),
            watches: Mutex::default(),
        });
        watched.lists.push(Arc::clone(&list));
        drop(watched);
        let weak: Weak<List> = Arc::downgrade(&list);
        asked::register(weak);
        self.bind(&list);
        list
    }

    fn watched(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Kind> Bind for Metric<K> {
    fn bind(&self, list: &Arc<List>) {
        let (about, is_real, list) = (&self.about, list.is_real, Arc::clone(list));
        let observe = move |tell: &mut dyn FnMut(Number, &[KeyValue])| list.tell(tell);
        K::observe(&about.meter(), about, is_real, Box::new(observe));
    }
}

/// What the current provider is known by.
fn owner() -> usize {
    #[cfg(feature = "__testkit")]
    if let Some(scope) = crate::state::scope::current() {
        return scope.address();
    }
    epoch::current() as usize
}
