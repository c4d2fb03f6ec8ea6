//! Where one signal goes over OTLP, and how: endpoint, protocol, headers, TLS, limits.
//!
//! <https://opentelemetry.io/docs/specs/otel/protocol/exporter/>

use std::path::Path;
use std::time::Duration;

use http::{HeaderMap, HeaderValue, Uri};

use crate::config::endpoint::{Endpoint, GRPC_PORT, redacted};
use crate::config::export::Export;
use crate::config::pairs::{parse_headers, with_authorization};
use crate::config::read::{Found, Origin, Reader, Said, code_or};
use crate::config::tls::{PemFile, TlsFiles, tls};
use crate::config::values::{MILLIS, Millis, otel_bool};
use crate::config::{Builder, Protocol, Target, Tls, vars};
use crate::stats::Signal;

const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);
const HTTP_PORT: u16 = 4318;
const PROTOCOLS: &str = "grpc, http/protobuf or http/json";

/// What code says of one signal, and of all.
struct Asked<'b> {
    of_signal: &'b Export,
    of_all: &'b Export,
}

impl<'b> Asked<'b> {
    fn both<T>(&self, get: impl Fn(&'b Export) -> Option<T>) -> [Option<T>; 2] {
        [get(self.of_signal), get(self.of_all)]
    }

    fn first<T>(&self, get: impl Fn(&'b Export) -> Option<T>) -> Option<T> {
        self.both(get).into_iter().flatten().next()
    }
}

/// Where OTLP goes; `None`, with a notice, when the endpoint or a certificate cannot be used.
/// Nothing is used in its place: telemetry must not go somewhere nobody asked for.
pub(super) fn target(signal: Signal, builder: &Builder, read: &mut Reader<'_>) -> Option<Target> {
    let asked = Asked {
        of_signal: builder.export_of(signal),
        of_all: &builder.export,
    };
    let chosen = protocol(signal, &asked, read);
    let code = asked.both(|export| export.endpoint.as_ref().map(|url| url.0.as_str()));
    let said = read.said(&vars::endpoint(signal), "endpoint", code);
    let said = said.unwrap_or_else(|| Said {
        text: match chosen {
            Some(Protocol::Grpc) => "http://localhost:4317",
            _ => "http://localhost:4318",
        },
        origin: Origin::Default,
        is_of_signal: false,
        place: "the default endpoint".into(),
    });
    let insecure = insecure(signal, &asked, read);
    let located = match locate(&said, chosen, insecure, signal) {
        Ok(located) => located,
        Err(expected) => {
            // What is said of all signals is told once for all.
            let items = if said.is_of_signal {
                signal.items()
            } else {
                "signals without an endpoint of their own"
            };
            let (shown, place) = (redacted(said.text), &said.place);
            read.say(format!(
                "invalid value {shown:?} for {place}, expected {expected}; {items} are not exported"
            ));
            let shown = "none, since it is invalid";
            read.settle(vars::endpoint(signal).of_signal, shown, said.origin);
            return None;
        }
    };
    let Located {
        endpoint,
        protocol,
        uri,
        authorization,
    } = located;
    doubts(&endpoint, protocol, &said, read);
    let settled = vars::protocol(signal).of_signal;
    read.settle(settled, protocol, read.origin(settled));
    let tls = tls_of(signal, &asked, read)?;
    let target = Target {
        protocol,
        uri,
        socket: endpoint.socket().map(Path::to_owned),
        headers: with_authorization(headers(signal, &asked, read), authorization),
        gzip: gzip(signal, &asked, read),
        timeout: timeout(signal, &asked, read),
        tls,
    };
    let shown = target.shown_whole();
    read.settle(vars::endpoint(signal).of_signal, shown, said.origin);
    Some(target)
}

/// Where requests go.
struct Located {
    endpoint: Endpoint,
    protocol: Protocol,
    uri: Uri,
    /// What credentials in the URL stand for.
    authorization: Option<HeaderValue>,
}

/// Finds where the requests of `signal` go.
///
/// # Errors
///
/// What was expected, where that cannot be.
fn locate(
    said: &Said<'_>,
    chosen: Option<Protocol>,
    insecure: bool,
    signal: Signal,
) -> Result<Located, &'static str> {
    let endpoint = Endpoint::parse(said.text, said.is_of_signal, chosen, insecure)?;
    if cfg!(not(feature = "tls")) && endpoint.is_https() {
        return Err("http://, since lens is built without its feature `tls`");
    }
    let protocol = chosen.unwrap_or_else(|| endpoint.usual_protocol());
    let (uri, authorization) = endpoint.request(protocol, signal)?;
    Ok(Located {
        endpoint,
        protocol,
        uri,
        authorization,
    })
}

/// What is most likely a mistake, and is done all the same.
fn doubts(endpoint: &Endpoint, protocol: Protocol, said: &Said<'_>, read: &mut Reader<'_>) {
    let place = &said.place;
    if endpoint.has_unused_part(protocol) {
        let part = match protocol {
            Protocol::Grpc => "the path and query",
            Protocol::HttpProtobuf | Protocol::HttpJson => "the query",
        };
        read.advise(format!("{part} of {place} is not used with {protocol}"));
    }
    let usual = match (protocol, endpoint.port()) {
        (Protocol::Grpc, Some(HTTP_PORT)) => Some((HTTP_PORT, "http/protobuf")),
        (Protocol::HttpProtobuf | Protocol::HttpJson, Some(GRPC_PORT)) => Some((GRPC_PORT, "grpc")),
        _ => None,
    };
    if let Some((port, usual)) = usual {
        read.advise(format!(
            "{place} has port {port}, which is usually {usual}; {protocol} is spoken there as asked"
        ));
    }
    if protocol != Protocol::Grpc
        && !said.is_of_signal
        && let Some(path) = endpoint.signal_path()
    {
        read.advise(format!(
            "{place} ends with {path}, which looks like the URL of one signal; it is a base, to \
             which such a path is added"
        ));
    }
}

/// The protocol somebody asked for.
fn protocol(signal: Signal, asked: &Asked<'_>, read: &mut Reader<'_>) -> Option<Protocol> {
    /// Shown before the endpoint has decided.
    struct Chosen(Option<Protocol>);
    impl std::fmt::Display for Chosen {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            match self.0 {
                Some(protocol) => protocol.fmt(f),
                None => f.write_str("as the endpoint has it"),
            }
        }
    }
    let code = asked.first(|export| export.protocol.as_deref());
    let parse = |text: &str| Protocol::parse(text).map(|protocol| Chosen(Some(protocol)));
    let option = (&vars::protocol(signal), "protocol");
    read.otlp_word(option, PROTOCOLS, parse, (code, Chosen(None)))
        .0
}

