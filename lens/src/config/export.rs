//! What code says of where telemetry goes.

use std::path::PathBuf;
use std::time::Duration;

/// Where telemetry goes: of all signals by [`Builder::export`](crate::Builder::export), of one by
/// [`log_export`](crate::Builder::log_export), [`span_export`](crate::Builder::span_export) and
/// [`metric_export`](crate::Builder::metric_export). What is not set stays as it is.
///
/// Each setting is named as its variable ends, `OTEL_EXPORTER_OTLP_…` for all signals and
/// `OTEL_EXPORTER_OTLP_LOGS_…`, `…_TRACES_…`, `…_METRICS_…` for one; the variable wins, whether
/// of all signals or of one, and then what is set for one signal. The rules are
/// [those of the specification](https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
///
/// ```
/// use std::time::Duration;
///
/// let builder = lens::Builder::new()
///     .export(lens::Export::new().compression("gzip").timeout(Duration::from_secs(3)))
///     .log_export(lens::Export::new().endpoint("https://logs.example.com/v1/logs"));
/// # let _ = builder;
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "it is for `Builder::export` and its like"]
pub struct Export {
    pub(super) exporter: Option<String>,
    pub(super) endpoint: Option<Secret>,
    pub(super) protocol: Option<String>,
    pub(super) headers: Option<Secret>,
    pub(super) compression: Option<String>,
    pub(super) timeout: Option<Duration>,
    pub(super) insecure: Option<bool>,
    pub(super) certificate: Option<PathBuf>,
    pub(super) client_certificate: Option<PathBuf>,
    pub(super) client_key: Option<PathBuf>,
}

/// A value that may hold a secret and is never shown.
#[derive(Clone, Default)]
pub(super) struct Secret(pub(super) String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[redacted]")
    }
}

impl Export {
    /// Sets nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Chooses the exporters, see [`Builder::exporter`](crate::Builder::exporter).
    pub fn exporter(mut self, exporter: impl Into<String>) -> Self {
        self.exporter = Some(exporter.into());
        self
    }

    /// Sets the URL of the receiver: for all signals a base, which gets `v1/logs`, `v1/traces` or
    /// `v1/metrics` added; for one signal it is used as it is. Over gRPC a path means nothing.
    ///
    /// `http` or `https`; over gRPC also without a scheme, see [`insecure`](Self::insecure), or
    /// `unix:///path`. Anything else turns export off. Default: see
    /// [`Builder::endpoint`](crate::Builder::endpoint).
    pub fn endpoint(mut self, url: impl Into<String>) -> Self {
        self.endpoint = Some(Secret(url.into()));
        self
    }

    /// Chooses the OTLP protocol, see [`Builder::protocol`](crate::Builder::protocol).
    pub fn protocol(mut self, protocol: impl Into<String>) -> Self {
        self.protocol = Some(protocol.into());
        self
    }

    /// Sets request headers, see [`Builder::headers`](crate::Builder::headers). Those of one
    /// signal are in place of those of all, not beside them.
    pub fn headers(mut self, headers: impl Into<String>) -> Self {
        self.headers = Some(Secret(headers.into()));
        self
    }

    /// Compresses requests: `"gzip"`, or `"none"`, which is the default.
    pub fn compression(mut self, compression: impl Into<String>) -> Self {
        self.compression = Some(compression.into());
        self
    }

    /// Sets how long one attempt to send a request may take; zero is without a limit.
    ///
    /// Default: 10 s. Variable in milliseconds.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Speaks plain text over gRPC with an endpoint that has no scheme. Default `false`: TLS.
    pub fn insecure(mut self, insecure: bool) -> Self {
        self.insecure = Some(insecure);
        self
    }

    /// Trusts the certificates of a PEM file, and no others.
    ///
    /// Default: those of the system. A file that cannot be read, or has none, turns export off.
    pub fn certificate(mut self, file: impl Into<PathBuf>) -> Self {
        self.certificate = Some(file.into());
        self
    }

    /// Shows the certificate of a PEM file to the receiver, with the key of
    /// [`client_key`](Self::client_key).
    ///
    /// Default: none. One without the other, or two that do not fit, turn export off.
    pub fn client_certificate(mut self, file: impl Into<PathBuf>) -> Self {
        self.client_certificate = Some(file.into());
        self
    }

    /// Has the key to [`client_certificate`](Self::client_certificate) in a PEM file.
    pub fn client_key(mut self, file: impl Into<PathBuf>) -> Self {
        self.client_key = Some(file.into());
        self
    }

    /// What `other` says, and else this.
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            exporter: other.exporter.or(self.exporter),
            endpoint: other.endpoint.or(self.endpoint),
            protocol: other.protocol.or(self.protocol),
            headers: other.headers.or(self.headers),
            compression: other.compression.or(self.compression),
            timeout: other.timeout.or(self.timeout),
            insecure: other.insecure.or(self.insecure),
            certificate: other.certificate.or(self.certificate),
            client_certificate: other.client_certificate.or(self.client_certificate),
            client_key: other.client_key.or(self.client_key),
        }
    }
}
