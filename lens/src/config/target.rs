//! Where one signal goes over OTLP: URL, protocol, headers, limits.
//!
//! The endpoint rules are those of the specification:
//! <https://opentelemetry.io/docs/specs/otel/protocol/exporter/#endpoint-urls-for-otlphttp>

use std::fmt;
use std::time::Duration;

use base64::Engine;
use http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use http::uri::{PathAndQuery, Uri};

use crate::stats::Signal;

/// How OTLP is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    HttpProtobuf,
    Grpc,
}

impl Protocol {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "http/protobuf" => Some(Self::HttpProtobuf),
            "grpc" => Some(Self::Grpc),
            _ => None,
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HttpProtobuf => "http/protobuf",
            Self::Grpc => "grpc",
        })
    }
}

/// Where one signal goes over OTLP.
///
/// `Debug` shows neither header values nor what a URL may hide.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) protocol: Protocol,
    /// Of each request.
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) gzip: bool,
    /// Of one attempt; `None` is no limit.
    pub(crate) timeout: Option<Duration>,
}

impl Target {
    pub(crate) fn is_https(&self) -> bool {
        self.uri.scheme_str() == Some("https")
    }

    /// Scheme, host and port: what notices call this target.
    pub(crate) fn shown(&self) -> String {
        format!(
            "{}://{}",
            self.uri.scheme_str().unwrap_or_default(),
            self.uri
                .authority()
                .map_or("", |authority| authority.as_str())
        )
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Target")
            .field("protocol", &self.protocol)
            .field("endpoint", &self.shown())
            .field("headers", &self.headers.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// An endpoint as somebody wrote it, checked.
pub(super) struct Endpoint {
    uri: Uri,
    /// From `user:password@` in the URL.
    authorization: Option<HeaderValue>,
    /// Whether the path is the request's, not a base to add `v1/…` to.
    exact: bool,
}

impl Endpoint {
    /// Checks an endpoint; `exact` is for a URL given for one signal.
    pub(super) fn parse(text: &str, exact: bool) -> Result<Self, &'static str> {
        const EXPECTED: &str = "a URL such as http://localhost:4318";
        let mut parts = text.parse::<Uri>().map_err(|_| EXPECTED)?.into_parts();
        if !matches!(
            parts.scheme.as_ref().map(|scheme| scheme.as_str()),
            Some("http" | "https")
        ) {
            return Err("a URL that begins with http:// or https://");
        }
        let authority = parts.authority.take().ok_or(EXPECTED)?;
        let (user, host) = match authority.as_str().rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, authority.as_str()),
        };
        let path = parts
            .path_and_query
            .as_ref()
            .map_or("", |path| path.as_str());
        if path.contains('@') {
            // Most likely a password with a `/` in it, cut off in the middle.
            return Err("a URL whose credentials are percent-encoded");
        }
        if !has_host_and_valid_port(host) {
            return Err(EXPECTED);
        }
        let authorization = user.map(basic_authorization).transpose()?;
        parts.authority = Some(host.parse().map_err(|_| EXPECTED)?);
        Ok(Self {
            uri: Uri::from_parts(parts).map_err(|_| EXPECTED)?,
            authorization,
            exact,
        })
    }

    pub(super) fn is_https(&self) -> bool {
        self.uri.scheme_str() == Some("https")
    }

    pub(super) fn port(&self) -> Option<u16> {
        self.uri.port_u16()
    }

    /// Whether the protocol leaves part of the URL unused.
    pub(super) fn has_unused_part(&self, protocol: Protocol) -> bool {
        match protocol {
            Protocol::HttpProtobuf => !self.exact && self.uri.query().is_some(),
            Protocol::Grpc => !matches!(self.uri.path(), "" | "/") || self.uri.query().is_some(),
        }
    }

    /// The URL of each request of `signal`, and the header the URL stood for.
    pub(super) fn request(
        &self,
        protocol: Protocol,
        signal: Signal,
    ) -> Result<(Uri, Option<HeaderValue>), &'static str> {
        let path = match protocol {
            Protocol::Grpc => grpc_path(signal).to_owned(),
            Protocol::HttpProtobuf if self.exact => {
                (self.uri.path_and_query()).map_or("/".to_owned(), ToString::to_string)
            }
            Protocol::HttpProtobuf => {
                format!(
                    "{}/v1/{}",
                    self.uri.path().trim_end_matches('/'),
                    signal.path()
                )
            }
        };
        let mut parts = self.uri.clone().into_parts();
        let path: PathAndQuery = path.parse().map_err(|_| "a URL with a valid path")?;
        parts.path_and_query = Some(path);
        let uri = Uri::from_parts(parts).map_err(|_| "a valid URL")?;
        Ok((uri, self.authorization.clone()))
    }
}

/// `http::Uri` takes an empty host, and a port that is no number.
fn has_host_and_valid_port(host: &str) -> bool {
    // The colons of an IPv6 address stand in brackets.
    let after_address = host.rsplit(']').next().unwrap_or_default();
    match after_address.rsplit_once(':') {
        Some((name, port)) => {
            (!name.is_empty() || host.starts_with('[')) && port.parse::<u16>().is_ok()
        }
        None => !host.is_empty(),
    }
}

/// The endpoint's text without what may be secret: credentials and the query.
pub(super) fn redacted(text: &str) -> String {
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    // Credentials first: a password may hold a `?`.
    let (user, rest) = rest
        .rsplit_once('@')
        .map_or(("", rest), |(_, rest)| ("[redacted]@", rest));
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let separator = if scheme.is_empty() { "" } else { "://" };
    format!("{scheme}{separator}{user}{rest}")
}

