//! A web service of two processes, as axum and reqwest have them: a front, which is asked, and a
//! store, which the front asks. Each request is one trace through both.
//!
//! `cargo run -p lens-example-service --example http_service` asks for three models at once and
//! prints a tree for each request, of the front and of the store; `-- 1000` asks for a thousand.
//! `NEMO_LENS_EXPORTER=otlp` sends it to a collector, where the halves of a trace meet.

use std::process::Stdio;

use axum::extract::{MatchedPath, Path, State};
use axum::http::StatusCode;
use axum::{Router, routing::get};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::task::JoinSet;

/// How many requests are open: each is three sockets here, and a process may have 1,024.
const AT_ONCE: usize = 100;

#[lens::main(logs = true, exporter = "pretty", service = "front")]
#[tokio::main]
async fn main() -> anyhow::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("store") => store().await,
        requests => front(requests.unwrap_or("3").parse()?).await,
    }
}

/// Starts a store and a front, and asks the front so many times.
async fn front(requests: usize) -> anyhow::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("store").env("OTEL_SERVICE_NAME", "store");
    let mut store = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let stdout = store.stdout.take().expect("it is piped");
    let mut lines = BufReader::new(stdout).lines();
    let address = lines
        .next_line()
        .await?
        .expect("the store says where it is");

    let asked = Asked {
        store: format!("http://{address}"),
        client: reqwest::Client::new(),
    };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let front = format!("http://{}", listener.local_addr()?);
    let app = Router::new()
        .route("/models/{name}", get(model))
        .with_state(asked);
    tokio::spawn(axum::serve(listener, app.layer(layer())).into_future());

    let client = reqwest::Client::new();
    let mut asking = JoinSet::new();
    for number in 0..requests {
        if asking.len() == AT_ONCE
            && let Some(answer) = asking.join_next().await
        {
            answer??;
        }
        let (client, url) = (client.clone(), format!("{front}/models/{number}"));
        asking.spawn(async move { client.get(url).send().await?.text().await });
    }
    while let Some(answer) = asking.join_next().await {
        answer??;
    }
    // The store ends with its input, and has said nothing more until then.
    drop(store.stdin.take());
    while let Some(line) = lines.next_line().await? {
        println!("{line}");
    }
    anyhow::ensure!(store.wait().await?.success(), "the store failed");
    Ok(())
}

/// What the front needs to ask the store.
#[derive(Clone)]
struct Asked {
    store: String,
    client: reqwest::Client,
}

/// Asks the store in a task, and looks at what it says where that may block.
async fn model(State(asked): State<Asked>, Path(name): Path<String>) -> Result<String, StatusCode> {
    log::info!(name = name.as_str(); "asked for a model");
    let url = format!("{}/weights/{name}", asked.store);
    let weights = lens::spawn(async move { fetch(&asked.client, &url).await });
    let weights = weights
        .await
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    let weights = weights.map_err(|_| StatusCode::BAD_GATEWAY)?;
    let work = lens::spawn_blocking(move || {
        let sum: usize = weights.bytes().map(usize::from).sum();
        log::info!(name = name.as_str(); "looked at its weights");
        sum.to_string()
    });
    work.await.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
}

/// Asks another service, which goes on with the trace.
#[lens::trace(
    name = "GET",
    kind = "client",
    fields(http.request.method = "GET", url.full = url)
)]
async fn fetch(client: &reqwest::Client, url: &str) -> reqwest::Result<String> {
    let mut request = client.get(url).build()?;
    lens::inject(request.headers_mut());
    let response = client.execute(request).await?;
    lens::record!(http.response.status_code = response.status().as_u16());
    response.error_for_status()?.text().await
}

/// Serves weights until its input ends.
async fn store() -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    let app = Router::new()
        .route("/weights/{name}", get(weights))
        .layer(layer());
    tokio::select! {
        served = axum::serve(listener, app) => served?,
        ended = until_the_end_of_input() => ended?,
    }
    Ok(())
}

async fn weights(Path(name): Path<String>) -> String {
    log::info!(name = name.as_str(); "read the weights");
    format!("weights of {name}")
}

async fn until_the_end_of_input() -> anyhow::Result<()> {
    tokio::io::stdin().read_to_end(&mut Vec::new()).await?;
    Ok(())
}

/// A span for each request, named after its route.
fn layer() -> lens::tower::ServerLayer {
    lens::tower::ServerLayer::new()
        .route(|extensions| Some(extensions.get::<MatchedPath>()?.as_str().to_owned()))
}
