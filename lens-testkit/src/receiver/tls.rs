//! TLS identities that nobody has reason to trust.

use std::sync::Arc;

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::server::danger::ClientCertVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

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

/// What a client shows, as PEM.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Identity {
    /// Its certificate.
    pub certificate: String,
    /// The key to it.
    pub key: String,
}

/// The way to accept connections, and the certificate as PEM.
pub(super) fn identity(kind: Certificate) -> (TlsAcceptor, String) {
    let (certificate, key) = signed(kind);
    let accepts = accepting(WebPkiClientVerifier::no_client_auth(), &certificate, &key);
    (accepts, certificate.pem())
}

/// The way to accept connections of one client alone, the certificate as PEM, and the client's.
#[expect(clippy::expect_used, reason = "fixed inputs, made here")]
pub(super) fn mutual() -> (TlsAcceptor, String, Identity) {
    let (client, client_key) = signed(Certificate::Valid);
    let mut roots = RootCertStore::empty();
    roots.add(client.der().clone()).expect("a certificate");
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider())
        .build()
        .expect("somebody to trust");
    let (certificate, key) = signed(Certificate::Valid);
    let accepts = accepting(verifier, &certificate, &key);
    let shown = Identity {
        certificate: client.pem(),
        key: client_key.serialize_pem(),
    };
    (accepts, certificate.pem(), shown)
}

#[expect(clippy::expect_used, reason = "fixed inputs, made here")]
fn signed(kind: Certificate) -> (rcgen::Certificate, KeyPair) {
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
    (certificate, key)
}

/// What lens has.
#[allow(
    deprecated,
    reason = "from rustls 0.23.48 on; DESIGN.md says why it is ring"
)]
fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

#[expect(clippy::expect_used, reason = "fixed inputs, made here")]
fn accepting(
    verifier: Arc<dyn ClientCertVerifier>,
    certificate: &rcgen::Certificate,
    key: &KeyPair,
) -> TlsAcceptor {
    let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
    let mut config = ServerConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .expect("ring supports the default TLS versions")
        .with_client_cert_verifier(verifier)
        .with_single_cert(vec![certificate.der().clone()], key)
        .expect("the key belongs to the certificate");
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    TlsAcceptor::from(Arc::new(config))
}
