//! What lens-testkit puts in place of the one start: a start for each piece of running code.

use std::sync::{OnceLock, PoisonError, RwLock};

use log::Metadata;
use opentelemetry::Context;

use super::active::Active;
use crate::config::Builder;
use crate::groups::Groups;

static HOOKS: OnceLock<Hooks> = OnceLock::new();

/// How lens asks lens-testkit.
#[derive(Clone, Copy, Debug)]
pub struct Hooks {
    /// The scope the current code is in.
    pub resolve: fn() -> Option<&'static Scope>,
    /// A record came after the shutdown of that scope's lens.
    pub late: fn(),
    /// Puts a context that came from elsewhere into the scope of the current code.
    pub adopt: fn(Context) -> Context,
    /// Starts lens anew in that scope; whether there was one.
    pub start: fn(Box<Builder>) -> Result<(), Box<Builder>>,
}

/// The start that some code sees.
#[derive(Debug)]
pub struct Scope(RwLock<Option<&'static Active>>);

impl Scope {
    pub(crate) fn new(active: Option<&'static Active>) -> Self {
        Self(RwLock::new(active))
    }

    /// What tells it from others.
    pub(crate) fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    pub(crate) fn active(&self) -> Option<&'static Active> {
        *self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_active(&self, active: Option<&'static Active>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = active;
    }
}

/// Lets lens-testkit answer; the first call counts.
pub(crate) fn install(hooks: Hooks) -> bool {
    HOOKS.set(hooks).is_ok()
}

pub(crate) fn is_installed() -> bool {
    HOOKS.get().is_some()
}

pub(crate) fn current() -> Option<&'static Scope> {
    (HOOKS.get()?.resolve)()
}

/// Tells of a record that nobody takes any more, because lens was shut down.
pub(crate) fn late(metadata: &Metadata<'_>) {
    let stopped = current().and_then(Scope::active);
    let missed = stopped.is_some_and(|active| {
        let bridge = active.bridge.as_ref();
        !active.ending.is_running() && bridge.is_some_and(|bridge| bridge.decider.admits(metadata))
    });
    if let Some(hooks) = HOOKS.get().filter(|_| missed) {
        (hooks.late)();
    }
}

/// Whether the test that runs the current code wants spans of `group`.
pub(crate) fn wants(group: Option<&str>) -> bool {
    let Some(group) = group else { return true };
    current().and_then(Scope::active).is_none_or(|active| {
        let groups = active.groups.lock().unwrap_or_else(PoisonError::into_inner);
        groups.has(group)
    })
}

/// The context that a span is to belong to, in the scope of the current code.
pub(crate) fn adopt(context: Context) -> Context {
    match HOOKS.get() {
        Some(hooks) => (hooks.adopt)(context),
        None => context,
    }
}

/// Sets what the test that runs the current code wants; gives `groups` back where there
/// is none.
pub(crate) fn set_groups(groups: Groups) -> Option<Groups> {
    match current().and_then(Scope::active) {
        Some(active) => active.set_groups(groups),
        None => return Some(groups),
    }
    None
}

/// Starts lens in the current scope; gives `builder` back where there is none.
pub(crate) fn start(builder: Box<Builder>) -> Result<(), Box<Builder>> {
    match HOOKS.get() {
        Some(hooks) => (hooks.start)(builder),
        None => Err(builder),
    }
}
