//! The names of events, which OpenTelemetry wants to live for ever.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// How many names are kept; a program has few, and one that makes them up is not to leak.
const KEPT: usize = 1024;

static NAMES: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);

/// The name, kept for ever; `None` when there are too many.
pub(super) fn interned(name: &str) -> Option<&'static str> {
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let names = names.get_or_insert_default();
    if let Some(known) = names.get(name) {
        return Some(known);
    }
    (names.len() < KEPT).then(|| {
        let name: &'static str = Box::leak(name.into());
        names.insert(name);
        name
    })
}
