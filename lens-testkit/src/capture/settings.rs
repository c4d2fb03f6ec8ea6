//! What a test sets for itself alone.

use std::collections::HashMap;

use lens::opentelemetry::KeyValue;
use lens::opentelemetry_sdk::trace::{Sampler, SpanLimits};
use lens::{Builder, Env};

use super::Capture;
use super::registry::CountingIds;

/// Settings of a capture; made by [`Capture::builder`].
///
/// ```
/// use lens_testkit::Capture;
///
/// let cap = Capture::builder()
///     .level("warn")
///     .env("OTEL_SERVICE_NAME", "billing")
///     .start();
/// cap.in_scope(|| {
///     log::info!("below the level");
///     log::warn!("kept");
/// });
/// assert_eq!(cap.logs().one().resource("service.name"), Some(&"billing".into()));
/// ```
#[derive(Debug, Default)]
#[must_use = "nothing is captured until `start` is called"]
pub struct CaptureBuilder {
    pub(super) title: String,
    level: Option<String>,
    logger: Option<String>,
    filter: Option<String>,
    groups: Option<String>,
    env: HashMap<String, String>,
    pub(super) tracing: Tracing,
    pub(super) resource: Vec<KeyValue>,
}

/// What the SDK is told about spans.
#[derive(Clone, Debug, Default)]
pub(super) struct Tracing {
    pub(super) sampler: Option<Sampler>,
    pub(super) limits: Option<SpanLimits>,
    pub(super) counting_ids: Option<CountingIds>,
}

impl CaptureBuilder {
    /// Sets the least severity captured. Default `"trace"`.
    pub fn level(mut self, level: &str) -> Self {
        self.level = Some(level.to_owned());
        self
    }

    /// Captures only these loggers and their children. Default: every logger.
    pub fn logger(mut self, names: &str) -> Self {
        self.logger = Some(names.to_owned());
        self
    }

    /// Makes the spans of these groups only, see [`Builder::groups`](lens::Builder::groups);
    /// those of every group otherwise.
    pub fn groups(mut self, groups: &str) -> Self {
        self.groups = Some(groups.to_owned());
        self
    }

    /// Captures by directives, see [`Builder::filter`](lens::Builder::filter).
    pub fn filter(mut self, directives: &str) -> Self {
        self.filter = Some(directives.to_owned());
        self
    }

    /// Adds an attribute to the resource.
    pub fn resource(mut self, key: &str, value: &str) -> Self {
        let attribute = KeyValue::new(key.to_owned(), value.to_owned());
        self.resource.push(attribute);
        self
    }

    /// Sets a variable that lens sees inside the capture, and nothing else does.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Chooses which spans are recorded. Default: all.
    pub fn sampler(mut self, sampler: Sampler) -> Self {
        self.tracing.sampler = Some(sampler);
        self
    }

    /// Bounds the attributes, events and links of spans.
    pub fn limits(mut self, limits: SpanLimits) -> Self {
        self.tracing.limits = Some(limits);
        self
    }

    /// Lets trace and span ids count up from 1.
    pub fn counting_ids(mut self) -> Self {
        self.tracing.counting_ids = Some(CountingIds::default());
        self
    }

    /// Names the capture in failures.
    pub fn title(mut self, title: &str) -> Self {
        self.title = title.to_owned();
        self
    }

    /// Starts capturing what [scopes](Capture::in_scope) emit.
    ///
    /// # Panics
    ///
    /// When a setting is malformed, and when another logger took the slot of the `log` crate
    /// before lens-testkit could.
    #[must_use]
    pub fn start(self) -> Capture {
        Capture::with(self)
    }

    pub(super) fn virtual_env(&self) -> Env {
        self.env
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect()
    }

    /// The builder that stands for a program which has not started lens itself.
    pub(super) fn lens(&self) -> Builder {
        let mut builder = Builder::new()
            .level(self.level.as_deref().unwrap_or("trace"))
            .exporter("none");
        if let Some(names) = &self.logger {
            builder = builder.logger(names.as_str());
        }
        if let Some(groups) = &self.groups {
            builder = builder.groups(groups.as_str());
        }
        if let Some(directives) = &self.filter {
            builder = builder.filter(directives.as_str());
        }
        builder
    }
}
