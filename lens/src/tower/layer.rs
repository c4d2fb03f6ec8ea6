//! The layer and its service.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};

use http::uri::Scheme;
use http::{Extensions, Request, Response, Uri};
use http_body::Body;
use tower_layer::Layer;
use tower_service::Service;

use super::body::ServerBody;
use super::exchange::Exchange;
use super::future::ServerFuture;
use super::request::described;
use crate::groups::Site;
use crate::span::OpenSpan;

type Route = dyn Fn(&Extensions) -> Option<String> + Send + Sync;
type Peer = dyn Fn(&Extensions) -> Option<SocketAddr> + Send + Sync;

/// What is asked of a request's extensions.
#[derive(Clone, Default)]
pub(super) struct Known {
    is_https: bool,
    route: Option<Arc<Route>>,
    peer: Option<Arc<Peer>>,
}

impl Known {
    /// What the request says is its sender's word, and there must be few of them.
    pub(super) fn scheme(&self, uri: &Uri) -> &'static str {
        if self.is_https || uri.scheme() == Some(&Scheme::HTTPS) {
            "https"
        } else {
            "http"
        }
    }

    pub(super) fn route(&self, extensions: &Extensions) -> Option<String> {
        self.route.as_ref().and_then(|route| route(extensions))
    }

    pub(super) fn peer(&self, extensions: &Extensions) -> Option<SocketAddr> {
        self.peer.as_ref().and_then(|peer| peer(extensions))
    }
}

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Known").finish_non_exhaustive()
    }
}

/// Puts each request into a span of its own, in the trace of whoever sent it.
///
/// ```
/// use axum::extract::MatchedPath;
/// use axum::{Router, routing::get};
///
/// async fn fit() -> &'static str {
///     log::info!("carries the ids of the request's span");
///     "fitted"
/// }
///
/// let layer = lens::tower::ServerLayer::new()
///     .route(|extensions| Some(extensions.get::<MatchedPath>()?.as_str().to_owned()));
/// let app: Router = Router::new().route("/models/{name}", get(fit)).layer(layer);
/// ```
///
/// The span's parent is what [`extract`](crate::extract) finds in the headers, and nothing else. It
/// is active while the service and the body of its response run, has the
/// [conventions' name and attributes](https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server),
/// and ends with the body. A status of 500 and above and a body that fails set its status to error;
/// a request whose client has gone ends without a status.
///
/// How long it took is measured as
/// [`http.server.request.duration`](https://opentelemetry.io/docs/specs/semconv/http/http-metrics/#metric-httpserverrequestduration).
///
/// # Cost
///
/// Without a tracer provider: the attributes, a look at the global one, and the context made
/// active for each poll. On: a span as well.
#[derive(Clone, Debug, Default)]
pub struct ServerLayer {
    known: Known,
}

impl ServerLayer {
    /// Creates a layer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Says where the route of a request stands, `/models/{name}` in place of `/models/iris`, which
    /// its span is named after.
    ///
    /// Without one the span has the name of the method only: paths are too many to be names.
    #[must_use]
    pub fn route(
        mut self,
        route: impl Fn(&Extensions) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.known.route = Some(Arc::new(route));
        self
    }

    /// Says that clients come by TLS: a request of HTTP/1.1 does not tell.
    #[must_use]
    pub fn https(mut self) -> Self {
        self.known.is_https = true;
        self
    }

    /// Says where the address of the client stands; axum's is in `ConnectInfo`.
    ///
    /// ```
    /// use std::net::SocketAddr;
    /// use axum::extract::ConnectInfo;
    ///
    /// let layer = lens::tower::ServerLayer::new()
    ///     .peer(|extensions| Some(extensions.get::<ConnectInfo<SocketAddr>>()?.0));
    /// ```
    #[must_use]
    pub fn peer(
        mut self,
        peer: impl Fn(&Extensions) -> Option<SocketAddr> + Send + Sync + 'static,
    ) -> Self {
        self.known.peer = Some(Arc::new(peer));
        self
    }
}

impl<S> Layer<S> for ServerLayer {
    type Service = Server<S>;

    fn layer(&self, inner: S) -> Server<S> {
        Server {
            inner,
            known: self.known.clone(),
        }
    }
}

/// A service whose requests have spans; made by [`ServerLayer`].
#[derive(Clone, Debug)]
pub struct Server<S> {
    inner: S,
    known: Known,
}

impl<S, In, Out> Service<Request<In>> for Server<S>
where
    S: Service<Request<In>, Response = Response<Out>>,
    Out: Body,
{
    type Response = Response<ServerBody<Out>>;
    type Error = S::Error;
    type Future = ServerFuture<S::Future>;

    fn poll_ready(&mut self, task: &mut TaskContext<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(task)
    }

    fn call(&mut self, request: Request<In>) -> Self::Future {
        let (description, series) = described(&request, &self.known);
        let span = OpenSpan::start(Site::REQUEST, description);
        let mut exchange = Exchange::new(span, series);
        let future = exchange.within(|| self.inner.call(request));
        ServerFuture::new(future, exchange)
    }
}
