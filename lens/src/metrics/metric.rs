//! A place in the code that measures.

use std::sync::Mutex;

use opentelemetry::metrics::Meter;
use opentelemetry::{InstrumentationScope, KeyValue, global};

use super::amount::Amount;
use super::attributes::present;
use super::cached::Cached;
use super::kinds::Kind;
use super::watch::Watched;
use crate::epoch;

/// A place in the code that measures, with the instrument it has made.
#[derive(Debug)]
pub struct Metric<K: Kind> {
    pub(super) about: About,
    pub(super) whole: Cached<K::Whole>,
    pub(super) real: Cached<K::Real>,
    pub(super) watched: Mutex<Watched>,
}

/// What code says of an instrument.
#[derive(Debug)]
pub struct About {
    pub(super) name: &'static str,
    pub(super) unit: Option<&'static str>,
    pub(super) description: Option<&'static str>,
    pub(super) buckets: Option<&'static [f64]>,
    package: Option<&'static str>,
    version: Option<&'static str>,
}

impl About {
    /// A meter of the crate it stands in.
    pub(super) fn meter(&self) -> Meter {
        let mut scope = InstrumentationScope::builder(self.package.unwrap_or_default());
        if let Some(version) = self.version {
            scope = scope.with_version(version);
        }
        global::meter_with_scope(scope.build())
    }
}

impl<K: Kind> Metric<K> {
    /// An instrument of that name.
    #[must_use]
    pub const fn new(
        name: &'static str,
        (package, version): (Option<&'static str>, Option<&'static str>),
    ) -> Self {
        Self {
            about: About {
                name,
                unit: None,
                description: None,
                buckets: None,
                package,
                version,
            },
            whole: Cached::new(),
            real: Cached::new(),
            watched: Mutex::new(Watched::new()),
        }
    }

    /// Sets its unit.
    #[must_use]
    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.about.unit = Some(unit);
        self
    }

    /// Says what it is.
    #[must_use]
    pub const fn description(mut self, description: &'static str) -> Self {
        self.about.description = Some(description);
        self
    }

    /// Sets the upper bounds of its buckets.
    #[must_use]
    pub const fn buckets(mut self, bounds: &'static [f64]) -> Self {
        self.about.buckets = Some(bounds);
        self
    }

    /// Measures. Where nothing is, this is one load, and nobody is asked.
    #[inline]
    pub fn measure<A: Amount, const N: usize>(
        &'static self,
        amount: impl FnOnce() -> A,
        attributes: impl FnOnce() -> [KeyValue; N],
    ) {
        let epoch = epoch::current();
        if epoch != epoch::OFF {
            // All of it in line: a number that goes through memory costs as much as the rest.
            K::measure(self, epoch, amount().number(), &present(&attributes()));
        }
    }
}
