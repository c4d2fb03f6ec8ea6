//! What is said of a request.
//!
//! <https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server>

use http::{HeaderMap, Request, Uri, Version, header};

use super::exchange::Series;
use super::layer::Known;
use crate::carrier::extract;
use crate::semconv::{client, http as http_keys, network, server, url, user_agent};
use crate::span::Description;

/// The methods that name spans; any other text may be anything.
const METHODS: [&str; 10] = [
    "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
];

/// The parameters whose values sign a URL.
///
/// <https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/>
const SIGNING: [&str; 6] = [
    "AWSAccessKeyId",
    "Signature",
    "sig",
    "X-Amz-Signature",
    "X-Amz-Credential",
    "X-Goog-Signature",
];
const REDACTED: &str = "REDACTED";

/// The description of a request's span, and what of it has few values.
pub(super) fn described<B>(request: &Request<B>, known: &Known) -> (Description, Series) {
    let (uri, headers) = (request.uri(), request.headers());
    let method = request.method().as_str();
    let known_method = METHODS.into_iter().find(|known| *known == method);
    let series = Series {
        method: known_method.unwrap_or("_OTHER"),
        route: known.route(request.extensions()),
        scheme: known.scheme(uri),
        version: version(request.version()),
    };
    let host = host(uri, headers);
    let peer = known.peer(request.extensions());
    let address = peer.map(|peer| peer.ip().to_string());
    let name = known_method.unwrap_or("HTTP");
    let name = match &series.route {
        Some(route) => format!("{name} {route}"),
        None => name.to_owned(),
    };
    let description = Description::default()
        .name(name)
        .parent(&extract(headers))
        .field(http_keys::METHOD, series.method)
        .field(
            http_keys::METHOD_ORIGINAL,
            &known_method.is_none().then_some(method),
        )
        .field(http_keys::ROUTE, &series.route)
        .field(url::PATH, uri.path())
        .field(url::QUERY, &uri.query().map(unsigned))
        .field(url::SCHEME, series.scheme)
        .field(server::ADDRESS, &host.map(|(name, _)| name))
        .field(server::PORT, &host.and_then(|(_, port)| port))
        .field(client::ADDRESS, &address)
        .field(network::PEER_ADDRESS, &address)
        .field(network::PEER_PORT, &peer.map(|peer| peer.port()))
        .field(network::PROTOCOL_VERSION, &series.version)
        .field(user_agent::ORIGINAL, &text(headers, header::USER_AGENT));
    (description, series)
}

/// The name and the port the client asked for.
fn host<'a>(uri: &'a Uri, headers: &'a HeaderMap) -> Option<(&'a str, Option<u16>)> {
    if let Some(authority) = uri.authority() {
        return Some((authority.host(), authority.port_u16()));
    }
    let host = text(headers, header::HOST)?;
    match host.rsplit_once(':') {
        // The colon of an address without a port is inside its brackets.
        Some((name, port)) if !port.ends_with(']') => Some((name, port.parse().ok())),
        _ => Some((host, None)),
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn version(version: Version) -> Option<&'static str> {
    Some(match version {
        Version::HTTP_10 => "1.0",
        Version::HTTP_11 => "1.1",
        Version::HTTP_2 => "2",
        Version::HTTP_3 => "3",
        _ => return None,
    })
}

/// A query without what would let its reader do what its sender may.
fn unsigned(query: &str) -> String {
    let parts = query.split('&').map(|part| match part.split_once('=') {
        Some((key, _)) if SIGNING.contains(&key) => format!("{key}={REDACTED}"),
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_has_a_name_and_perhaps_a_port() {
        for (said, expected) in [
            ("a.b:80", ("a.b", Some(80))),
            ("a.b", ("a.b", None)),
            ("[::1]:8080", ("[::1]", Some(8080))),
            ("[::1]", ("[::1]", None)),
            ("a:b", ("a", None)),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, said.parse().unwrap());
            assert_eq!(host(&Uri::default(), &headers), Some(expected), "{said}");
        }
        let uri = Uri::from_static("http://c:1/path");
        assert_eq!(host(&uri, &HeaderMap::new()), Some(("c", Some(1))));
        assert_eq!(host(&Uri::default(), &HeaderMap::new()), None);
    }

    #[test]
    fn what_signs_a_query_does_not_leave() {
        let query = "q=1&sig=abc&X-Amz-Signature=d=e&Signature&signed=1";
        assert_eq!(
            unsigned(query),
            "q=1&sig=REDACTED&X-Amz-Signature=REDACTED&Signature&signed=1"
        );
    }
}
