//! Precedence and every rule, in one place: kill switches over environment over code over
//! default.
//!
//! In: a builder and an environment. Out: a [`Config`] with nothing optional in it, and the
//! notices about what could not be honoured.

use std::fmt;
use std::time::Duration;

use log::LevelFilter;

use crate::config::local::LocalKind;
use crate::config::read::Reader;
use crate::config::target::{Endpoint, parse_headers, redacted, with_authorization};
use crate::config::{
    Builder, Filter, Protocol, Target, names_crate, parse_level, parse_names, vars,
};
use crate::env::Env;
use crate::stats::Signal;

const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);
const GRPC_PORT: u16 = 4317;

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
    pub(crate) shutdown_timeout: Duration,
    /// lens's own notices are off.
    pub(crate) silent: bool,
    /// A terminal may be written to in colour.
    pub(crate) color: bool,
}

/// Where one signal goes.
#[derive(Clone, Debug)]
pub(crate) enum Route {
    Nowhere,
    Console,
    Pretty,
    Otlp(Box<Target>),
}

/// Settles every setting; the console side is taken out of `builder`.
pub(crate) fn resolve(builder: &mut Builder, env: &Env) -> (Config, LocalKind, Vec<String>) {
    let read = &mut Reader::new(env);
    let enabled = read.switch(vars::ENABLED, builder.enabled.unwrap_or(true))
        & !read.otel_switch(vars::SDK_DISABLED);
    let logs = builder
        .logs
        .unwrap_or(builder.level.is_some() || builder.logger.is_some());
    let config = Config {
        enabled,
        service: service(builder, read),
        version: (builder.version.clone())
            .or(builder.package.version.map(str::to_owned))
            .unwrap_or_default(),
        traces: (read.switch(vars::TRACES_ENABLED, builder.traces.unwrap_or(true)) && enabled)
            .then(|| route(Signal::Traces, builder, read)),
        logs: (read.switch(vars::LOGS_ENABLED, logs) && enabled)
            .then(|| route(Signal::Logs, builder, read)),
        filter: filter(builder, read),
        shutdown_timeout: read.millis(
            vars::SHUTDOWN_TIMEOUT,
            builder.shutdown_timeout.unwrap_or(SHUTDOWN_TIMEOUT),
        ),
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
    const LEVELS: &str = "off, error, warn, info, debug or trace";
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
    let root = builder.package.root();
    let names = parse_names(names, root);
    if root.is_empty() && names.iter().any(|name| names_crate(name)) {
        read.say("a logger named `crate` needs #[lens::main], which knows the crate".to_owned());
    }
    Filter::new(level, &names)
}

struct Level(LevelFilter);

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.as_str().to_ascii_lowercase())
    }
}

fn silent(read: &mut Reader<'_>) -> bool {
    let parse = |text: &str| match text.to_ascii_lowercase().as_str() {
        "off" | "none" => Some(true),
        level => parse_level(level).map(|_| false),
    };
    let expected = "off, error, warn, info, debug or trace";
    match read.text(vars::SDK_LOG_LEVEL) {
        None => false,
        Some(text) => parse(text).unwrap_or_else(|| {
            read.say(format!(
                "invalid value {text:?} for {}, expected {expected}; using info",
                vars::SDK_LOG_LEVEL
            ));
            false
        }),
    }
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

fn route(signal: Signal, builder: &Builder, read: &mut Reader<'_>) -> Route {
    const EXPORTERS: &str = "otlp, console, pretty or none";
    let mut exporter = Exporter::Otlp;
    if let Some(word) = builder.exporter.as_deref() {
        exporter = Exporter::parse(word).unwrap_or_else(|| {
            read.say(format!(
                "invalid exporter {word:?}, expected {EXPORTERS}; using otlp"
            ));
            Exporter::Otlp
        });
    }
    for var in [vars::EXPORTER, vars::exporter(signal)] {
        exporter = read.setting(var, EXPORTERS, Exporter::parse, exporter);
    }
    match exporter {
        Exporter::None => Route::Nowhere,
        Exporter::Console => Route::Console,
        Exporter::Pretty => Route::Pretty,
        Exporter::Otlp => target(signal, builder, read)
            .map_or(Route::Nowhere, |target| Route::Otlp(Box::new(target))),
    }
}

#[derive(Clone, Copy)]
enum Exporter {
    None,
    Console,
    Pretty,
    Otlp,
}

impl Exporter {
    fn parse(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "none" => Some(Self::None),
            "console" => Some(Self::Console),
            "pretty" => Some(Self::Pretty),
            "otlp" => Some(Self::Otlp),
            _ => None,
        }
    }
}

