//! The part of a question that logs and spans share: criteria, and how many must meet them.

use std::future::poll_fn;
use std::sync::{Arc, mpsc};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

use super::failure::{Failed, fail};
use crate::model::Snapshot;

/// How long [`Search::wait`] waits, unless told otherwise.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Something that is searched for.
pub(crate) trait Item {
    /// What one is called.
    const NAME: &'static str;

    /// One line, as in a tree.
    fn line(&self) -> String;

    /// The position among everything captured.
    fn sequence(&self) -> u64;
}

/// Something that still captures.
pub(crate) trait Live: Send + Sync {
    /// Everything captured so far, and a version that grows with every change.
    fn snapshot(&self) -> (Arc<Snapshot>, u64);

    /// Has `waker` woken at the next change.
    fn register(&self, waker: &Waker);

    /// Waits until something has changed since version `seen`, or until `deadline`.
    fn wait(&self, seen: u64, deadline: Instant);

    /// Tells everybody who waits to look again.
    fn touch(&self);
}

type Check<T> = Arc<dyn Fn(&Arc<T>, &Arc<Snapshot>) -> Result<(), String> + Send + Sync>;

/// What an item must be.
#[derive(Clone)]
pub(super) struct Criterion<T> {
    /// `level = WARN`: what a failure shows.
    pub(super) shown: String,
    /// Why an item is not: `level: expected WARN, found INFO`.
    pub(super) check: Check<T>,
}

/// A question.
#[derive(Clone)]
pub(super) struct Search<T> {
    pub(super) all: Arc<Snapshot>,
    pub(super) live: Option<Arc<dyn Live>>,
    pub(super) criteria: Vec<Criterion<T>>,
    pub(super) items: fn(&Snapshot) -> &[Arc<T>],
    pub(super) allow_empty: bool,
}

impl<T: Item> Search<T> {
    pub(super) fn new(
        all: Arc<Snapshot>,
        live: Option<Arc<dyn Live>>,
        items: fn(&Snapshot) -> &[Arc<T>],
    ) -> Self {
        Self {
            all,
            live,
            criteria: Vec::new(),
            items,
            allow_empty: false,
        }
    }

    pub(super) fn with(
        mut self,
        shown: String,
        check: impl Fn(&Arc<T>, &Arc<Snapshot>) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.criteria.push(Criterion {
            shown,
            check: Arc::new(check),
        });
        self
    }

    pub(super) fn candidates(&self) -> &[Arc<T>] {
        (self.items)(&self.all)
    }

    /// What meets every criterion.
    pub(super) fn found(&self) -> Vec<Arc<T>> {
        let meets = |item: &&Arc<T>| {
            self.criteria
                .iter()
                .all(|criterion| (criterion.check)(item, &self.all).is_ok())
        };
        self.candidates().iter().filter(meets).cloned().collect()
    }

    #[track_caller]
    pub(super) fn exactly(&self, count: usize) -> Vec<Arc<T>> {
        if count == 0 {
            self.none();
        }
        let found = self.found();
        if found.len() != count {
            self.fail(format!("exactly {count}"), count, &found);
        }
        found
    }

    #[track_caller]
    pub(super) fn at_least(&self, count: usize) -> Vec<Arc<T>> {
        let found = self.found();
        if found.len() < count {
            self.fail(format!("at least {count}"), count, &found);
        }
        found
    }

    #[track_caller]
    pub(super) fn at_most(&self, count: usize) -> Vec<Arc<T>> {
        if count == 0 {
            self.none();
        }
        let found = self.found();
        if found.len() > count {
            self.fail(format!("at most {count}"), count, &found);
        }
        found
    }

    #[track_caller]
    pub(super) fn none(&self) {
        if !self.allow_empty && self.all.is_empty() {
            crate::attribute::fail(&format!(
                "expected no {}, and the capture is empty: did the code run inside the capture? \
                 (`allow_empty()` accepts that)",
                T::NAME
            ));
        }
        let found = self.found();
        if !found.is_empty() {
            self.fail("no".to_owned(), 0, &found);
        }
    }

    /// Waits until so many items meet the criteria, or the patience is over.
    pub(super) async fn wait(mut self, count: usize, patience: Duration) -> Self {
        let live = self.living();
        let deadline = Instant::now() + patience;
        let _alarm = Alarm::new(Arc::clone(&live), deadline);
        poll_fn(|task| {
            // Registered first: what comes between the look and the wait wakes, too.
            live.register(task.waker());
            (self.all, _) = live.snapshot();
            if self.found().len() >= count || Instant::now() >= deadline {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
        self
    }

    pub(super) fn wait_blocking(mut self, count: usize, patience: Duration) -> Self {
        let live = self.living();
        let deadline = Instant::now() + patience;
        loop {
            let version;
            (self.all, version) = live.snapshot();
            if self.found().len() >= count || Instant::now() >= deadline {
                return self;
            }
            live.wait(version, deadline);
        }
    }

    #[track_caller]
    fn living(&self) -> Arc<dyn Live> {
        match &self.live {
            Some(live) => Arc::clone(live),
            None => crate::attribute::fail(
                "a question to a span that was found knows nothing new; wait on a question to the \
                 capture instead, such as `cap.logs().in_span(&span).wait()`",
            ),
        }
    }

    #[track_caller]
    fn fail(&self, wanted: String, count: usize, found: &[Arc<T>]) -> ! {
        fail(&Failed {
            wanted,
            plural: count != 1,
            search: self,
            found,
        })
    }
}

/// Has a wait look at the clock when its time is over: by a thread, since a runtime's clock may
/// be paused. The thread ends with the wait.
struct Alarm(#[expect(dead_code, reason = "its drop is the message")] mpsc::Sender<()>);

impl Alarm {
    fn new(live: Arc<dyn Live>, deadline: Instant) -> Self {
        let (cancel, cancelled) = mpsc::channel();
        std::thread::spawn(move || {
            let left = deadline.saturating_duration_since(Instant::now());
            if cancelled.recv_timeout(left) == Err(mpsc::RecvTimeoutError::Timeout) {
                live.touch();
            }
        });
        Self(cancel)
    }
}
