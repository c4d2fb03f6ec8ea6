//! A request and its response: the span of both, and how long they took.

use std::time::Instant;

use http::StatusCode;
use opentelemetry::{Context, KeyValue};

use crate::metrics::{attribute, server_duration};
use crate::semconv::{error, http as http_keys, network, url};
use crate::span::{Attached, OpenSpan, PanicWatch};

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
    pub(super) scheme: String,
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

    pub(super) fn context(&self) -> Option<&Context> {
        self.span.context()
    }

    pub(super) fn attach(&self) -> Option<Attached> {
        self.span.attach()
    }

    pub(super) fn watch(&self) -> PanicWatch<'_> {
        self.span.watch()
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
