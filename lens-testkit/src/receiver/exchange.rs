//! One request and its answer: decoded, kept, and replied to by the script.

use std::sync::Arc;
use std::time::Instant;

use http::{Request, Response};
use http_body_util::BodyExt;
use hyper::body::Incoming;

use super::connection::Ending;
use super::decode::{Decoded, decode};
use super::script::Answer;
use super::store::Store;
use super::wire::{Body, Wire};
use super::{Attempt, Signal};

pub(super) async fn exchange(
    request: Request<Incoming>,
    store: Arc<Store>,
    ending: Ending,
) -> Result<Response<Body>, hyper::Error> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await?.to_bytes();
    let path = parts.uri.path().to_owned();
    let signal = Signal::of_path(&path);
    let wire = Wire::of(&parts.headers);
    let decoded = match signal {
        Some(signal) => (wire.message(&body, &parts.headers))
            .and_then(|message| decode(signal, &message, wire == Wire::Json)),
        None => Err("not a path of OTLP".to_owned()),
    };
    let (decoded, error) = match decoded {
        Ok(decoded) => (decoded, None),
        Err(error) => (Decoded::default(), Some(error)),
    };
    let attempt = Attempt {
        signal,
        at: Instant::now(),
        path: parts.uri.path_and_query().map_or(path, ToString::to_string),
        headers: (parts.headers.iter())
            .map(|(name, value)| {
                let value = String::from_utf8_lossy(value.as_bytes());
                (name.as_str().to_owned(), value.into_owned())
            })
            .collect(),
        items: decoded.logs.len() + decoded.spans.len() + decoded.points.len(),
        error: error.clone(),
        body: body.into(),
    };
    let size = attempt.body.len();
    store.0.change(|state| state.attempts.push(attempt));
    let Some(signal) = signal.filter(|_| error.is_none()) else {
        return Ok(wire.undecodable(signal));
    };
    let most = store.0.look(|state| state.most).0;
    if let Some(most) = most.filter(|most| size > *most) {
        return Ok(wire.too_large(size, most));
    }
    let reply = store.0.change(|state| state.script.next(signal));
    if !reply.delay.is_zero() {
        tokio::time::sleep(reply.delay).await;
    }
    match reply.answer {
        Answer::Ok { rejected, message } => {
            keep(&store, decoded);
            Ok(wire.accepted(signal, rejected, message))
        }
        Answer::Malformed { bytes } => {
            keep(&store, decoded);
            Ok(wire.success(vec![0xff; bytes]))
        }
        Answer::Status {
            code,
            message,
            headers,
            retry_info,
        } => Ok(wire.status(code, &message, &headers, retry_info)),
        Answer::Hang => std::future::pending().await,
        Answer::End { reset } => {
            ending.end(reset);
            std::future::pending().await
        }
    }
}

fn keep(store: &Store, decoded: Decoded) {
    store.0.change(|state| {
        state.logs.extend(decoded.logs.into_iter().map(Arc::new));
        state.spans.extend(decoded.spans.into_iter().map(Arc::new));
        state
            .points
            .extend(decoded.points.into_iter().map(Arc::new));
    });
}
