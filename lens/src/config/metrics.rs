//! How metrics are collected.
//!
//! <https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#periodic-exporting-metricreader>

use std::time::Duration;

use opentelemetry_sdk::metrics::Temporality;

use super::read::{Reader, code_or};
use super::values::Millis;
use super::views::{Views, views};
use super::{Builder, vars};
use crate::stats::FOR_EVER;

const INTERVAL: Duration = Duration::from_secs(60);
const TIMEOUT: Duration = Duration::from_secs(30);

/// How metrics are collected.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Metrics {
    /// Between two collections.
    pub(crate) interval: Duration,
    /// How long one collection is tried to be exported; `None` is for ever.
    pub(crate) timeout: Option<Duration>,
    pub(crate) temporality: Temporality,
    /// Histograms have exponential buckets where nobody says which.
    pub(crate) exponential: bool,
    pub(crate) views: Views,
}

/// Settles how metrics are collected.
pub(super) fn metrics(builder: &Builder, read: &mut Reader<'_>) -> Metrics {
    let asked = code_or(builder.metric_interval, INTERVAL);
    let mut interval = read.millis(vars::METRIC_INTERVAL, asked).min(FOR_EVER);
    if interval.is_zero() {
        read.say(format!(
            "{} is zero, and nothing can be done in no time; using 60000 ms",
            vars::METRIC_INTERVAL
        ));
        interval = INTERVAL;
        let origin = read.origin(vars::METRIC_INTERVAL);
        read.settle(vars::METRIC_INTERVAL, Millis(interval), origin);
    }
    let timeout = read.millis(
        vars::METRIC_TIMEOUT,
        code_or(builder.metric_timeout, TIMEOUT),
    );
    Metrics {
        interval,
        timeout: (!timeout.is_zero()).then_some(timeout.min(FOR_EVER)),
        temporality: temporality(builder, read),
        exponential: exponential(builder, read),
        views: views(builder, read),
    }
}

fn temporality(builder: &Builder, read: &mut Reader<'_>) -> Temporality {
    named_setting(
        read,
        vars::TEMPORALITY,
        &[
            ("cumulative", Temporality::Cumulative),
            ("delta", Temporality::Delta),
            ("lowmemory", Temporality::LowMemory),
        ],
        builder.temporality,
    )
}

fn exponential(builder: &Builder, read: &mut Reader<'_>) -> bool {
    named_setting(
        read,
        vars::HISTOGRAM,
        &[
            ("explicit_bucket_histogram", false),
            ("base2_exponential_bucket_histogram", true),
        ],
        builder.exponential_histograms,
    )
}

/// One of some values with names, by default the first.
fn named_setting<T: Copy + PartialEq>(
    read: &mut Reader<'_>,
    var: &'static str,
    values: &[(&'static str, T)],
    code: Option<T>,
) -> T {
    let name_of = |value: T| {
        let known = values.iter().find(|(_, known)| *known == value);
        known.map(|(name, _)| *name)
    };
    let parse = |text: &str| {
        let mut names = values.iter().map(|(name, _)| *name);
        names.find(|name| name.eq_ignore_ascii_case(text))
    };
    let names: Vec<_> = values.iter().map(|(name, _)| *name).collect();
    let default = names.first().copied().unwrap_or_default();
    let or = code_or(code.and_then(name_of), default);
    let name = read.setting(var, &names.join(" or "), parse, or);
    let chosen = values.iter().find(|(known, _)| *known == name);
    #[expect(clippy::indexing_slicing, reason = "the lists above are not empty")]
    chosen.map_or(values[0].1, |(_, value)| *value)
}
