//! A request as OTLP JSON, from its protobuf.
//!
//! <https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding>

use std::io;

use opentelemetry_proto::tonic::common::v1::any_value::Value;
use serde::Serialize;

use super::request::{LogsRequest, MetricsRequest, Request, TraceRequest};
use crate::stats::Signal;

/// The JSON of a request of `signal`, given as protobuf.
pub(crate) fn json(signal: Signal, request: &[u8]) -> io::Result<Vec<u8>> {
    match signal {
        Signal::Logs => json_of::<LogsRequest>(request),
        Signal::Traces => json_of::<TraceRequest>(request),
        Signal::Metrics => json_of::<MetricsRequest>(request),
    }
}

fn json_of<R: Request + Serialize>(request: &[u8]) -> io::Result<Vec<u8>> {
    let mut request = R::decode(request).map_err(io::Error::other)?;
    request.values(&mut finite);
    request.shared(&mut finite);
    Ok(serde_json::to_vec(&request)?)
}

/// Makes numbers that JSON does not have, and the serialiser would write as `null`, texts.
fn finite(value: &mut Value) {
    if let Value::DoubleValue(number) = value
        && !number.is_finite()
    {
        let text = match (number.is_nan(), *number > 0.0) {
            (true, _) => "NaN",
            (false, true) => "Infinity",
            (false, false) => "-Infinity",
        };
        *value = Value::StringValue(text.to_owned());
    }
}
