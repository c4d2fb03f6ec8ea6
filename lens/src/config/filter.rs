//! What decides which records are bridged, as it was said: in the base that `level` and
//! `logger` make, in directives, and in scopes next to the code.
//!
//! In: settings. Out: a [`Table`] in which a record's target is looked up.

use log::LevelFilter;

use super::names::{normalise, parse_level, parse_names};
use super::table::Table;
use crate::scopes::{Level, Settings};

/// Everything that was said about which records leave.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    /// The level of the base.
    pub(super) level: LevelFilter,
    /// From the least to the most important where two have the same path.
    pub(super) base: Vec<Directive>,
    pub(super) code: Vec<Directive>,
    pub(super) scopes: Vec<Settings>,
    pub(super) top: Vec<Directive>,
    /// What `crate` in a directive stands for.
    root: String,
}

/// A logger and its children, at a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Directive {
    /// In normal form; empty is the root, which covers everything.
    pub(super) path: Vec<u8>,
    pub(super) level: LevelFilter,
}

impl Directive {
    fn new(path: &str, level: LevelFilter) -> Self {
        let mut normal = Vec::with_capacity(path.len());
        normalise(path, &mut normal);
        Self {
            path: normal,
            level,
        }
    }
}

impl Filter {
    /// The base: these loggers at `level` and the rest off, or everything at `level`.
    pub(crate) fn new(level: LevelFilter, loggers: &[String], root: &str) -> Self {
        let mut base: Vec<_> = (loggers.iter())
            .map(|logger| Directive::new(logger, level))
            .collect();
        let rest = if base.is_empty() {
            level
        } else {
            LevelFilter::Off
        };
        base.push(Directive::new("", rest));
        Self {
            level,
            base,
            code: Vec::new(),
            scopes: Vec::new(),
            top: Vec::new(),
            root: root.to_owned(),
        }
    }

    /// Puts what modules say of themselves on top of the code's directives.
    pub(crate) fn with_scopes(mut self, scopes: Vec<Settings>) -> Self {
        self.scopes = scopes;
        self
    }

    /// Sets the directives of the code, such as `warn,megatron.training=debug,hyper=off`;
    /// returns those that are none.
    pub(crate) fn set_code<'a>(&mut self, directives: &'a str) -> Vec<&'a str> {
        let (parsed, bad) = self.parse(directives);
        self.code = parsed;
        bad
    }

    /// Sets the directives that are above all others; returns those that are none.
    pub(crate) fn set_top<'a>(&mut self, directives: &'a str) -> Vec<&'a str> {
        let (parsed, bad) = self.parse(directives);
        self.top = parsed;
        bad
    }

    /// Whether a scope may hold records back.
    pub(crate) fn has_limits(&self) -> bool {
        let mut scopes = self.scopes.iter();
        scopes.any(|scope| scope.max_per_second.is_some() || scope.sample.is_some())
    }

    /// The scopes, in the order in which a [`Table`] numbers them.
    pub(crate) fn scopes(&self) -> &[Settings] {
        &self.scopes
    }

    /// Whether it is `logger`, and nothing else, that says what becomes of all other loggers.
    pub(super) fn leaves_out_by_logger(&self) -> bool {
        let is_root = |directive: &Directive| directive.path.is_empty();
        self.base.len() > 1 && !self.code.iter().chain(&self.top).any(is_root)
    }

    /// Builds what records are looked up in.
    pub(crate) fn table(&self) -> Table {
        Table::new(self)
    }

    fn parse<'a>(&self, directives: &'a str) -> (Vec<Directive>, Vec<&'a str>) {
        let (mut parsed, mut bad) = (Vec::new(), Vec::new());
        let texts = directives.split(',').map(str::trim);
        for text in texts.filter(|text| !text.is_empty()) {
            match self.parse_one(text) {
                Some(directive) => parsed.push(directive),
                None => bad.push(text),
            }
        }
        (parsed, bad)
    }

    fn parse_one(&self, text: &str) -> Option<Directive> {
        let (path, level) = match text.split_once('=') {
            Some((path, level)) => (path.trim(), parse_level(level.trim())?),
            // A level is for everything; a name alone takes all of it, as in `RUST_LOG`.
            None => match parse_level(text) {
                Some(level) => return Some(Directive::new("", level)),
                None => (text, LevelFilter::Trace),
            },
        };
        let names = parse_names(path, &self.root);
        names.first().map(|name| Directive::new(name, level))
    }
}

impl From<Level> for LevelFilter {
    fn from(level: Level) -> Self {
        match level {
            Level::Off => Self::Off,
            Level::Error => Self::Error,
            Level::Warn => Self::Warn,
            Level::Info => Self::Info,
            Level::Debug => Self::Debug,
            Level::Trace => Self::Trace,
        }
    }
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;
