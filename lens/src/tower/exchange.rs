//! A request and its response: the span of both, and how long they took.

use std::time::Instant;

use http::StatusCode;
use opentelemetry::KeyValue;

use crate::metrics::{attribute, server_duration};
use crate::semconv::{error, http as http_keys, network, url};
use crate::span::{OpenSpan, PANICKED};

/// The span, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Exchange {
    span: OpenSpan,
    began: Instant,
    series: Series,
    status: Option<i64>,
    error: Option<String>,
}

/// What is known of a request beforehand, and has few values.
#[derive(Debug)]
pub(super) struct Series {
    pub(super) method: &'static str,
    pub(super) route: Option<String>,
    pub(super) scheme: &'static str,
    pub(super) version: Option<&'static str>,
}

impl Exchange {
    pub(super) fn new(span: OpenSpan, series: Series) -> Self {
        Self {
            span,
            began: Instant::now(),
            series,
            status: None,
            error: None,
        }
    }

    /// Runs a step of it inside the span.
    pub(super) fn within<R>(&mut self, step: impl FnOnce() -> R) -> R {
        let active = self.span.attach();
        let _watch = PanicWatch {
            before: std::thread::panicking(),
            exchange: self,
        };
        // Goes first: a span is given its status from outside.
        let _active = active;
        step()
    }

    /// The response has this status.
    pub(super) fn answered(&mut self, status: StatusCode) {
        let code = i64::from(status.as_u16());
        self.span.set(KeyValue::new(http_keys::STATUS_CODE, code));
        self.status = Some(code);
        if status.is_server_error() {
            self.fail(status.as_str(), "");
        }
    }

    /// There is no response, or no end of it.
    pub(super) fn failed<E>(&mut self) {
        self.fail(std::any::type_name::<E>(), "");
    }

    fn fail(&mut self, error: &str, description: &str) {
        self.span.set(KeyValue::new(error::TYPE, error.to_owned()));
        self.span.set_error(description.to_owned());
        self.error = Some(error.to_owned());
    }
}

/// Says of the exchange that it failed if a panic begins while this lives.
struct PanicWatch<'a> {
    exchange: &'a mut Exchange,
    before: bool,
}

impl Drop for PanicWatch<'_> {
    fn drop(&mut self) {
        if !self.before && std::thread::panicking() {
            self.exchange.fail("panic", PANICKED);
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let Series {
            method,
            route,
            scheme,
            version,
        } = &self.series;
        server_duration().measure(
            || self.began.elapsed(),
            || {
                [
                    attribute(http_keys::METHOD, method),
                    attribute(url::SCHEME, scheme),
                    attribute(http_keys::ROUTE, route),
                    attribute(network::PROTOCOL_VERSION, version),
                    attribute(http_keys::STATUS_CODE, &self.status),
                    attribute(error::TYPE, &self.error),
                ]
            },
        );
    }
}
