//! What lens-testkit needs of lens: scopes in place of the one start. Behind a feature that
//! only lens-testkit turns on.

use std::sync::Arc;

use opentelemetry_sdk::Resource;
use opentelemetry_sdk::logs::SdkLoggerProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;

use crate::asked::ask_all;
use crate::bridge::take_slot;
use crate::config::{Builder, Config, LocalKind, Propagator, resolve};
use crate::env::Env;
use crate::error::Error;
use crate::groups::Groups;
use crate::open_spans::OpenSpans;
use crate::panics;
use crate::propagation::composite;
use crate::providers::Providers;
use crate::resource::resource;
use crate::state::{Active, Bridge, Main, scope, set_propagator};

pub use crate::context::has_context;
pub use crate::providers::{Redactor, TrackOpen};
pub use crate::state::scope::{Hooks, Scope};

/// Where what a scope emits goes, made anew for each start inside it.
pub trait Sink: Send + Sync {
    /// The provider of log records.
    fn logs(&self, resource: Resource) -> SdkLoggerProvider;
    /// The provider of spans.
    fn traces(&self, resource: Resource, open: TrackOpen) -> SdkTracerProvider;
}

/// Takes the logger slot and lets `hooks` say which scope the current code is in.
///
/// # Errors
///
/// When another logger is in the slot.
pub fn install(hooks: Hooks) -> Result<(), Error> {
    if scope::install(hooks) {
        // Which of them a test wants is asked for each span.
        Groups::All.switch();
        panics::install_hook();
        set_propagator(composite(&[Propagator::TraceContext, Propagator::Baggage]));
        #[cfg(feature = "tracing")]
        crate::tracing::install_layer();
        take_slot(LocalKind::Off)?;
    }
    Ok(())
}

/// Asks the closures of the metrics that were made in `scopes`, for the collection that follows.
pub fn ask(scopes: &[&Scope]) {
    for scope in scopes {
        ask_all(Some(scope.address()));
    }
}

/// Makes a scope in which lens runs as `builder` and `env` say, and emits to `sink`; with the
/// notices about what could not be honoured.
///
/// Never freed, like every start of lens.
pub fn scope(mut builder: Builder, env: &Env, sink: &dyn Sink) -> (&'static Scope, Vec<String>) {
    let (config, _, notices) = resolve(&mut builder, env);
    // Nobody's main: a panic is not held back until one unwinds.
    let active = start(&config, env, Main::nowhere(), sink);
    if let (Some(active), None) = (active, &config.groups) {
        active.set_groups(Groups::All);
    }
    (Box::leak(Box::new(Scope::new(active))), notices)
}

/// Starts lens in `scope` by the program's own settings: what [`Builder::start`] means inside
/// a test. Returns the notices.
pub fn restart(scope: &Scope, mut builder: Builder, env: &Env, sink: &dyn Sink) -> Vec<String> {
    let is_started = |active: &Active| active.main.thread.is_some() && active.ending.is_running();
    if scope.active().is_some_and(is_started) {
        return vec![Error::already_started().to_string()];
    }
    let env = builder.env.take().unwrap_or_else(|| env.clone());
    let (config, _, notices) = resolve(&mut builder, &env);
    let main = Main::here(builder.package.module);
    scope.set_active(start(&config, &env, main, sink));
    notices
}

/// The provider of spans in `scope`; `None` where it makes none.
#[must_use]
pub fn traces(scope: &Scope) -> Option<&'static SdkTracerProvider> {
    scope.active()?.providers.as_ref()?.traces.as_ref()
}

fn start(config: &Config, env: &Env, main: Main, sink: &dyn Sink) -> Option<&'static Active> {
    if !config.enabled {
        return None;
    }
    let resource = resource(config, env);
    let open = Arc::new(OpenSpans::default());
    let track = TrackOpen::new(Arc::clone(&open), config.records.redact.clone());
    let logs = (config.logs.is_some()).then(|| sink.logs(resource.clone()));
    let traces = (config.traces.is_some()).then(|| sink.traces(resource, track));
    let bridge = logs
        .clone()
        .map(|provider| Bridge::new(provider, config.filter.clone(), config.records.clone()));
    let providers = Providers::captured(logs, traces, open);
    let active = Active::new(Some(providers), bridge, config.shutdown_timeout, main);
    active.set_groups(config.groups.clone().unwrap_or_default());
    Some(Box::leak(Box::new(active)))
}
