//! Who sends: the resource attributes of every signal.

use opentelemetry::KeyValue;
use opentelemetry_sdk::Resource;

use crate::config::Config;
use crate::semconv::{service, telemetry};

/// Makes the resource from the settings.
///
/// Built from empty: the SDK's own detectors read the environment by other rules.
pub(crate) fn resource(config: &Config) -> Resource {
    let mut attributes = vec![
        KeyValue::new(service::NAME, config.service.clone()),
        KeyValue::new(telemetry::SDK_NAME, "opentelemetry"),
        KeyValue::new(telemetry::SDK_LANGUAGE, "rust"),
        KeyValue::new(telemetry::SDK_VERSION, SDK_VERSION),
    ];
    if !config.version.is_empty() {
        attributes.push(KeyValue::new(service::VERSION, config.version.clone()));
    }
    Resource::builder_empty()
        .with_attributes(attributes)
        .build()
}

/// Of the `opentelemetry_sdk` in Cargo.toml; `laws.rs` compares the two.
const SDK_VERSION: &str = "0.33.1";
