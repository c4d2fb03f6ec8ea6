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
pub(crate) fn hold(context: Context, site: Option<&'static Site>) -> Option<Ticket> {
    let ticket = NEXT.try_with(|next| next.replace(next.get() + 1)).ok()?;
    let guard = ManuallyDrop::new(context.attach());
    let held = Held {
        ticket,
        site,
        guard,
    };
    HELD.try_with(|all| all.borrow_mut().push(held)).ok()?;
    Some(Ticket(ticket))
}

/// Makes what `ticket` stands for inactive, if it still is active.
pub(crate) fn release(Ticket(ticket): Ticket) {
    take(|held| held.ticket == ticket);
}

/// Takes the last guard for which `which` is true, and gives it up.
fn take(which: impl Fn(&Held) -> bool) -> Option<&'static Site> {
    let held = HELD.try_with(|all| {
        let mut all = all.borrow_mut();
        let last = all.iter().rposition(which)?;
        Some(all.remove(last))
    });
    let held = held.ok().flatten()?;
    // Dropped outside the borrow: the end of a context may run a span's processors.
    if has_context() {
        drop(ManuallyDrop::into_inner(held.guard));
    }
    held.site
}

/// A context that is active until this is dropped, with everything made active meanwhile.
#[derive(Debug)]
pub(super) struct Attached {
    guard: Option<ContextGuard>,
    since: u64,
}

impl Attached {
    pub(super) fn new(context: Context) -> Self {
        Self {
            since: NEXT.try_with(Cell::get).unwrap_or(u64::MAX),
            guard: Some(context.attach()),
        }
    }

    /// Ends what was made active meanwhile; returns where, if anything was.
    pub(super) fn end_inner(&self) -> Option<&'static Site> {
        let mut site = None;
        while let Some(held) = take(|held| held.ticket >= self.since) {
            site = Some(held);
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
