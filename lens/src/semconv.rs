//! The attribute keys that go to the wire, spelled once.
//!
//! Sources: the OpenTelemetry semantic conventions 1.44 for everything but `nemo.*`, which
//! are the names of nemo-lens, and `lens.*`, which are ours.

#[cfg(feature = "sdk")]
pub(crate) mod service {
    pub(crate) const NAME: &str = "service.name";
    pub(crate) const VERSION: &str = "service.version";
}

#[cfg(feature = "sdk")]
pub(crate) mod telemetry {
    pub(crate) const SDK_NAME: &str = "telemetry.sdk.name";
    pub(crate) const SDK_LANGUAGE: &str = "telemetry.sdk.language";
    pub(crate) const SDK_VERSION: &str = "telemetry.sdk.version";
}

pub(crate) mod code {
    pub(crate) const FUNCTION_NAME: &str = "code.function.name";
    pub(crate) const FILE_PATH: &str = "code.file.path";
    pub(crate) const LINE_NUMBER: &str = "code.line.number";

    /// What a person who reads a tree can do without.
    #[cfg(feature = "sdk")]
    pub(crate) const ALL: [&str; 3] = [FUNCTION_NAME, FILE_PATH, LINE_NUMBER];
}

#[cfg(feature = "sdk")]
pub(crate) mod exception {
    pub(crate) const TYPE: &str = "exception.type";
    pub(crate) const MESSAGE: &str = "exception.message";
    pub(crate) const STACKTRACE: &str = "exception.stacktrace";
}

#[cfg(feature = "sdk")]
pub(crate) mod otel {
    pub(crate) const DROPPED_ATTRIBUTES_COUNT: &str = "otel.dropped_attributes_count";
}

/// The keys under which code names the event that a log record is.
#[cfg(feature = "sdk")]
pub(crate) mod event {
    pub(crate) const NAMES: [&str; 2] = ["event.name", "otel.event.name"];
}

/// How many log records a scope held back, by the setting that did it.
#[cfg(feature = "sdk")]
pub(crate) mod held_back {
    pub(crate) const OVER_RATE: &str = "lens.held_back.max_per_second";
    pub(crate) const NOT_SAMPLED: &str = "lens.held_back.sample";
}

#[cfg(feature = "sdk")]
pub(crate) mod nemo {
    /// Set on a span that was still open when telemetry stopped.
    pub(crate) const SPAN_TRUNCATED: &str = "nemo.span.truncated";
}
