//! Precedence and every rule: kill switches over environment over code over default. Where a
//! signal goes is settled beside it, in `route.rs`.
//!
//! In: a builder and an environment. Out: a [`Config`] with nothing optional in it, and the
//! notices about what could not be honoured.

use std::fmt;
use std::time::Duration;

use log::LevelFilter;

use crate::config::batching::{Batching, batching};
use crate::config::limits::{LogLimits, log_limits};
use crate::config::local::LocalKind;
use crate::config::rank::{Ranks, job};
use crate::config::read::Reader;
use crate::config::route::{Route, route};
use crate::config::{Builder, Filter, Redact, names_crate, parse_level, parse_names, vars};
use crate::env::Env;
use crate::groups::{Groups, unknown_groups};
use crate::scopes::declared;
use crate::stats::Signal;

const LEVELS: &str = "off, error, warn, info, debug or trace";
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// What is in effect.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) enabled: bool,
    pub(crate) service: String,
    pub(crate) version: String,
    /// Where spans go; `None` when they are not made at all.
    pub(crate) traces: Option<Route>,
    /// Where log records go; `None` when they are not bridged.
    pub(crate) logs: Option<Route>,
    pub(crate) filter: Filter,
    pub(crate) redact: Redact,
    pub(crate) limits: LogLimits,
    /// Which span groups are on; `None` when nobody said.
    pub(crate) groups: Option<Groups>,
    pub(crate) shutdown_timeout: Duration,
    log_batching: Batching,
    span_batching: Batching,
    /// lens's own notices are off.
    pub(crate) silent: bool,
    /// A terminal may be written to in colour.
    pub(crate) color: bool,
}

impl Config {
    /// How a signal waits to be exported.
    pub(crate) fn batching(&self, signal: Signal) -> Batching {
        match signal {
            Signal::Logs => self.log_batching,
            Signal::Traces => self.span_batching,
        }
    }
}

/// Settles every setting; the console side is taken out of `builder`.
pub(crate) fn resolve(builder: &mut Builder, env: &Env) -> (Config, LocalKind, Vec<String>) {
    let read = &mut Reader::new(env);
    let enabled = read.switch(vars::ENABLED, builder.enabled.unwrap_or(true))
        & !read.otel_switch(vars::SDK_DISABLED);
    let logs = builder
        .logs
        .unwrap_or(builder.level.is_some() || builder.logger.is_some() || builder.filter.is_some());
    let config = Config {
        enabled,
        service: service(builder, read),
        version: (builder.version.clone())
            .or(builder.package.version().map(str::to_owned))
            .unwrap_or_default(),
        traces: (read.switch(vars::TRACES_ENABLED, builder.traces.unwrap_or(true)) && enabled)
            .then(|| route(Signal::Traces, builder, read)),
        logs: (read.switch(vars::LOGS_ENABLED, logs) && enabled && bridges_here(builder, read))
            .then(|| route(Signal::Logs, builder, read)),
        filter: filter(builder, read),
        redact: (read.text(vars::REDACT))
            .or(builder
                .redact
                .as_deref()
                .filter(|keys| !keys.trim().is_empty()))
            .map_or_else(Redact::default, Redact::parse),
        limits: log_limits(read),
        groups: groups(builder, read),
        shutdown_timeout: read.millis(
            vars::SHUTDOWN_TIMEOUT,
            builder.shutdown_timeout.unwrap_or(SHUTDOWN_TIMEOUT),
        ),
        log_batching: batching(Signal::Logs, &builder.log_batch, read),
        span_batching: batching(Signal::Traces, &builder.span_batch, read),
        silent: silent(read),
        color: read.text(vars::NO_COLOR).is_none(),
    };
    let local = local(builder, read);
    (config, local, std::mem::take(&mut read.notices))
}

fn service(builder: &Builder, read: &mut Reader<'_>) -> String {
    read.text(vars::SERVICE_NAME)
        .or(builder.service.as_deref())
        .or(builder.package.name)
        .unwrap_or("unknown_service")
        .to_owned()
}

