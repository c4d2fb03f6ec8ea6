//! The decision about a record, looked up by its target.
//!
//! As many look-ups as the target has parts, however many directives there are; what comes of
//! them is kept for the next record of the same target.

use std::collections::HashMap;

use log::LevelFilter;

use super::filter::{Directive, Filter};
use super::names::{SEPARATOR, normalise};
use crate::scopes::Settings;

/// What decides about a target, by path.
#[derive(Debug)]
pub(crate) struct Table {
    levels: HashMap<Vec<u8>, LevelFilter>,
    /// The levels of scopes, for records whose target says nothing of where they are from.
    modules: HashMap<Vec<u8>, LevelFilter>,
    /// Which scope holds records back, by the path it is for.
    limits: HashMap<Vec<u8>, usize>,
    root: LevelFilter,
}

/// What is decided about records of one target and module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    /// The least severity that is bridged.
    pub(crate) level: LevelFilter,
    /// The number of the scope that may hold it back.
    pub(crate) limit: Option<usize>,
}

impl Table {
    pub(super) fn new(filter: &Filter) -> Self {
        let mut table = Self {
            levels: HashMap::new(),
            modules: HashMap::new(),
            limits: HashMap::new(),
            root: LevelFilter::Off,
        };
        table.extend(&filter.base);
        table.extend(&filter.code);
        for scope in &filter.scopes {
            if let Some(asked) = scope.level {
                table.scope(scope, asked.into());
            }
        }
        table.extend(&filter.top);
        for (number, scope) in filter.scopes.iter().enumerate() {
            let module = path(scope.module);
            // Annotating is asking: what `logger` left out is bridged too.
            let is_left_out = filter.leaves_out_by_logger() && table.covering(&module).is_none();
            if scope.level.is_none() && is_left_out {
                table.scope(scope, filter.level);
            }
            if scope.max_per_second.is_some() || scope.sample.is_some() {
                table.limits.insert(module, number);
            }
        }
        table
    }

    fn extend(&mut self, directives: &[Directive]) {
        for directive in directives {
            if directive.path.is_empty() {
                self.root = directive.level;
            } else {
                self.levels.insert(directive.path.clone(), directive.level);
            }
        }
    }

    fn scope(&mut self, scope: &Settings, level: LevelFilter) {
        self.levels.insert(path(scope.module), level);
        self.modules.insert(path(scope.module), level);
    }

    /// Decides about records of `target` that are made in `module`; in whichever module lets
    /// most pass, where that is not known.
    pub(crate) fn decide(&self, target: &str, module: Option<&str>) -> Decision {
        let (target, module) = (path(target), module.map(path));
        let by_module = || match &module {
            Some(module) => longest(&self.modules, module),
            None => self
                .modules
                .values()
                .copied()
                .max()
                .map(|most| most.max(self.root)),
        };
        let level = self
            .covering(&target)
            .or_else(by_module)
            .unwrap_or(self.root);
        let by_module = || longest(&self.limits, module.as_deref()?);
        let limit = longest(&self.limits, &target).or_else(by_module);
        Decision { level, limit }
    }

    fn covering(&self, target: &[u8]) -> Option<LevelFilter> {
        longest(&self.levels, target)
    }

    /// The most verbose level that can pass.
    pub(crate) fn max_level(&self) -> LevelFilter {
        let levels = self.levels.values().chain(self.modules.values());
        levels.copied().fold(self.root, Ord::max)
    }
}

fn path(name: &str) -> Vec<u8> {
    let mut path = Vec::with_capacity(name.len());
    normalise(name, &mut path);
    path
}

/// What `map` has for the longest path that `name` is, or is below.
fn longest<T: Copy>(map: &HashMap<Vec<u8>, T>, name: &[u8]) -> Option<T> {
    if map.is_empty() {
        return None;
    }
    let mut path = name;
    loop {
        if let Some(found) = map.get(path) {
            return Some(*found);
        }
        let end = path.iter().rposition(|byte| *byte == SEPARATOR)?;
        path = path.get(..end)?;
    }
}
