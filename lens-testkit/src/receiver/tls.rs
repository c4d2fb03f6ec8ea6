//! TLS identities that nobody has reason to trust.

use std::sync::Arc;

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// What is wrong with a receiver's certificate, besides that nobody trusts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// Nothing.
    Valid,
    /// It was good until the year 2000.
    Expired,
    /// It is another host's.
    OfAnotherHost,
}

/// The way to accept connections, and the certificate as PEM.
#[expect(clippy::expect_used, reason = "fixed inputs, made here")]
pub(super) fn identity(kind: Certificate) -> (TlsAcceptor, String) {
    let names = match kind {
        Certificate::Valid | Certificate::Expired => ["localhost", "127.0.0.1"],
        Certificate::OfAnotherHost => ["elsewhere.test", "elsewhere.invalid"],
    };
    let mut params = CertificateParams::new(names.map(str::to_owned)).expect("valid names");
    if kind == Certificate::Expired {
        params.not_before = date_time_ymd(1999, 1, 1);
        params.not_after = date_time_ymd(2000, 1, 1);
    }
    let key = KeyPair::generate().expect("a key");
    let certificate = params.self_signed(&key).expect("a self-signed certificate");
    let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring supports the default TLS versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .expect("the key belongs to the certificate");
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    (TlsAcceptor::from(Arc::new(config)), certificate.pem())
}
