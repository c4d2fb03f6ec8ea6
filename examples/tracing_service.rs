//! A web service that uses `tracing` as most do: a span for each request by tower-http,
//! `#[instrument]`, events, and a library that logs by `log`. lens is the one line above main, in
//! place of `tracing_subscriber::fmt::init()`.
//!
//! `cargo run -p lens-example-service --example tracing_service` asks for three orders, prints
//! what `tracing_subscriber` would, and behind it a tree for each request;
//! `NEMO_LENS_EXPORTER=otlp` sends it to a collector.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::Body;
use axum::extract::Path;
use axum::http::{Request, StatusCode};
use axum::{Router, routing::get};
use tokio::net::TcpListener;
use tower_http::trace::TraceLayer;
use tracing::{Instrument, Span, info, info_span, instrument};

#[lens::main(
    logs = true,
    tracing = true,
    span_fields = "request_id",
    exporter = "pretty"
)]
#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let app = Router::new()
        .route("/orders/{id}", get(order))
        .layer(TraceLayer::new_for_http().make_span_with(request_span));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    info!(%address, "listening");
    let served = tokio::spawn(axum::serve(listener, app).into_future());

    // A service would go on. This one asks itself, so that there is something to see.
    for id in [7, 8, 13] {
        reqwest::get(format!("http://{address}/orders/{id}")).await?;
    }
    served.abort();
    Ok(())
}

fn request_span(request: &Request<Body>) -> Span {
    static REQUESTS: AtomicU64 = AtomicU64::new(1);
    let request_id = REQUESTS.fetch_add(1, Ordering::Relaxed);
    let (method, path) = (request.method(), request.uri().path());
    info_span!("request", otel.kind = "server", request_id, %method, path)
}

async fn order(Path(id): Path<u64>) -> Result<String, StatusCode> {
    info!(id, "asked for an order");
    // A task is in the span that it is given.
    let found = tokio::spawn(find(id).in_current_span()).await;
    let found = found.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    found.map_err(|_| StatusCode::NOT_FOUND)
}

#[instrument(err)]
async fn find(id: u64) -> anyhow::Result<String> {
    let pieces = stock::pieces(id);
    anyhow::ensure!(pieces > 0, "no pieces of order {id} are left");
    Ok(format!("{pieces} pieces"))
}

/// A library, which knows nothing of `tracing`.
mod stock {
    pub fn pieces(id: u64) -> u64 {
        let pieces = if id == 13 { 0 } else { id * 2 };
        log::info!(pieces; "looked into the store");
        pieces
    }
}
