//! A request and its response: the span of both.

use http::StatusCode;
use opentelemetry::Context;
use opentelemetry::KeyValue;

use crate::semconv::{error, http as http_keys};
use crate::span::{Attached, OpenSpan, PanicWatch};

/// The span, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Exchange {
    span: OpenSpan,
}

impl Exchange {
    pub(super) fn new(span: OpenSpan) -> Self {
        Self { span }
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
    pub(super) fn answered(&self, status: StatusCode) {
        self.span.set(KeyValue::new(
            http_keys::STATUS_CODE,
            i64::from(status.as_u16()),
        ));
        if status.is_server_error() {
            self.span
                .set(KeyValue::new(error::TYPE, status.as_str().to_owned()));
            self.span.set_error(String::new());
        }
    }

    /// There is no response, or no end of it.
    pub(super) fn failed<E>(&self) {
        self.span
            .set(KeyValue::new(error::TYPE, std::any::type_name::<E>()));
        self.span.set_error(String::new());
    }
}
