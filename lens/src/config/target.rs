//! Where one signal goes over OTLP, settled: URL, protocol, headers, limits.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use http::header::HeaderMap;
use http::uri::Uri;

use crate::config::Tls;

/// How OTLP is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    HttpProtobuf,
    HttpJson,
    Grpc,
}

impl Protocol {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "http/protobuf" => Some(Self::HttpProtobuf),
            "http/json" => Some(Self::HttpJson),
            "grpc" => Some(Self::Grpc),
            _ => None,
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HttpProtobuf => "http/protobuf",
            Self::HttpJson => "http/json",
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
    /// The socket to connect to, where that is a file.
    pub(crate) socket: Option<PathBuf>,
    pub(crate) headers: HeaderMap,
    pub(crate) gzip: bool,
    /// Of one attempt; `None` is no limit.
    pub(crate) timeout: Option<Duration>,
    #[cfg_attr(not(feature = "tls"), expect(dead_code, reason = "nothing to trust"))]
    pub(crate) tls: Tls,
}

impl Target {
    #[cfg(feature = "tls")]
    pub(crate) fn is_https(&self) -> bool {
        self.uri.scheme_str() == Some("https")
    }

    /// Scheme, host and port: what notices call this target.
    pub(crate) fn shown(&self) -> String {
        if let Some(socket) = &self.socket {
            return format!("unix://{}", socket.display());
        }
        format!(
            "{}://{}",
            self.uri.scheme_str().unwrap_or_default(),
            self.uri
                .authority()
                .map_or("", |authority| authority.as_str())
        )
    }

    /// All of the URL that requests go to, but for what may be secret.
    pub(crate) fn shown_whole(&self) -> String {
        match self.protocol {
            Protocol::Grpc => self.shown(),
            Protocol::HttpProtobuf | Protocol::HttpJson => {
                format!("{}{}", self.shown(), self.uri.path())
            }
        }
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
