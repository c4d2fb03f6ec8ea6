//! Precedence and every rule: kill switches over environment over code over default. Where a
//! signal goes is settled beside it, in `route.rs`.
//!
//! In: a builder and an environment. Out: a [`Config`] with nothing optional in it, and the
//! notices about what could not be honoured.

use std::time::Duration;

use opentelemetry_sdk::trace::ShouldSample;

use crate::config::batching::{Batching, log_batching, span_batching};
use crate::config::explain::{Explain, explain};
use crate::config::identity::{Identity, identity};
use crate::config::limits::{SpanLimits, log_limits, span_limits};
use crate::config::local::LocalKind;
use crate::config::metrics::{Metrics, metrics};
use crate::config::propagators::{Propagator, propagators};
use crate::config::rank::{Job, job};
use crate::config::read::{Reader, Settled, code_or};
use crate::config::records::{
    RecordRules, bridges_here, filter, groups, local, redact, silent, span_fields,
};
use crate::config::route::{Route, routes};
use crate::config::sampler::sampler;
use crate::config::settings::{in_order, unknown};
use crate::config::strategy::{exports, sample_rate};
use crate::config::{Builder, Filter, vars};
use crate::env::Env;
use crate::groups::Groups;
use crate::stats::{FOR_EVER, Signal};

const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);
/// How many collections of metrics wait.
const COLLECTIONS: usize = 8;

/// What is in effect.
#[derive(Debug)]
pub(crate) struct Config {
    /// No switch is off.
    pub(crate) is_on: bool,
    /// It is on, and this process is one that exports.
    pub(crate) enabled: bool,
    pub(crate) identity: Identity,
    pub(crate) job: Option<Job>,
    /// Where spans go; `None` when they are not made at all.
    pub(crate) traces: Option<Vec<Route>>,
    /// Where log records go; `None` when they are not bridged.
    pub(crate) logs: Option<Vec<Route>>,
    /// Where metrics go; `None` when they are not collected.
    pub(crate) metrics: Option<Vec<Route>>,
    pub(crate) filter: Filter,
    /// How records leave; the secrets are those of spans, too.
    pub(crate) records: RecordRules,
    pub(crate) span_limits: SpanLimits,
    pub(crate) sampler: Box<dyn ShouldSample>,
    pub(crate) collection: Metrics,
    pub(crate) propagators: Vec<Propagator>,
    /// Main goes on with the trace of whoever started this process.
    pub(crate) inherits_context: bool,
    /// Which span groups are on; `None` when nobody said.
    pub(crate) groups: Option<Groups>,
    pub(crate) shutdown_timeout: Duration,
    log_batching: Batching,
    span_batching: Batching,
    /// lens's own notices are off.
    pub(crate) silent: bool,
    /// A terminal may be written to in colour.
    pub(crate) color: bool,
    /// What is buffered is delivered before a signal ends the program.
    pub(crate) signals: bool,
    /// A bad setting ends the program.
    pub(crate) strict: bool,
    pub(crate) explain: Explain,
    /// Every setting with where it came from.
    pub(crate) settled: Vec<Settled>,
    /// Those of the notices that tell of a bad setting.
    pub(crate) faults: Vec<String>,
    /// Variables that are set and mean nothing to lens, with what there is to say of them.
    pub(crate) unknown: Vec<(String, String)>,
}

impl Config {
    /// How a signal waits to be exported.
    pub(crate) fn batching(&self, signal: Signal) -> Batching {
        match signal {
            Signal::Logs => self.log_batching,
            Signal::Traces => self.span_batching,
            Signal::Metrics => Batching {
                // Each collection is a request, and leaves at once. What is cumulative is in the
                // next one, too: old ones are not worth much.
                most_waiting: Some(COLLECTIONS),
                most_at_once: Some(1),
                timeout: self.collection.timeout,
                ..Batching::default()
            },
        }
    }

    /// Where `signal` goes.
    pub(crate) fn routes(&self, signal: Signal) -> Option<&[Route]> {
        let routes = match signal {
            Signal::Logs => &self.logs,
            Signal::Traces => &self.traces,
            Signal::Metrics => &self.metrics,
        };
        routes.as_deref()
    }
}

/// Settles every setting; the console side and the strategy are taken out of `builder`.
pub(crate) fn resolve(builder: &mut Builder, env: &Env) -> (Config, LocalKind, Vec<String>) {
    let prefix = builder.env_prefix.clone();
    let read = &mut Reader::new(env).with_prefix(prefix.as_deref());
    let job = job(builder, read);
    let rate = sample_rate(builder, read);
    let is_on = read.switch(vars::ENABLED, code_or(builder.enabled, true))
        & !read.otel_switch(vars::SDK_DISABLED);
    let exports_here = exports(builder, job, rate, read) & is_on;
    let logs = builder
        .logs
        .unwrap_or(builder.level.is_some() || builder.logger.is_some() || builder.filter.is_some());
    let says_logs = builder.logs.is_some() || logs;
    let logs = read.switch(
        vars::LOGS_ENABLED,
        code_or(says_logs.then_some(logs), false),
    ) & bridges_here(builder, job, read);
    let traces = read.switch(vars::TRACES_ENABLED, code_or(builder.traces, true));
    let collects = read.switch(vars::METRICS_ENABLED, code_or(builder.metrics, true));
    let redact = redact(builder, read);
    // What is bad is told by every process of a job, also where it does not export.
    let mut routes_if = |signal_is_on: bool, signal| {
        let routes = (is_on && signal_is_on).then(|| routes(signal, builder, read));
        routes.filter(|_| exports_here)
    };
    let config = Config {
        logs: routes_if(logs, Signal::Logs),
        traces: routes_if(traces, Signal::Traces),
        metrics: routes_if(collects, Signal::Metrics),
        is_on,
        enabled: exports_here,
        identity: identity(builder, job, &redact, read),
        job,
        filter: filter(builder, read),
        records: RecordRules {
            redact,
            limits: log_limits(builder, read),
            span_fields: span_fields(builder, read),
        },
        span_limits: span_limits(builder, read),
        sampler: sampler(builder, job, rate, read),
        collection: metrics(builder, read),
        propagators: propagators(builder, read),
        inherits_context: read.switch(
            vars::INHERIT_CONTEXT,
            code_or(builder.inherit_context, true),
        ),
        groups: groups(builder, read),
        shutdown_timeout: read
            .millis(
                vars::SHUTDOWN_TIMEOUT,
                code_or(builder.shutdown_timeout, SHUTDOWN_TIMEOUT),
            )
            .min(FOR_EVER),
        log_batching: log_batching(&builder.log_batch, read),
        span_batching: span_batching(&builder.span_batch, read),
        silent: silent(builder, read),
        color: read.text(vars::NO_COLOR).is_none(),
        signals: read.switch(vars::FLUSH_ON_SIGNAL, code_or(builder.signals, false)),
        strict: read.switch(vars::STRICT, code_or(builder.strict, false)),
        explain: explain(read),
        unknown: if is_on {
            unknown(env, read)
        } else {
            Vec::new()
        },
        settled: Vec::new(),
        faults: Vec::new(),
    };
    let local = local(builder, read);
    let config = Config {
        settled: in_order(std::mem::take(&mut read.settled)),
        faults: std::mem::take(&mut read.faults),
        ..config
    };
    (config, local, std::mem::take(&mut read.notices))
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "vectors_tests.rs"]
mod vectors;

#[cfg(test)]
#[path = "arbitrary_tests.rs"]
mod arbitrary;