fn filter(builder: &Builder, read: &mut Reader<'_>) -> Filter {
    let level = builder.level.as_deref().unwrap_or("info");
    let level = parse_level(level).unwrap_or_else(|| {
        read.say(format!(
            "invalid level {level:?}, expected {LEVELS}; using info"
        ));
        LevelFilter::Info
    });
    let Level(level) = read.setting(
        vars::LOGS_LEVEL,
        LEVELS,
        |text| parse_level(text).map(Level),
        Level(level),
    );
    let names = read
        .text(vars::LOGS_LOGGER)
        .or(builder.logger.as_deref())
        .unwrap_or_default();
    let directives = read.text(vars::LOGS_FILTER);
    let root = builder.package.root();
    let names = parse_names(names, root);
    if root.is_empty() && names.iter().any(|name| names_crate(name)) {
        read.say("a logger named `crate` needs #[lens::main], which knows the crate".to_owned());
    }
    let mut filter = Filter::new(level, &names, root).with_scopes(declared());
    let mut tell = |origin: &str, bad: Vec<&str>| {
        for directive in bad {
            read.say(bad_directive(directive, origin));
        }
    };
    if let Some(directives) = builder.filter.as_deref() {
        tell("filter", filter.set_code(directives));
    }
    if let Some(directives) = directives {
        tell(vars::LOGS_FILTER, filter.set_top(directives));
    }
    filter
}

/// What the environment says to a bridge that has settings of its own, and notices about it.
pub(crate) fn resolve_bridge(filter: &mut Filter, env: &Env) -> (Redact, LogLimits, Vec<String>) {
    let read = &mut Reader::new(env);
    if let Some(directives) = read.text(vars::LOGS_FILTER) {
        for directive in filter.set_top(directives) {
            read.say(bad_directive(directive, vars::LOGS_FILTER));
        }
    }
    let redact = read
        .text(vars::REDACT)
        .map_or_else(Redact::default, Redact::parse);
    (redact, log_limits(read), std::mem::take(&mut read.notices))
}

/// What to say of a directive that is none.
fn bad_directive(directive: &str, origin: &str) -> String {
    format!(
        "invalid directive {directive:?} in {origin}, expected a level or logger=level; it is \
         left out"
    )
}

/// Whether this rank of a job is one that bridges.
fn bridges_here(builder: &Builder, read: &mut Reader<'_>) -> bool {
    const RANKS: &str = "all, first, last, or ranks as in 0,8-11";
    let code = builder.log_ranks.as_deref().map(|text| {
        Ranks::parse(text).unwrap_or_else(|| {
            read.say(format!(
                "invalid log_ranks {text:?}, expected {RANKS}; using all"
            ));
            Ranks::all()
        })
    });
    let code = code.unwrap_or_else(Ranks::all);
    let ranks = read.setting(vars::LOGS_RANKS, RANKS, Ranks::parse, code);
    ranks.has(job(read))
}

fn groups(builder: &Builder, read: &mut Reader<'_>) -> Option<Groups> {
    let text = read.text(vars::SPAN_GROUPS).or(builder.groups.as_deref())?;
    let (groups, unknown) = Groups::parse(text);
    if !unknown.is_empty() {
        read.say(unknown_groups(&unknown));
    }
    Some(groups)
}

struct Level(LevelFilter);

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.as_str().to_ascii_lowercase())
    }
}

fn silent(read: &mut Reader<'_>) -> bool {
    let parse = |text: &str| match text.to_ascii_lowercase().as_str() {
        "none" => Some(Level(LevelFilter::Off)),
        level => parse_level(level).map(Level),
    };
    let Level(level) = read.setting(vars::SDK_LOG_LEVEL, LEVELS, parse, Level(LevelFilter::Info));
    level == LevelFilter::Off
}

fn local(builder: &mut Builder, read: &mut Reader<'_>) -> LocalKind {
    let local = match builder.local.take().map(|local| local.0) {
        None => LocalKind::Stderr,
        Some(LocalKind::Unknown(word)) => {
            read.say(format!(
                "invalid local {word:?}, expected stderr, stdout, off, none or a logger; using stderr"
            ));
            LocalKind::Stderr
        }
        Some(local) => local,
    };
    let Some(word) = read.text(vars::LOCAL) else {
        return local;
    };
    match (LocalKind::from_word(word), &local) {
        // Whether lens takes the slot is decided in code, where a clash shows at once.
        (_, LocalKind::None) => local,
        (Some(LocalKind::Off), _) => LocalKind::Off,
        (Some(asked @ (LocalKind::Stderr | LocalKind::Stdout)), kind)
            if !matches!(kind, LocalKind::Logger(..)) =>
        {
            asked
        }
        (_, LocalKind::Logger(..)) => {
            read.say(format!(
                "invalid value {word:?} for {}, expected off, since the program handed over a \
                 logger of its own; using that logger",
                vars::LOCAL
            ));
            local
        }
        _ => {
            read.say(format!(
                "invalid value {word:?} for {}, expected stderr, stdout or off; using {}",
                vars::LOCAL,
                if matches!(local, LocalKind::Off) {
                    "off"
                } else {
                    "the program's choice"
                },
            ));
            local
        }
    }
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
