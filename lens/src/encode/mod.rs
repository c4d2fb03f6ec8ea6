//! OTLP protobuf, written without a message in between.
//!
//! In: the fields of a log record. Out: bytes, in pieces that make a request when they are put
//! one behind another.

mod log;
mod proto;
mod request;

pub(crate) use log::{Attributes, LogFields, Scalar, correlation, ids, nanos, sdk_fields};
pub(crate) use proto::Message;
pub(crate) use request::{EncodedResource, Run, ScopeKey, request};
