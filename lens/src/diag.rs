//! What lens itself has to say: one line per change of state, on stderr, beginning `lens: `.
//!
//! Never through `log` (that would feed the bridge), never on stdout, never a panic when
//! stderr is gone.

use std::collections::HashSet;
use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

static SILENT: AtomicBool = AtomicBool::new(false);
static FAULTS: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// Turns every notice off or on again.
#[cfg(feature = "sdk")]
pub(crate) fn set_silent(silent: bool) {
    SILENT.store(silent, Relaxed);
}

/// Writes one notice.
pub(crate) fn say(notice: impl fmt::Display) {
    if !SILENT.load(Relaxed) {
        answer(notice);
    }
}

/// Writes what somebody asked for, whether notices are off or not.
pub(crate) fn answer(notice: impl fmt::Display) {
    // A notice may quote what a server or a variable said; it stays one line.
    let line = format!("lens: {}\n", one_line(&notice.to_string()));
    // One write, so that lines of several threads do not mix; a closed stderr is no concern.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// Says that `fault` began, unless it was said and has not [ended](recovered) since.
pub(crate) fn fault(fault: &str, notice: impl fmt::Display) {
    let mut faults = FAULTS.lock().unwrap_or_else(PoisonError::into_inner);
    let new = faults.get_or_insert_default().insert(fault.to_owned());
    drop(faults);
    if new {
        say(notice);
    }
}

/// Says that `fault` ended, if it was there.
#[cfg(feature = "sdk")]
pub(crate) fn recovered(fault: &str, notice: impl fmt::Display) {
    let mut faults = FAULTS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = faults.as_mut().is_some_and(|faults| faults.remove(fault));
    drop(faults);
    if known {
        say(notice);
    }
}

/// Forgets every fault, for a new start.
#[cfg(feature = "sdk")]
pub(crate) fn reset() {
    *FAULTS.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// `text` with its control characters escaped.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}
