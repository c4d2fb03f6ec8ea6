//! The text of a failed assertion: what was expected, what came closest and why it is not
//! it, and everything that was captured.

use std::fmt::Write;
use std::sync::Arc;

use super::search::{Item, Search};
use crate::model::Snapshot;
use crate::tree::captured;

/// How many near misses, and how many unwanted matches, are shown.
const SHOWN: usize = 3;

/// An assertion that failed.
pub(super) struct Failed<'a, T> {
    pub(super) wanted: String,
    pub(super) plural: bool,
    pub(super) search: &'a Search<T>,
    pub(super) found: &'a [Arc<T>],
}

/// Ends the test.
#[track_caller]
pub(super) fn fail<T: Item>(failed: &Failed<'_, T>) -> ! {
    crate::attribute::fail(&failed.text())
}

/// Ends the test, for an assertion on one item.
#[track_caller]
pub(crate) fn broken<T: Item>(item: &T, why: &str, all: &Snapshot) -> ! {
    let line = item.line();
    crate::attribute::fail(&format!(
        "{why}\n  in {}  {line}\n\n{}",
        T::NAME,
        captured(all)
    ))
}

impl<T: Item> Failed<'_, T> {
    fn text(&self) -> String {
        let (name, search) = (T::NAME, self.search);
        let plural = if self.plural { "s" } else { "" };
        let mut text = format!("expected {} {name}{plural}\n", self.wanted);
        for criterion in &search.criteria {
            let _ = writeln!(text, "    {}", criterion.shown);
        }
        let total = search.candidates().len();
        let _ = writeln!(text, "found {} of {total} {name}s", self.found.len());
        if self.found.is_empty() {
            self.closest(&mut text);
        } else {
            self.matching(&mut text);
        }
        let _ = write!(text, "\n{}", captured(&search.all));
        text
    }

    fn matching(&self, text: &mut String) {
        text.push_str("\nmatching\n");
        for item in self.found.iter().take(SHOWN) {
            let _ = writeln!(text, "  {}", item.line());
        }
        if let Some(more @ 1..) = self.found.len().checked_sub(SHOWN) {
            let _ = writeln!(text, "  and {more} more");
        }
    }

    /// The items that miss the fewest criteria, and those they miss.
    fn closest(&self, text: &mut String) {
        let search = self.search;
        let mut misses: Vec<_> = (search.candidates().iter())
            .map(|item| {
                let missed: Vec<_> = (search.criteria.iter())
                    .filter_map(|criterion| (criterion.check)(item, &search.all).err())
                    .collect();
                (missed, item)
            })
            .collect();
        misses.sort_by_key(|(missed, item)| (missed.len(), item.sequence()));
        if misses.is_empty() {
            return;
        }
        text.push_str("\nclosest\n");
        for (missed, item) in misses.iter().take(SHOWN) {
            let _ = writeln!(text, "  {}", item.line());
            for why in missed {
                let _ = writeln!(text, "      {why}");
            }
        }
    }
}
