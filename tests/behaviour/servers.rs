//! Requests, each in its span.

use std::io::Error;
use std::net::SocketAddr;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::Body;
use axum::extract::MatchedPath;
use axum::http::{Request, StatusCode};
use axum::routing::any;
use futures_util::{StreamExt, stream};
use http_body_util::BodyExt;
use lens::tower::ServerLayer;
use lens_testkit::{Capture, Span, test};
use tower_service::Service;

const PARENT: &str = "00-80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-01";

fn app() -> Router {
    let layer = ServerLayer::new()
        .route(|extensions| Some(extensions.get::<MatchedPath>()?.as_str().to_owned()))
        .peer(|extensions| extensions.get::<SocketAddr>().copied());
    Router::new()
        .route("/cart/{id}", any(cart))
        .route("/fails", any(async || StatusCode::INTERNAL_SERVER_ERROR))
        .route("/panics", any(panics))
        .route("/dropped", any(async || dropped()))
        .route("/waits", any(std::future::pending::<StatusCode>))
        .route("/streams", any(async || body(None)))
        .route("/breaks", any(async || body(Some("the disk is full"))))
        .layer(layer)
        .route("/outside", any(async || log::info!("outside of the layer")))
}

async fn cart() -> StatusCode {
    log::info!("looked into the cart");
    StatusCode::NOT_FOUND
}

async fn panics() -> StatusCode {
    panic!("no cart")
}

/// A body that logs as it is made.
fn body(error: Option<&'static str>) -> Body {
    let parts = [
        Ok("one"),
        error.map_or(Ok("two"), |error| Err(Error::other(error))),
    ];
    Body::from_stream(stream::iter(parts).inspect(|part| log::info!("made {part:?}")))
}

/// A body that logs as it is dropped, which is before its end.
fn dropped() -> Body {
    struct Logs;
    impl Drop for Logs {
        fn drop(&mut self) {
            log::info!("left behind");
        }
    }
    let logs = Logs;
    Body::from_stream(stream::repeat_with(move || {
        let _ = &logs;
        Ok::<_, Error>("more")
    }))
}

/// Asks for it, reads all of the answer, and returns its span.
async fn asked(cap: &Capture, request: axum::http::request::Builder) -> Span {
    let before = cap.spans().count();
    let request = request.body(Body::empty()).expect("a request");
    let response = app().call(request).await.expect("axum never fails");
    assert_eq!(cap.spans().count(), before, "it ends with the body");
    let _ = response.into_body().collect().await;
    cap.spans().to_vec().pop().expect("it has ended")
}

#[test]
async fn a_request_has_the_name_and_attributes_of_the_conventions(cap: Capture) {
    let request = Request::get("/cart/7?full=yes&sig=secret")
        .header("host", "shop.example:8080")
        .header("user-agent", "curl/8")
        .header("traceparent", PARENT)
        .extension(SocketAddr::from(([10, 0, 0, 7], 4711)));
    let span = asked(&cap, request).await;
    span.has_remote_parent(PARENT).has_no_error();
    assert_eq!(
        (span.name(), span.kind(), span.scope()),
        ("GET /cart/{id}", "server", "lens")
    );
    span.has_attr("http.request.method", "GET")
        .has_attr("http.route", "/cart/{id}")
        .has_attr("http.response.status_code", 404)
        .has_attr("url.path", "/cart/7")
        .has_attr("url.query", "full=yes&sig=REDACTED")
        .has_attr("url.scheme", "http")
        .has_attr("server.address", "shop.example")
        .has_attr("server.port", 8080)
        .has_attr("client.address", "10.0.0.7")
        .has_attr("network.peer.address", "10.0.0.7")
        .has_attr("network.peer.port", 4711)
        .has_attr("network.protocol.version", "1.1")
        .has_attr("user_agent.original", "curl/8");
    cap.logs().body("looked into the cart").one().in_span(&span);
}

#[test]
async fn a_request_that_says_little_has_little(cap: Capture) {
    let around = lens::span!("around");
    let span = asked(&cap, Request::builder().method("BREW").uri("/nowhere")).await;
    drop(around);
    // What is active where a server runs is not where the request came from.
    span.is_root();
    assert_eq!(span.name(), "HTTP");
    span.has_attr("http.request.method", "_OTHER")
        .has_attr("http.request.method_original", "BREW");
    for key in [
        "http.route",
        "url.query",
        "server.address",
        "client.address",
        "error.type",
    ] {
        assert_eq!(span.attr(key), None, "{key}");
    }
}

