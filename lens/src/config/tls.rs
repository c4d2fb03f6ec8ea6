//! Certificates and keys for TLS, from PEM files.
//!
//! In: the files somebody named. Out: what a connection trusts and shows, checked, or a sentence
//! on what cannot be used.

use std::borrow::Cow;
use std::path::PathBuf;

#[cfg(feature = "tls")]
use std::sync::Arc;

#[cfg(feature = "tls")]
use rustls::crypto::{CryptoProvider, ring};
#[cfg(feature = "tls")]
use rustls::pki_types::pem::{self, PemObject};
#[cfg(feature = "tls")]
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
#[cfg(feature = "tls")]
use rustls::sign::CertifiedKey;

/// A file, and where it was named.
pub(super) struct PemFile {
    pub(super) place: Cow<'static, str>,
    pub(super) path: PathBuf,
}

/// The files somebody named.
pub(super) struct TlsFiles {
    pub(super) roots: Option<PemFile>,
    pub(super) certificate: Option<PemFile>,
    pub(super) key: Option<PemFile>,
}

/// What a connection trusts and shows.
#[cfg(feature = "tls")]
#[derive(Clone, Debug, Default)]
pub(crate) struct Tls {
    /// In place of those of the system.
    pub(crate) roots: Option<Vec<CertificateDer<'static>>>,
    pub(crate) identity: Option<Arc<CertifiedKey>>,
}

/// Nothing, without TLS.
#[cfg(not(feature = "tls"))]
#[derive(Clone, Debug, Default)]
pub(crate) struct Tls;

/// The one provider of cryptography. Named, since a program may have two of them or none installed.
#[cfg(feature = "tls")]
#[allow(
    deprecated,
    reason = "from rustls 0.23.48 on; DESIGN.md says why it is ring"
)]
pub(crate) fn provider() -> CryptoProvider {
    ring::default_provider()
}

/// Reads the files.
///
/// # Errors
///
/// A sentence, when one cannot be used or another one is missing.
#[cfg(feature = "tls")]
pub(super) fn tls(files: TlsFiles) -> Result<Tls, String> {
    let roots = files.roots.map(|file| certificates(&file)).transpose()?;
    let identity = match (files.certificate, files.key) {
        (None, None) => None,
        (Some(certificate), Some(key)) => Some(identity(&certificate, &key)?),
        (Some(given), None) | (None, Some(given)) => {
            return Err(format!(
                "{} needs the other half: a client shows a certificate and has its key",
                given.place
            ));
        }
    };
    Ok(Tls { roots, identity })
}

#[cfg(not(feature = "tls"))]
pub(super) fn tls(files: TlsFiles) -> Result<Tls, String> {
    match files.roots.or(files.certificate).or(files.key) {
        None => Ok(Tls),
        Some(PemFile { place, path }) => Err(format!(
            "{place} is {} and lens is built without its feature `tls`",
            path.display()
        )),
    }
}

#[cfg(feature = "tls")]
fn certificates(file: &PemFile) -> Result<Vec<CertificateDer<'static>>, String> {
    let found = CertificateDer::pem_file_iter(&file.path).and_then(Iterator::collect);
    let found: Vec<_> = found.map_err(|error| unusable(file, "certificates", &error))?;
    // Of several some may be of a kind nobody can check; with none nobody would be trusted.
    let mut store = rustls::RootCertStore::empty();
    match store.add_parsable_certificates(found.iter().cloned()) {
        (0, _) => Err(unusable(file, "certificates", &pem::Error::NoItemsFound)),
        _ => Ok(found),
    }
}

#[cfg(feature = "tls")]
fn identity(certificate: &PemFile, key: &PemFile) -> Result<Arc<CertifiedKey>, String> {
    let chain = certificates(certificate)?;
    let der = PrivateKeyDer::from_pem_file(&key.path)
        .map_err(|error| unusable(key, "a private key", &error))?;
    let identity = CertifiedKey::from_der(chain, der, &provider());
    identity.map(Arc::new).map_err(|error| {
        format!(
            "{} and {} cannot be used together: {error}",
            certificate.place, key.place
        )
    })
}

/// What a file is not; never what is in it.
#[cfg(feature = "tls")]
fn unusable(file: &PemFile, expected: &str, error: &pem::Error) -> String {
    let fault = match error {
        pem::Error::Io(error) => error.to_string(),
        pem::Error::NoItemsFound => "it holds none in PEM format that can be read".to_owned(),
        _ => "it is not in PEM format".to_owned(),
    };
    format!(
        "invalid value {:?} for {}, expected a file with {expected}: {fault}",
        file.path, file.place
    )
}
