//! Questions about metrics.

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use super::search::Search;
use crate::matchers::{TextMatch, ValueMatch};
use crate::model::{Point, Snapshot};

/// Some of the data points of metrics: narrowed by each method, counted by the last one.
///
/// ```
/// use lens_testkit::Capture;
///
/// let cap = Capture::new();
/// cap.in_scope(|| lens::counter!("cart.items", 3, kind = "book"));
/// let items = cap.metrics().name("cart.items").attr("kind", "book").one();
/// assert_eq!(items.value, 3.0);
/// ```
#[derive(Clone)]
#[must_use = "a question asserts nothing until it is counted"]
pub struct Metrics(Search<Point>);

impl UnwindSafe for Metrics {}
impl RefUnwindSafe for Metrics {}

impl Metrics {
    pub(crate) fn of(all: Arc<Snapshot>) -> Self {
        Self(Search::new(all, None, |all| &all.points))
    }

    /// Those of metrics whose name matches.
    pub fn name(self, name: impl Into<TextMatch>) -> Self {
        let name = name.into();
        self.with(format!("name = {name}"), move |point| {
            name.check("name", &point.name)
        })
    }

    /// Those of that kind: `gauge`, `sum`, `histogram` or `exponential histogram`.
    pub fn kind(self, kind: &str) -> Self {
        let kind = kind.to_owned();
        self.with(format!("kind = {kind}"), move |point| {
            if point.kind == kind {
                return Ok(());
            }
            Err(format!("kind: expected {kind}, found {}", point.kind))
        })
    }

    /// Those that have this attribute, by value and type.
    pub fn attr(self, key: &str, value: impl Into<ValueMatch>) -> Self {
        let (key, value) = (key.to_owned(), value.into());
        self.with(format!("{key} = {value}"), move |point| {
            value.check(&key, point.attributes.get(&key))
        })
    }

    fn with(
        self,
        shown: String,
        check: impl Fn(&Point) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        Self(self.0.with(shown, move |point, _| check(point)))
    }

    /// Lets [`none`](Self::none) pass also when nothing was captured at all.
    pub fn allow_empty(mut self) -> Self {
        self.0.allow_empty = true;
        self
    }

    /// Returns the one there is.
    ///
    /// # Panics
    ///
    /// When there is none, or more than one.
    #[track_caller]
    pub fn one(self) -> Point {
        let mut found = self.0.exactly(1);
        Point::clone(&found.remove(0))
    }

    /// Asserts that there is none.
    ///
    /// # Panics
    ///
    /// When there is one, or nothing was captured at all.
    #[track_caller]
    pub fn none(self) {
        self.0.none();
    }

    /// Asserts how many there are, and returns them.
    ///
    /// # Panics
    ///
    /// When there are more or less.
    #[track_caller]
    pub fn exactly(self, count: usize) -> Vec<Point> {
        let found = self.0.exactly(count);
        found.iter().map(|point| Point::clone(point)).collect()
    }

    /// Returns how many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.found().len()
    }

    /// Returns them: of a capture by name, of a receiver in the order they came.
    #[must_use]
    pub fn to_vec(&self) -> Vec<Point> {
        let found = self.0.found();
        found.iter().map(|point| Point::clone(point)).collect()
    }
}
