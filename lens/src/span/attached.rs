//! What is active on the current thread, and for how long.
//!
//! A context is active for one call or one poll, and what was made active in that and is
//! still there at its end goes with it: a guard of `span!` that was forgotten, or held
//! across an `.await`, must not show in other code. So such guards are kept here, on the
//! thread, and a [`SpanGuard`](super::SpanGuard) knows only which is its own.

use std::cell::{Cell, RefCell};
use std::mem::ManuallyDrop;

use opentelemetry::{Context, ContextGuard};

use crate::context::has_context;
use crate::groups::Site;

thread_local! {
    /// In the order they were made active.
    static HELD: RefCell<Vec<Held>> = const { RefCell::new(Vec::new()) };
    static NEXT: Cell<u64> = const { Cell::new(0) };
}

struct Held {
    ticket: u64,
    site: Option<&'static Site>,
    /// Never dropped by the thread's end: the context may be gone before it.
    guard: ManuallyDrop<ContextGuard>,
}

/// Which of the thread's guards is meant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticket(u64);

/// Makes `context` active until its ticket is given back, or the call or poll around it ends.
///
/// `None`, and not active, on a thread that is ending: nothing could take it back.
pub(crate) fn hold(context: Context, site: Option<&'static Site>) -> Option<Ticket> {
    if !has_context() {
        return None;
    }
    HELD.try_with(|all| {
        let ticket = NEXT.replace(NEXT.get() + 1);
        all.borrow_mut().push(Held {
            ticket,
            site,
            guard: ManuallyDrop::new(context.attach()),
        });
        Ticket(ticket)
    })
    .ok()
}

/// Makes what `ticket` stands for inactive, if it still is active.
pub(crate) fn release(Ticket(ticket): Ticket) {
    if let Some(held) = take(|held| held.ticket == ticket) {
        held.end();
    }
}

/// Takes the last guard for which `which` is true.
fn take(which: impl Fn(&Held) -> bool) -> Option<Held> {
    let held = HELD.try_with(|all| {
        let mut all = all.borrow_mut();
        let last = all.iter().rposition(which)?;
        Some(all.remove(last))
    });
    held.ok().flatten()
}

impl Held {
    /// Makes its context inactive; with nothing borrowed, since the end of a context may run a
    /// span's processors.
    fn end(self) {
        if has_context() {
            drop(ManuallyDrop::into_inner(self.guard));
        }
    }
}

/// Work that is done with the context that is current now, wherever that is; what it leaves active
/// ends with it, since the thread may be another's then.
pub(crate) fn carried<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let context = has_context().then(Context::current);
    move || {
        let _active = context.and_then(Attached::new);
        work()
    }
}

/// A context that is active until this is dropped, with everything made active meanwhile.
#[derive(Debug)]
pub(crate) struct Attached {
    guard: Option<ContextGuard>,
    since: u64,
}

impl Attached {
    /// `None`, and not active, on a thread that is ending.
    pub(crate) fn new(context: Context) -> Option<Self> {
        has_context().then(|| Self {
            since: NEXT.get(),
            guard: Some(context.attach()),
        })
    }

    /// Ends what was made active meanwhile; returns where, if a `span!` did it.
    pub(super) fn end_inner(&self) -> Option<&'static Site> {
        let mut site = None;
        while let Some(held) = take(|held| held.ticket >= self.since) {
            site = held.site.or(site);
            held.end();
        }
        site
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.end_inner();
        let guard = self.guard.take();
        if !has_context() {
            // The thread is ending: the stack to be popped is gone.
            std::mem::forget(guard);
        }
    }
}
