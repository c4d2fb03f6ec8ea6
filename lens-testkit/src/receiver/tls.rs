//! A TLS identity that nobody has reason to trust.

use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// The way to accept connections, and the certificate as PEM.
#[expect(clippy::expect_used, reason = "fixed inputs, made here")]
pub(super) fn self_signed() -> (TlsAcceptor, String) {
    let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
    let identity = rcgen::generate_simple_self_signed(names).expect("a self-signed certificate");
    let key = PrivateKeyDer::Pkcs8(identity.signing_key.serialize_der().into());
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring supports the default TLS versions")
        .with_no_client_auth()
        .with_single_cert(vec![identity.cert.der().clone()], key)
        .expect("the key belongs to the certificate");
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    (TlsAcceptor::from(Arc::new(config)), identity.cert.pem())
}
