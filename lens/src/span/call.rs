//! What `#[lens::trace]` prints a call to: a function body inside a span.

use std::borrow::Cow;
use std::future::poll_fn;
use std::pin::pin;

use opentelemetry::KeyValue;

use super::open::{OpenSpan, Site};
use super::outcome::Outcome;

/// Runs `body` in a span.
pub fn trace<R>(
    site: Site,
    name: impl Into<Cow<'static, str>>,
    attributes: impl IntoIterator<Item = Option<KeyValue>>,
    body: impl FnOnce() -> R,
    outcome: impl FnOnce(&R) -> Outcome,
) -> R {
    let span = OpenSpan::start(
        site,
        name.into(),
        attributes.into_iter().flatten().collect(),
    );
    let _watch = span.watch();
    let active = span.attach();
    let result = body();
    drop(active);
    span.record(&result, outcome);
    result
}

/// Runs `body` in a span that is active whenever it is polled.
pub async fn trace_async<R>(
    site: Site,
    name: impl Into<Cow<'static, str>>,
    attributes: impl IntoIterator<Item = Option<KeyValue>>,
    body: impl Future<Output = R>,
    outcome: impl FnOnce(&R) -> Outcome,
) -> R {
    let span = OpenSpan::start(
        site,
        name.into(),
        attributes.into_iter().flatten().collect(),
    );
    let mut body = pin!(body);
    let result = poll_fn(|task| span.poll(body.as_mut(), task)).await;
    span.record(&result, outcome);
    result
}
