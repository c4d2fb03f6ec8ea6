//! What all records of one call in the source have in common, encoded once.
//!
//! In: a record. Out: its severity and where it was made, as bytes of a log record. Each thread
//! keeps those of its latest calls.

use std::cell::RefCell;
use std::rc::Rc;

use log::Level;
use opentelemetry::logs::Severity;

use super::origin::Origin;
use super::own::Own;
use crate::encode::{LogFields, Message as _};
use crate::state::Bridge;

/// How many calls a thread keeps. They lie by line and file; a program has fewer in a loop.
const KEPT: usize = 64;

thread_local! {
    static LATEST: RefCell<Latest> = const { RefCell::new(Latest { bridge: None, kept: Vec::new() }) };
}

struct Latest {
    /// Whose rules were followed.
    bridge: Option<&'static Bridge>,
    kept: Vec<Option<(Site, Rc<[u8]>)>>,
}

/// A call of `log::info!` or one of its like.
#[derive(Clone, Copy)]
struct Site {
    file: &'static str,
    line: Option<u32>,
    level: Level,
}

/// What `record` has in common with all of its call; none where it was made by hand, or the
/// thread is ending.
#[inline]
pub(super) fn common(bridge: &'static Bridge, record: &impl Origin) -> Option<Rc<[u8]>> {
    let site = Site {
        file: record.literal_file()?,
        line: record.line(),
        level: record.level(),
    };
    let common = LATEST.try_with(|latest| {
        // Nothing of the program runs while it is borrowed.
        let mut latest = latest.try_borrow_mut().ok()?;
        latest.of(bridge, site)
    });
    common.ok().flatten()
}

impl Latest {
    #[inline]
    fn of(&mut self, bridge: &'static Bridge, site: Site) -> Option<Rc<[u8]>> {
        if !self.bridge.is_some_and(|own| std::ptr::eq(own, bridge)) {
            self.kept.clear();
            self.kept.resize_with(KEPT, || None);
            self.bridge = Some(bridge);
        }
        let kept = self.kept.get_mut(site.place())?;
        match kept {
            Some((own, common)) if own.is(site) => Some(Rc::clone(common)),
            _ => {
                let common: Rc<[u8]> = site.encode(bridge).into();
                *kept = Some((site, Rc::clone(&common)));
                Some(common)
            }
        }
    }
}

impl Site {
    /// By the address of the file's name, which lives for ever.
    fn is(self, other: Self) -> bool {
        std::ptr::eq(self.file, other.file) && self.line == other.line && self.level == other.level
    }

    fn place(self) -> usize {
        let line = self.line.unwrap_or_default() as usize;
        (line ^ (self.file.as_ptr().addr() >> 4)) % KEPT
    }

    fn encode(self, bridge: &Bridge) -> Vec<u8> {
        let (number, text) = severity(self.level);
        let fields = LogFields {
            severity: (Some(number), text),
            ..LogFields::of(Own {
                file: Some(self.file),
                line: self.line,
                ..Own::new(&bridge.rules.redact, bridge.rules.limits)
            })
        };
        let mut bytes = Vec::new();
        fields.write(&mut bytes);
        bytes
    }
}

/// Number and text.
pub(super) fn severity(level: Level) -> (Severity, &'static str) {
    match level {
        Level::Error => (Severity::Error, "ERROR"),
        Level::Warn => (Severity::Warn, "WARN"),
        Level::Info => (Severity::Info, "INFO"),
        Level::Debug => (Severity::Debug, "DEBUG"),
        Level::Trace => (Severity::Trace, "TRACE"),
    }
}