impl fmt::Display for Exporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Console => "console",
            Self::Pretty => "pretty",
            Self::Otlp => "otlp",
        })
    }
}

/// Where OTLP goes; `None`, with a notice, when the endpoint cannot be used. Nothing is
/// used in its place: telemetry must not go somewhere nobody asked for.
fn target(signal: Signal, builder: &Builder, read: &mut Reader<'_>) -> Option<Target> {
    let option = vars::endpoint(signal);
    let (origin, text) = read
        .otlp(&option)
        .or(builder
            .endpoint
            .as_ref()
            .map(|url| ("endpoint", url.0.as_str())))
        .unwrap_or(("endpoint", ""));
    let endpoint = match (text.is_empty(), protocol(signal, builder, read)) {
        (false, _) => Endpoint::parse(text, origin == option.of_signal),
        (true, Some(Protocol::Grpc)) => Endpoint::parse("http://localhost:4317", false),
        (true, _) => Endpoint::parse("http://localhost:4318", false),
    };
    let mut off = |expected: &str| {
        read.say(format!(
            "invalid value {:?} for {origin}, expected {expected}; {} are not exported",
            redacted(text),
            signal.items()
        ));
    };
    let endpoint = endpoint.map_err(&mut off).ok()?;
    if cfg!(not(feature = "tls")) && endpoint.is_https() {
        off("http://, since lens is built without its feature `tls`");
        return None;
    }
    let protocol = protocol(signal, builder, read).unwrap_or(match endpoint.port() {
        Some(GRPC_PORT) => Protocol::Grpc,
        _ => Protocol::HttpProtobuf,
    });
    let (uri, authorization) = match endpoint.request(protocol, signal) {
        Ok(request) => request,
        Err(expected) => {
            read.say(format!("invalid path in {origin}, expected {expected}"));
            return None;
        }
    };
    if endpoint.has_unused_part(protocol) {
        let part = match protocol {
            Protocol::Grpc => "the path and query",
            Protocol::HttpProtobuf => "the query",
        };
        read.say(format!("{part} of {origin} is not used with {protocol}"));
    }
    Some(Target {
        protocol,
        uri,
        headers: with_authorization(headers(signal, builder, read), authorization),
        gzip: gzip(signal, read),
        timeout: timeout(signal, read),
    })
}

/// The protocol somebody asked for.
fn protocol(signal: Signal, builder: &Builder, read: &mut Reader<'_>) -> Option<Protocol> {
    let (origin, text) = read
        .otlp(&vars::protocol(signal))
        .or(builder.protocol.as_deref().map(|text| ("protocol", text)))?;
    let protocol = Protocol::parse(text);
    if protocol.is_none() {
        read.say(format!(
            "invalid value {text:?} for {origin}, expected grpc or http/protobuf; \
             using the endpoint's default"
        ));
    }
    protocol
}

fn headers(signal: Signal, builder: &Builder, read: &mut Reader<'_>) -> http::HeaderMap {
    let code = builder.headers.as_ref().map(|headers| headers.0.as_str());
    let Some((origin, text)) = read
        .otlp(&vars::headers(signal))
        .or(code.map(|text| ("headers", text)))
    else {
        return http::HeaderMap::new();
    };
    parse_headers(text, |complaint| {
        read.say(format!(
            "invalid value for {origin}: {complaint}; it is left out"
        ));
    })
}

fn gzip(signal: Signal, read: &mut Reader<'_>) -> bool {
    match read.otlp(&vars::compression(signal)) {
        None => false,
        Some((_, text)) if text.eq_ignore_ascii_case("gzip") => true,
        Some((_, text)) if text.eq_ignore_ascii_case("none") => false,
        Some((var, text)) => {
            read.say(format!(
                "invalid value {text:?} for {var}, expected gzip or none; using none"
            ));
            false
        }
    }
}

fn timeout(signal: Signal, read: &mut Reader<'_>) -> Option<Duration> {
    let option = vars::timeout(signal);
    let timeout = read.millis(option.of_all, ATTEMPT_TIMEOUT);
    let timeout = read.millis(option.of_signal, timeout);
    (!timeout.is_zero()).then_some(timeout)
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
