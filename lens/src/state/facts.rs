//! What was settled by the latest start, for whoever asks for an explanation.

use std::sync::{Arc, Mutex, PoisonError};

use opentelemetry_sdk::Resource;

use crate::config::{Config, Route, Settled, Target};
use crate::groups;
use crate::scopes::{Settings, declared};
use crate::stats::Signal;

static LATEST: Mutex<Option<Arc<Facts>>> = Mutex::new(None);

/// What the latest start settled.
#[derive(Debug)]
pub(crate) struct Facts {
    /// lens exports here.
    pub(crate) enabled: bool,
    pub(crate) settled: Vec<Settled>,
    pub(crate) notices: Vec<String>,
    pub(crate) unknown: Vec<(String, String)>,
    /// Where OTLP goes.
    pub(crate) targets: Vec<(Signal, Target)>,
    /// Keys and values, in order.
    pub(crate) resource: Vec<(String, String)>,
}

impl Facts {
    pub(crate) fn new(config: &Config, resource: &Resource, notices: Vec<String>) -> Self {
        let routes = Signal::ALL.into_iter().flat_map(|signal| {
            let routes = config.routes(signal).unwrap_or_default();
            routes.iter().map(move |route| (signal, route))
        });
        let targets = routes.filter_map(|(signal, route)| match route {
            Route::Otlp(target) => Some((signal, (**target).clone())),
            _ => None,
        });
        let hidden = |key: &str, value: String| {
            if config.records.redact.hides(key) {
                crate::config::REDACTED.to_owned()
            } else {
                value
            }
        };
        let pairs = resource.iter();
        let pairs =
            pairs.map(|(key, value)| (key.to_string(), hidden(key.as_str(), value.to_string())));
        let mut resource: Vec<_> = pairs.collect();
        resource.sort_unstable();
        Self {
            enabled: config.enabled,
            settled: config.settled.clone(),
            notices,
            unknown: config.unknown.clone(),
            targets: targets.collect(),
            resource,
        }
    }

    /// The scopes in the program.
    pub(crate) fn scopes() -> Vec<Settings> {
        let mut scopes = declared();
        scopes.sort_unstable_by_key(|scope| scope.module);
        scopes
    }

    /// The span groups in the program, and whether each is on.
    pub(crate) fn groups() -> impl Iterator<Item = (&'static str, bool)> {
        groups::of_program().into_iter()
    }
}

/// Keeps what was settled.
pub(crate) fn set_facts(facts: Facts) {
    *LATEST.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(facts));
}

/// What was settled last; `None` where lens was never started.
pub(crate) fn facts() -> Option<Arc<Facts>> {
    LATEST
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}