fn insecure(signal: Signal, asked: &Asked<'_>, read: &mut Reader<'_>) -> bool {
    let code = asked.first(|export| export.insecure);
    let mut option = vars::insecure(signal);
    // The obsolete name counts where the present one says nothing.
    let obsolete = match signal {
        Signal::Traces => vars::SPAN_INSECURE,
        Signal::Metrics => vars::METRIC_INSECURE,
        Signal::Logs => option.of_signal,
    };
    if read.find(option.of_signal).is_none() && read.find(obsolete).is_some() {
        option.of_signal = obsolete;
    }
    read.otlp(&option, "true or false", otel_bool, code_or(code, false))
}

fn headers(signal: Signal, asked: &Asked<'_>, read: &mut Reader<'_>) -> HeaderMap {
    let code = asked.both(|export| export.headers.as_ref().map(|headers| headers.0.as_str()));
    let option = vars::headers(signal);
    let Some(said) = read.said(&option, "headers", code) else {
        read.settle(option.of_signal, "none", Origin::Default);
        return HeaderMap::new();
    };
    let headers = parse_headers(said.text, |complaint| {
        read.say(format!(
            "invalid value for {}: {complaint}; it is left out",
            said.place
        ));
    });
    let shown: Vec<_> = (headers.keys())
        .map(|name| format!("{name}=[redacted]"))
        .collect();
    read.settle(option.of_signal, shown.join(","), said.origin);
    headers
}

fn gzip(signal: Signal, asked: &Asked<'_>, read: &mut Reader<'_>) -> bool {
    struct Gzip(bool);
    impl std::fmt::Display for Gzip {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(if self.0 { "gzip" } else { "none" })
        }
    }
    const COMPRESSIONS: &str = "gzip or none";
    let parse = |text: &str| match text.to_ascii_lowercase().as_str() {
        "gzip" => Some(Gzip(true)),
        "none" => Some(Gzip(false)),
        _ => None,
    };
    let code = asked.first(|export| export.compression.as_deref());
    let option = (&vars::compression(signal), "compression");
    read.otlp_word(option, COMPRESSIONS, parse, (code, Gzip(false)))
        .0
}

fn timeout(signal: Signal, asked: &Asked<'_>, read: &mut Reader<'_>) -> Option<Duration> {
    let code = asked.first(|export| export.timeout).map(Millis);
    let or = code_or(code, Millis(ATTEMPT_TIMEOUT));
    let Millis(timeout) = read.otlp(&vars::timeout(signal), MILLIS, Millis::parse, or);
    (!timeout.is_zero()).then_some(timeout)
}

/// What the connection trusts and shows; `None`, with a notice, where that cannot be.
fn tls_of(signal: Signal, asked: &Asked<'_>, read: &mut Reader<'_>) -> Option<Tls> {
    let mut file =
        |option: vars::Otlp, argument: &'static str, get: fn(&Export) -> Option<&Path>| {
            let mut variables = [option.of_signal, option.of_all].into_iter();
            let (place, path, origin) =
                match (variables.find_map(|var| read.find(var)), asked.first(get)) {
                    (Some(Found { var, text }), _) => {
                        (var.clone(), Path::new(text), Origin::Variable(var))
                    }
                    (None, Some(path)) => (argument.into(), path, Origin::Code),
                    (None, None) => {
                        read.settle(option.of_signal, "none", Origin::Default);
                        return None;
                    }
                };
            read.settle(option.of_signal, path.display(), origin);
            let path = path.to_owned();
            Some(PemFile { place, path })
        };
    let files = TlsFiles {
        roots: file(vars::certificate(signal), "certificate", |export| {
            export.certificate.as_deref()
        }),
        certificate: file(
            vars::client_certificate(signal),
            "client_certificate",
            |export| export.client_certificate.as_deref(),
        ),
        key: file(vars::client_key(signal), "client_key", |export| {
            export.client_key.as_deref()
        }),
    };
    let options = [
        vars::certificate(signal),
        vars::client_certificate(signal),
        vars::client_key(signal),
    ];
    let given = [&files.roots, &files.certificate, &files.key];
    let is_of_signal = given.into_iter().flatten().any(|file| {
        let mut options = options.iter();
        options.any(|option| option.of_signal == file.place)
    });
    // What is said of all signals is told once for all.
    let items = if is_of_signal {
        signal.items()
    } else {
        "signals without files of their own"
    };
    tls(files)
        .map_err(|fault| read.say(format!("{fault}; {items} are not exported")))
        .ok()
}
