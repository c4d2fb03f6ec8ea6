//! Numbers that are asked for when metrics are collected.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use opentelemetry::KeyValue;

use super::amount::{Amount, Number};
use super::attributes::is_present;
use super::kinds::Kind;
use super::metric::Metric;
use crate::{diag, epoch};

/// The metrics of the program that are watched, for the next start.
#[cfg(feature = "sdk")]
static ALL: Mutex<Vec<&'static (dyn Rebind + Sync)>> = Mutex::new(Vec::new());

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

/// A closure that is asked, and what its number is of.
struct Watch {
    number: Box<dyn Fn() -> Number + Send + Sync>,
    attributes: Vec<KeyValue>,
}

/// What one instrument asks.
#[derive(Default)]
struct List(Mutex<Vec<Arc<Watch>>>);

impl List {
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Watch>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The lists of a metric: of whole numbers, and of others.
#[derive(Default)]
pub(super) struct Watched {
    whole: Vec<Bound>,
    real: Vec<Bound>,
    #[cfg(feature = "sdk")]
    is_known: bool,
}

/// A list, and the provider whose instrument asks it.
struct Bound {
    owner: usize,
    list: Arc<List>,
}

impl Watched {
    pub(super) const fn new() -> Self {
        Self {
            whole: Vec::new(),
            real: Vec::new(),
            #[cfg(feature = "sdk")]
            is_known: false,
        }
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
        let watch = Arc::new(Watch {
            number: Box::new(move || amount().number()),
            attributes: attributes.into_iter().filter(is_present).collect(),
        });
        let list = self.list(A::IS_REAL);
        list.lock().push(Arc::clone(&watch));
        Observation {
            list: Arc::downgrade(&list),
            watch: Arc::downgrade(&watch),
        }
    }

    /// The list that is asked by an instrument of the provider that is in effect.
    fn list(&'static self, is_real: bool) -> Arc<List> {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        #[cfg(feature = "sdk")]
        if !std::mem::replace(&mut watched.is_known, true) {
            let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
            all.push(self);
        }
        let all = match is_real {
            true => &mut watched.real,
            false => &mut watched.whole,
        };
        let owner = owner();
        if let Some(known) = all.iter().find(|bound| bound.owner == owner) {
            return Arc::clone(&known.list);
        }
        let list = Arc::new(List::default());
        self.bind(is_real, &list);
        all.push(Bound {
            owner,
            list: Arc::clone(&list),
        });
        list
    }

    /// Has an instrument of the current provider ask the list.
    fn bind(&self, is_real: bool, list: &Arc<List>) {
        let (about, list) = (&self.about, Arc::clone(list));
        let name = about.name;
        let observe = move |tell: &mut dyn FnMut(Number, &[KeyValue])| {
            // With nothing locked: the closures may be anything.
            let watches = list.lock().clone();
            for watch in watches {
                match catch_unwind(AssertUnwindSafe(&watch.number)) {
                    Ok(number) => tell(number, &watch.attributes),
                    Err(_) => diag::fault(
                        &format!("metric {name} panics"),
                        format_args!("a closure of the metric {name} panicked; it has no number"),
                    ),
                }
            }
        };
        K::observe(&about.meter(), about, is_real, Box::new(observe));
    }
}

/// What the current provider is known by.
fn owner() -> usize {
    #[cfg(feature = "__testkit")]
    if let Some(scope) = crate::state::scope::current() {
        return std::ptr::from_ref(scope).addr();
    }
    epoch::current() as usize
}

/// Something whose instruments go over to another provider.
#[cfg(feature = "sdk")]
trait Rebind {
    fn rebind(&self);
}

#[cfg(feature = "sdk")]
impl<K: Kind> Rebind for Metric<K>
where
    Self: Sync,
{
    fn rebind(&self) {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let (owner, watched) = (owner(), &mut *watched);
        for (is_real, all) in [(false, &mut watched.whole), (true, &mut watched.real)] {
            for bound in all.iter_mut().filter(|bound| bound.owner != owner) {
                bound.owner = owner;
                self.bind(is_real, &bound.list);
            }
        }
    }
}

/// Has what is watched asked by the provider that is in effect now.
#[cfg(feature = "sdk")]
pub(crate) fn rebind() {
    let all = ALL.lock().unwrap_or_else(PoisonError::into_inner).clone();
    all.iter().for_each(|metric| metric.rebind());
}
