//! What lens itself has to say: one line per change of state, on stderr, beginning `lens: `.
//!
//! Never through `log` (that would feed the bridge), never on stdout, never a panic when
//! stderr is gone. A state that comes and goes is told at most once a minute.

use std::collections::HashMap;
use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

static SILENT: AtomicBool = AtomicBool::new(false);
static FAULTS: Mutex<Option<HashMap<String, Fault>>> = Mutex::new(None);

/// How long it is from one line about a fault that comes and goes to the next.
const SELDOM: Duration = Duration::from_secs(60);

/// What is known of a fault.
struct Fault {
    is_there: bool,
    /// It was told that it is there, and not yet that it ended.
    is_told: bool,
    told_at: Instant,
}

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

/// Says that `fault` began, unless it was said and has not [ended](recovered) since, or it comes
/// and goes and the latest line about it is no minute old.
pub(crate) fn fault(fault: &str, notice: impl fmt::Display) {
    if began(fault, Instant::now()) {
        say(notice);
    }
}

/// Notes that `fault` is there; whether that is to be told.
fn began(fault: &str, now: Instant) -> bool {
    let mut faults = FAULTS.lock().unwrap_or_else(PoisonError::into_inner);
    let faults = faults.get_or_insert_default();
    let Some(known) = faults.get_mut(fault) else {
        let first = Fault {
            is_there: true,
            is_told: true,
            told_at: now,
        };
        faults.insert(fault.to_owned(), first);
        return true;
    };
    known.is_there = true;
    let tells = !known.is_told && now.duration_since(known.told_at) >= SELDOM;
    if tells {
        (known.is_told, known.told_at) = (true, now);
    }
    tells
}

/// Says that `fault` ended, if it was said that it is there.
#[cfg(feature = "sdk")]
pub(crate) fn recovered(fault: &str, notice: impl fmt::Display) {
    if ended(fault, Instant::now()) {
        say(notice);
    }
}

/// Notes that `fault` ended; whether that is to be told.
#[cfg(feature = "sdk")]
fn ended(fault: &str, now: Instant) -> bool {
    let mut faults = FAULTS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = faults.as_mut().and_then(|faults| faults.get_mut(fault));
    let Some(known) = known.filter(|known| known.is_there) else {
        return false;
    };
    known.is_there = false;
    let tells = std::mem::take(&mut known.is_told);
    if tells {
        known.told_at = now;
    }
    tells
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

#[cfg(all(test, feature = "sdk"))]
mod tests {
    use super::*;

    #[test]
    fn a_fault_that_comes_and_goes_is_told_once_a_minute() {
        let (key, start) = ("a fault of this test alone", Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        assert!(began(key, at(0)) && !began(key, at(1)));
        assert!(ended(key, at(2)) && !ended(key, at(3)));
        // It flaps.
        for second in (4..60).step_by(2) {
            assert!(
                !began(key, at(second)) && !ended(key, at(second + 1)),
                "{second}"
            );
        }
        // It stays, and that is told when a minute is over.
        assert!(!began(key, at(61)) && began(key, at(62)) && !began(key, at(70)));
        assert!(ended(key, at(300)));
    }
}