#[test]
async fn what_the_server_fails_at_is_an_error(cap: Capture) {
    let span = asked(&cap, Request::get("/fails")).await;
    span.has_error("")
        .has_attr("http.response.status_code", 500);
    span.has_attr("error.type", "500");
}

#[test]
async fn a_body_is_made_inside_the_span_and_ends_it(cap: Capture) {
    let span = asked(&cap, Request::get("/streams")).await;
    span.has_no_error();
    assert_eq!(span.logs().count(), 2);

    let span = asked(&cap, Request::get("/breaks")).await;
    span.has_error("")
        .has_attr("error.type", "axum_core::error::Error");
    assert_eq!(span.logs().count(), 2);
    cap.logs().in_trace(&span).exactly(2);
}

#[test(flavor = "multi_thread")]
async fn a_request_that_panics_or_is_given_up_ends_its_span(cap: Capture) {
    let panicking = lens::spawn(async {
        let _ = app()
            .call(
                Request::get("/panics")
                    .body(Body::empty())
                    .expect("a request"),
            )
            .await;
    });
    assert!(panicking.await.is_err());
    let span = cap.spans().name("GET /panics").wait().await.one();
    span.has_error("panicked").has_attr("error.type", "panic");

    let mut waiting = Box::pin(
        app().call(
            Request::get("/waits")
                .body(Body::empty())
                .expect("a request"),
        ),
    );
    assert!(futures_util::poll!(waiting.as_mut()).is_pending());
    cap.spans().name("GET /waits").none();
    drop(waiting);
    let span = cap.spans().name("GET /waits").one();
    assert_eq!(span.attr("http.response.status_code"), None);
}

#[test]
async fn what_a_body_leaves_behind_is_inside_the_span(cap: Capture) {
    let request = Request::get("/dropped")
        .body(Body::empty())
        .expect("a request");
    let response = app().call(request).await.expect("axum never fails");
    let mut body = response.into_body();
    assert!(body.frame().await.is_some());
    drop(body);
    let span = cap.spans().name("GET /dropped").one();
    cap.logs().body("left behind").one().in_span(&span);
}

#[test]
async fn a_call_that_panics_before_it_is_a_future_is_an_error(cap: Capture) {
    #[derive(Clone)]
    struct Panics;
    impl Service<Request<Body>> for Panics {
        type Response = axum::response::Response;
        type Error = Error;
        type Future = std::future::Ready<Result<Self::Response, Error>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, _: Request<Body>) -> Self::Future {
            panic!("no future")
        }
    }
    let mut service = tower_layer::Layer::layer(&ServerLayer::new().https(), Panics);
    let request = Request::get("/").body(Body::empty()).expect("a request");
    let call = std::panic::AssertUnwindSafe(|| drop(service.call(request)));
    assert!(std::panic::catch_unwind(call).is_err());
    let span = cap.spans().name("GET").one();
    span.has_error("panicked").has_attr("url.scheme", "https");
}

#[test]
async fn how_long_a_request_took_is_measured_by_its_route(cap: Capture) {
    for path in ["/cart/1", "/cart/2", "/fails", "/breaks"] {
        asked(&cap, Request::get(path).header("traceparent", PARENT)).await;
    }
    asked(&cap, Request::get("weird://h/streams")).await;
    let duration = |route: &str| {
        let points = cap.metrics().name("http.server.request.duration");
        points.attr("http.route", route).one()
    };
    let cart = duration("/cart/{id}");
    assert_eq!(
        (cart.count, cart.unit.as_str(), cart.kind),
        (2, "s", "histogram")
    );
    let keys: Vec<_> = cart.attributes.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "http.request.method",
            "http.response.status_code",
            "http.route",
            "network.protocol.version",
            "url.scheme"
        ]
    );
    assert_eq!(duration("/fails").attributes["error.type"], "500".into());
    let breaks = duration("/breaks");
    assert_eq!(
        breaks.attributes["error.type"],
        "axum_core::error::Error".into()
    );
    // A scheme is the client's word.
    assert_eq!(duration("/streams").attributes["url.scheme"], "http".into());
}

#[test]
async fn what_is_outside_of_the_layer_has_no_span(cap: Capture) {
    let request = Request::get("/outside").header("traceparent", PARENT);
    let request = request.body(Body::empty()).expect("a request");
    let _ = app().call(request).await;
    cap.logs().body("outside of the layer").uncorrelated().one();
    cap.spans().none();
}
