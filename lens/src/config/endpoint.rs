//! An endpoint, from the text somebody wrote to the URL of each request.
//!
//! The rules are those of the specification:
//! <https://opentelemetry.io/docs/specs/otel/protocol/exporter/#endpoint-urls-for-otlphttp>

use std::path::{Path, PathBuf};

use base64::Engine;
use http::header::HeaderValue;
use http::uri::{PathAndQuery, Uri};

use crate::config::{Protocol, percent_decoded};
use crate::stats::Signal;

/// Where gRPC is spoken where nobody says which protocol is.
pub(super) const GRPC_PORT: u16 = 4317;

/// An endpoint as somebody wrote it, checked.
pub(super) struct Endpoint {
    uri: Uri,
    socket: Option<PathBuf>,
    /// From `user:password@` in the URL.
    authorization: Option<HeaderValue>,
    /// Whether the path is the request's, not a base to add `v1/…` to.
    exact: bool,
}

impl Endpoint {
    /// Checks an endpoint; `exact` is for a URL given for one signal.
    ///
    /// Over gRPC, asked for or meant by the port, it may be without a scheme, and `insecure`
    /// then says which one is meant.
    pub(super) fn parse(
        text: &str,
        exact: bool,
        protocol: Option<Protocol>,
        insecure: bool,
    ) -> Result<Self, &'static str> {
        const EXPECTED: &str = "a URL such as http://localhost:4318";
        let may_be_grpc = matches!(protocol, None | Some(Protocol::Grpc));
        if let Some(path) = text.strip_prefix("unix://") {
            return match path {
                _ if !may_be_grpc => Err("http:// or https://, since only gRPC goes over a socket"),
                _ if cfg!(not(unix)) => Err("a URL, since this system has no Unix sockets"),
                path if !path.starts_with('/') => {
                    Err("unix:// and the path of a socket from the root, unix:///run/otel.sock")
                }
                path => Ok(Self {
                    uri: Uri::from_static("http://localhost"),
                    socket: Some(PathBuf::from(path)),
                    authorization: None,
                    exact,
                }),
            };
        }
        let bare = format!("{}://{text}", if insecure { "http" } else { "https" });
        let is_grpc = |text: &str| {
            let port = || text.parse::<Uri>().ok()?.port_u16();
            protocol == Some(Protocol::Grpc) || (may_be_grpc && port() == Some(GRPC_PORT))
        };
        let text = if !text.contains("://") && is_grpc(&bare) {
            &bare
        } else {
            text
        };
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
            socket: None,
            authorization,
            exact,
        })
    }

    pub(super) fn socket(&self) -> Option<&Path> {
        self.socket.as_deref()
    }

    /// The protocol that is spoken where nobody says which.
    pub(super) fn usual_protocol(&self) -> Protocol {
        if self.socket.is_some() || self.port() == Some(GRPC_PORT) {
            Protocol::Grpc
        } else {
            Protocol::HttpProtobuf
        }
    }

    /// The end of the path, where that is what is added to a base.
    pub(super) fn signal_path(&self) -> Option<&'static str> {
        let path = self.uri.path().trim_end_matches('/');
        let known = ["/v1/logs", "/v1/traces", "/v1/metrics"];
        known.into_iter().find(|known| path.ends_with(known))
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
            Protocol::HttpProtobuf | Protocol::HttpJson => {
                !self.exact && self.uri.query().is_some()
            }
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
            Protocol::HttpProtobuf | Protocol::HttpJson if self.exact => {
                (self.uri.path_and_query()).map_or("/".to_owned(), ToString::to_string)
            }
            Protocol::HttpProtobuf | Protocol::HttpJson => {
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
    let is_scheme = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let split = text.split_once("://");
    let split = split.filter(|(scheme, _)| is_scheme(scheme));
    let (scheme, rest) = split.unwrap_or(("", text));
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
        Signal::Metrics => "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export",
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

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str, exact: bool) -> String {
        let endpoint = Endpoint::parse(text, exact, None, false).unwrap();
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
            assert!(Endpoint::parse(text, false, None, false).is_err(), "{text}");
        }
    }

    #[test]
    fn credentials_leave_the_url_and_are_never_shown() {
        let endpoint = Endpoint::parse("http://user:CANARY@c:4318", false, None, false).unwrap();
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
            "http::CANARY@://",
        ] {
            assert!(!redacted(text).contains("CANARY"), "{text}");
        }
    }
}
