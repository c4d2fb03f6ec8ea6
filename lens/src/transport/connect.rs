//! The HTTP client of one target: plain or TLS, HTTP/1.1 or HTTP/2.

#[cfg(feature = "tls")]
use std::sync::Arc;

use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Builder, Client};
use hyper_util::rt::{TokioExecutor, TokioTimer};

use super::payload::Watched;
use super::prompt::PromptConnector;
#[cfg(feature = "tls")]
use crate::config::provider;
use crate::config::{Protocol, Target};

#[cfg(feature = "tls")]
pub(super) type Connector = hyper_rustls::HttpsConnector<PromptConnector>;
#[cfg(not(feature = "tls"))]
pub(super) type Connector = PromptConnector;

pub(super) type HttpClient = Client<Connector, Watched>;

/// Makes a client; nothing connects before the first request.
pub(super) fn client(target: &Target) -> HttpClient {
    let mut http = HttpConnector::new();
    http.set_nodelay(true);
    http.enforce_http(false);
    let connector = PromptConnector {
        http,
        socket: target.socket.clone(),
    };
    Builder::new(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .http2_only(target.protocol == Protocol::Grpc)
        .build(secured(connector, target))
}

#[cfg(feature = "tls")]
fn secured(http: PromptConnector, target: &Target) -> Connector {
    let builder = hyper_rustls::HttpsConnectorBuilder::new()
        .with_tls_config(tls_config(target))
        // The scheme decides, so an `https` endpoint never sees a byte of plain text.
        .https_or_http();
    match target.protocol {
        Protocol::Grpc => builder.enable_http2().wrap_connector(http),
        Protocol::HttpProtobuf | Protocol::HttpJson => builder.enable_http1().wrap_connector(http),
    }
}

#[cfg(not(feature = "tls"))]
fn secured(http: PromptConnector, _: &Target) -> Connector {
    http
}

#[cfg(feature = "tls")]
fn tls_config(target: &Target) -> rustls::ClientConfig {
    let mut roots = rustls::RootCertStore::empty();
    // Reading them takes milliseconds, which a plain connection need not wait for.
    if target.is_https() {
        let trusted = match &target.tls.roots {
            Some(own) => own.clone(),
            None => rustls_native_certs::load_native_certs().certs,
        };
        // A system with one unreadable certificate still trusts the others; with none at
        // all the first connection says that nobody is trusted.
        roots.add_parsable_certificates(trusted);
    }
    let builder = rustls::ClientConfig::builder_with_provider(Arc::new(provider()));
    #[expect(clippy::expect_used, reason = "ring supports both protocol versions")]
    let builder = builder
        .with_safe_default_protocol_versions()
        .expect("ring supports the default TLS versions")
        .with_root_certificates(roots);
    match &target.tls.identity {
        Some(identity) => {
            let shown = rustls::sign::SingleCertAndKey::from(Arc::clone(identity));
            builder.with_client_cert_resolver(Arc::new(shown))
        }
        None => builder.with_no_client_auth(),
    }
}
