//! A request and its response: the span of both, and how long they took.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use http::StatusCode;
use opentelemetry::KeyValue;

use crate::metrics::{attribute, server_duration};
use crate::semconv::{error, http as http_keys, network, url};
use crate::span::OpenSpan;

/// The span, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Exchange {
    span: OpenSpan,
    began: Instant,
    series: Series,
    status: Option<i64>,
    error: Option<String>,
    panicked: AtomicBool,
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
            panicked: AtomicBool::new(false),
        }
    }

    /// Runs a step of it inside the span.
    pub(super) fn within<R>(&self, step: impl FnOnce() -> R) -> R {
        let _watch = PanicWatch {
            exchange: self,
            before: std::thread::panicking(),
        };
        let _active = self.span.attach();
        step()
    }

    /// The response has this status.
    pub(super) fn answered(&mut self, status: StatusCode) {
        let code = i64::from(status.as_u16());
        self.span.set(KeyValue::new(http_keys::STATUS_CODE, code));
        self.status = Some(code);
        if status.is_server_error() {
            self.fail(status.as_str());
        }
    }

    /// There is no response, or no end of it.
    pub(super) fn failed<E>(&mut self) {
        self.fail(std::any::type_name::<E>());
    }

    fn fail(&mut self, error: &str) {
        self.span.set(KeyValue::new(error::TYPE, error.to_owned()));
        self.span.set_error(String::new());
        self.error = Some(error.to_owned());
    }
}

/// Says of the exchange that it failed if a panic begins while this lives.
struct PanicWatch<'a> {
    exchange: &'a Exchange,
    before: bool,
}

impl Drop for PanicWatch<'_> {
    fn drop(&mut self) {
        if !self.before && std::thread::panicking() {
            let exchange = self.exchange;
            exchange.panicked.store(true, Relaxed);
            exchange.span.set(KeyValue::new(error::TYPE, PANIC));
            exchange.span.set_panicked();
        }
    }
}

/// The type of an error that is a panic.
const PANIC: &str = "panic";

impl Drop for Exchange {
    fn drop(&mut self) {
        if self.panicked.load(Relaxed) {
            self.error = Some(PANIC.to_owned());
        }
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
