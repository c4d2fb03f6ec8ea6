//! Which log records and spans leave, and what stays on the console.

use std::fmt;
use std::sync::Arc;

use log::LevelFilter;

use super::limits::log_limits;
use super::rank::{Job, Ranks};
use super::read::{Origin, Reader, code_or};
use super::{
    Builder, Filter, LocalKind, LogLimits, Redact, Tracing, names_crate, parse_level, parse_names,
    vars,
};
use crate::env::Env;
use crate::groups::{Groups, unknown_groups};
use crate::scopes::declared;

const LEVELS: &str = "off, error, warn, info, debug or trace";

/// Settles which log records are bridged.
pub(super) fn filter(builder: &Builder, read: &mut Reader<'_>) -> Filter {
    let Level(level) = read.word(
        (vars::LOGS_LEVEL, "level"),
        LEVELS,
        |text| parse_level(text).map(Level),
        (builder.level.as_deref(), Level(LevelFilter::Info)),
    );
    let names = read.words(vars::LOGS_LOGGER, builder.logger.as_deref());
    let names = names.unwrap_or_default();
    let directives = read.text(vars::LOGS_FILTER);
    read.words(vars::LOGS_FILTER, builder.filter.as_deref());
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
pub(crate) fn resolve_bridge(filter: &mut Filter, env: &Env) -> (RecordRules, Vec<String>) {
    let read = &mut Reader::new(env);
    if let Some(directives) = read.text(vars::LOGS_FILTER) {
        for directive in filter.set_top(directives) {
            read.say(bad_directive(directive, vars::LOGS_FILTER));
        }
    }
    let builder = &Builder::new();
    let rules = RecordRules {
        redact: redact(builder, read),
        limits: log_limits(builder, read),
        span_fields: span_fields(builder, read),
    };
    (rules, std::mem::take(&mut read.notices))
}

/// What is done to each record on its way out.
#[derive(Clone, Debug)]
pub(crate) struct RecordRules {
    pub(crate) redact: Redact,
    pub(crate) limits: LogLimits,
    /// The fields of spans that are on their records, too.
    pub(crate) span_fields: Arc<[String]>,
}

/// Settles which fields of spans are on log records.
pub(super) fn span_fields(builder: &Builder, read: &mut Reader<'_>) -> Arc<[String]> {
    let names = read.words(vars::SPAN_FIELDS, builder.span_fields.as_deref());
    if names.is_none() {
        read.settle(vars::SPAN_FIELDS, "none", Origin::Default);
    }
    let names = names.unwrap_or_default().split(',').map(str::trim);
    let names = names.filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

/// Settles which attributes are secrets.
pub(super) fn redact(builder: &Builder, read: &mut Reader<'_>) -> Redact {
    let code = (builder.redact.as_deref()).filter(|keys| !keys.trim().is_empty());
    let keys = read.words(vars::REDACT, code);
    if keys.is_none() {
        read.settle(
            vars::REDACT,
            "passwords, tokens and the like",
            Origin::Default,
        );
    }
    keys.map_or_else(Redact::default, Redact::parse)
}

/// What to say of a directive that is none.
fn bad_directive(directive: &str, origin: &str) -> String {
    format!(
        "invalid directive {directive:?} in {origin}, expected a level or logger=level; it is \
         left out"
    )
}

/// Whether this rank of a job is one that bridges.
pub(super) fn bridges_here(builder: &Builder, job: Option<Job>, read: &mut Reader<'_>) -> bool {
    const RANKS: &str = "all, first, last, or ranks as in 0,8-11";
    let ranks = read.word(
        (vars::LOGS_RANKS, "log_ranks"),
        RANKS,
        Ranks::parse,
        (builder.log_ranks.as_deref(), Ranks::all()),
    );
    ranks.has(job)
}

/// Settles which span groups are on; `None` where nobody said.
pub(super) fn groups(builder: &Builder, read: &mut Reader<'_>) -> Option<Groups> {
    let text = read.words(vars::SPAN_GROUPS, builder.groups.as_deref());
    if text.is_none() {
        read.settle(vars::SPAN_GROUPS, "default", Origin::Default);
    }
    let text = text?;
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

/// Settles whether lens's own notices are off.
pub(super) fn silent(builder: &Builder, read: &mut Reader<'_>) -> bool {
    let parse = |text: &str| match text.to_ascii_lowercase().as_str() {
        "none" => Some(Level(LevelFilter::Off)),
        level => parse_level(level).map(Level),
    };
    let code = builder.silent.filter(|silent| *silent);
    let or = code_or(
        code.map(|_| Level(LevelFilter::Off)),
        Level(LevelFilter::Info),
    );
    let Level(level) = read.setting(vars::SDK_LOG_LEVEL, LEVELS, parse, or);
    level == LevelFilter::Off
}

/// Settles the console side, which is taken out of `builder`.
pub(super) fn local(builder: &mut Builder, read: &mut Reader<'_>) -> LocalKind {
    let code = match builder.local {
        None => Origin::Default,
        Some(_) => Origin::Code,
    };
    let from_code = local_of_code(builder, read);
    let (local, origin) = match read.find(vars::LOCAL) {
        None => (from_code, code),
        Some(found) => {
            let origin = Origin::Variable(found.var);
            over(found.text, from_code, (origin, code), read)
        }
    };
    read.settle(vars::LOCAL, local.word(), origin);
    local
}

fn local_of_code(builder: &mut Builder, read: &mut Reader<'_>) -> LocalKind {
    match builder.local.take().map(|local| local.0) {
        // Its subscriber prints on stdout.
        None if builder.tracing.as_ref().is_some_and(Tracing::is_on) => LocalKind::Stdout,
        None => LocalKind::Stderr,
        Some(LocalKind::Unknown(word)) => {
            read.say(format!(
                "invalid local {word:?}, expected stderr, stdout, off, none or a logger; using stderr"
            ));
            LocalKind::Stderr
        }
        Some(local) => local,
    }
}

/// What the variable makes of what the code says.
fn over(
    word: &str,
    local: LocalKind,
    (variable, code): (Origin, Origin),
    read: &mut Reader<'_>,
) -> (LocalKind, Origin) {
    match (LocalKind::from_word(word), &local) {
        // Whether lens takes the slot is decided in code, where a clash shows at once.
        (_, LocalKind::None) => (local, code),
        (Some(LocalKind::Off), _) => (LocalKind::Off, variable),
        (Some(asked @ (LocalKind::Stderr | LocalKind::Stdout)), kind)
            if !matches!(kind, LocalKind::Logger(..)) =>
        {
            (asked, variable)
        }
        (_, LocalKind::Logger(..)) => {
            read.say(format!(
                "invalid value {word:?} for {}, expected off, since the program handed over a \
                 logger of its own; using that logger",
                vars::LOCAL
            ));
            (local, code)
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
            (local, code)
        }
    }
}