fn grpc_path(signal: Signal) -> &'static str {
    match signal {
        Signal::Logs => "/opentelemetry.proto.collector.logs.v1.LogsService/Export",
        Signal::Traces => "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
    }
}

fn basic_authorization(user: &str) -> Result<HeaderValue, &'static str> {
    let user = percent_decoded(user).ok_or("credentials that are percent-encoded correctly")?;
    let encoded = base64::engine::general_purpose::STANDARD.encode(user);
    let mut value = HeaderValue::try_from(format!("Basic {encoded}"))
        .map_err(|_| "credentials that fit a header")?;
    value.set_sensitive(true);
    Ok(value)
}

/// Parses `key=value,key2=value2`; what is malformed is left out and named in `complain`,
/// without its value.
///
/// <https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables>
pub(super) fn parse_headers(text: &str, mut complain: impl FnMut(String)) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (index, pair) in text.split(',').enumerate() {
        if pair.trim().is_empty() {
            continue;
        }
        let header = pair
            .split_once('=')
            .map(|(key, value)| (key.trim(), value.trim()));
        let Some((key, value)) = header.filter(|(key, value)| !key.is_empty() && !value.is_empty())
        else {
            complain(format!("entry {} is not a key=value pair", index + 1));
            continue;
        };
        let Ok(name) = key.parse::<HeaderName>() else {
            complain(format!(
                "the key of entry {} is not a header name",
                index + 1
            ));
            continue;
        };
        let value = percent_decoded(value).and_then(|value| HeaderValue::try_from(value).ok());
        let Some(mut value) = value else {
            complain(format!("the value of {name:?} cannot be decoded"));
            continue;
        };
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    headers
}

/// Adds the credentials of a URL, unless a header already gave some.
pub(super) fn with_authorization(mut headers: HeaderMap, value: Option<HeaderValue>) -> HeaderMap {
    if let Some(value) = value {
        headers.entry(AUTHORIZATION).or_insert(value);
    }
    headers
}

pub(crate) fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' {
            let high = char::from(bytes.next()?).to_digit(16)?;
            let low = char::from(bytes.next()?).to_digit(16)?;
            u8::try_from(high * 16 + low).ok()?
        } else {
            byte
        });
    }
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str, exact: bool) -> String {
        let endpoint = Endpoint::parse(text, exact).unwrap();
        let (uri, _) = endpoint
            .request(Protocol::HttpProtobuf, Signal::Traces)
            .unwrap();
        uri.to_string()
    }

    // https://github.com/open-telemetry/opentelemetry-rust/issues/1618 (EXP-06)
    #[test]
    fn a_base_gets_the_signal_path_with_one_slash() {
        for (base, expected) in [
            ("http://c:4318", "http://c:4318/v1/traces"),
            ("http://c:4318/", "http://c:4318/v1/traces"),
            ("http://c:4318/my", "http://c:4318/my/v1/traces"),
            ("http://c:4318/my/", "http://c:4318/my/v1/traces"),
            ("http://c/", "http://c/v1/traces"),
            ("https://c", "https://c/v1/traces"),
            ("http://[::1]:4318", "http://[::1]:4318/v1/traces"),
            ("http://c:4318?k=v", "http://c:4318/v1/traces"),
        ] {
            assert_eq!(url(base, false), expected);
        }
    }

    #[test]
    fn the_url_of_a_signal_is_used_as_it_is() {
        assert_eq!(url("http://c:4318", true), "http://c:4318/");
        assert_eq!(url("http://c:4318/x/", true), "http://c:4318/x/");
        assert_eq!(url("http://c:4318/x?k=v", true), "http://c:4318/x?k=v");
    }

    #[test]
    fn what_is_not_an_http_url_is_refused() {
        for text in [
            "c:4318",
            "localhost",
            "ftp://c",
            "http://",
            "http:// c",
            "::::",
        ] {
            assert!(Endpoint::parse(text, false).is_err(), "{text}");
        }
    }

    #[test]
    fn credentials_leave_the_url_and_are_never_shown() {
        let endpoint = Endpoint::parse("http://user:CANARY@c:4318", false).unwrap();
        let (uri, authorization) = endpoint
            .request(Protocol::HttpProtobuf, Signal::Logs)
            .unwrap();
        assert_eq!(uri.to_string(), "http://c:4318/v1/logs");
        let authorization = authorization.unwrap();
        assert_eq!(authorization.as_bytes(), b"Basic dXNlcjpDQU5BUlk=");
        assert!(authorization.is_sensitive());
        for text in [
            "http://u:CANARY@h:1/?t=CANARY",
            "u:CANARY@h:1",
            "ftp://u:CANARY@h?t=CANARY",
            "ftp://u:CAN?CANARY@h",
            "http://u:CANARY/CANARY@h",
        ] {
            assert!(!redacted(text).contains("CANARY"), "{text}");
        }
    }

    // https://github.com/open-telemetry/opentelemetry-rust/issues/1577 (CFG-02)
    #[test]
    fn headers_are_split_before_they_are_decoded() {
        let mut complaints = Vec::new();
        let headers = parse_headers(
            "authorization=Basic%20dXNlcjpwYXNz%3D%3D,raw=Basic AAA==,k=a%2Cb, e = 5 ,c,=d,f=%zz,ü=1,",
            |complaint| complaints.push(complaint),
        );
        let get = |name: &str| headers.get(name).map(|value| value.to_str().unwrap());
        assert_eq!(get("authorization"), Some("Basic dXNlcjpwYXNz=="));
        assert_eq!(get("raw"), Some("Basic AAA=="));
        assert_eq!((get("k"), get("e")), (Some("a,b"), Some("5")));
        assert_eq!((headers.len(), complaints.len()), (4, 4));
    }
}
