//! Where a signal goes: which exporter, and for OTLP which endpoint, protocol and headers.

use std::fmt;
use std::path::{PathBuf, absolute};
use std::time::Duration;

use crate::config::read::Reader;
use crate::config::target::{Endpoint, parse_headers, redacted, with_authorization};
use crate::config::{Builder, Protocol, Target, vars};
use crate::stats::Signal;

const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);
const GRPC_PORT: u16 = 4317;

/// Where one signal goes.
#[derive(Clone, Debug)]
pub(crate) enum Route {
    Nowhere,
    Console,
    Pretty,
    /// Lines of OTLP JSON in a file.
    File(PathBuf),
    Otlp(Box<Target>),
}

/// Settles where `signal` goes.
pub(super) fn route(signal: Signal, builder: &Builder, read: &mut Reader<'_>) -> Route {
    const EXPORTERS: &str = "otlp, console, pretty, file:PATH or none";
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
        Exporter::File(path) => Route::File(path),
        Exporter::Otlp => target(signal, builder, read)
            .map_or(Route::Nowhere, |target| Route::Otlp(Box::new(target))),
    }
}

enum Exporter {
    None,
    Console,
    Pretty,
    File(PathBuf),
    Otlp,
}

impl Exporter {
    fn parse(word: &str) -> Option<Self> {
        if let Some((kind, path)) = word.split_once(':') {
            let is_file = kind.eq_ignore_ascii_case("file") && !path.is_empty();
            // What a relative path means must not change with the working directory.
            return is_file.then(|| Self::File(absolute(path).unwrap_or_else(|_| path.into())));
        }
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
        match self {
            Self::None => f.write_str("none"),
            Self::Console => f.write_str("console"),
            Self::Pretty => f.write_str("pretty"),
            Self::File(path) => write!(f, "file:{}", path.display()),
            Self::Otlp => f.write_str("otlp"),
        }
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
