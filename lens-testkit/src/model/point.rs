//! A data point of a metric.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Value, rendered};
use crate::query::Item;

/// A data point of a metric, as a receiver got it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Point {
    /// The metric's name.
    pub name: String,
    /// The metric's unit; empty where it has none.
    pub unit: String,
    /// `gauge`, `sum` or `histogram`; `exponential histogram` where that has such buckets.
    pub kind: &'static str,
    /// Whether a sum or a histogram begins anew with each collection.
    pub is_delta: bool,
    /// What was measured; of a histogram the sum.
    pub value: f64,
    /// How many measurements a histogram has; 1 otherwise.
    pub count: u64,
    /// Attributes of the point.
    pub attributes: BTreeMap<String, Value>,
    pub(crate) resource: Arc<BTreeMap<String, Value>>,
}

impl Item for Point {
    const NAME: &'static str = "data point";

    fn line(&self) -> String {
        let Self {
            name,
            unit,
            kind,
            value,
            count,
            ..
        } = self;
        let mut line = format!("{name} {kind} value={value}");
        if *count != 1 {
            line.push_str(&format!(" count={count}"));
        }
        if !unit.is_empty() {
            line.push_str(&format!(" {unit}"));
        }
        let attributes: Vec<_> = (self.attributes.iter())
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        for (key, value) in rendered(&attributes) {
            line.push_str(&format!(" {key}={value}"));
        }
        line
    }

    fn sequence(&self) -> u64 {
        0
    }
}

impl Point {
    /// Returns an attribute of the sender.
    #[must_use]
    pub fn resource(&self, key: &str) -> Option<&Value> {
        self.resource.get(key)
    }
}
