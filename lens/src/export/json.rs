//! A request as OTLP JSON, from its protobuf.
//!
//! <https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding>

use std::io;

use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::{Metric, NumberDataPoint, number_data_point};
use serde::Serialize;
use serde_json::Value as Json;

use super::request::{LogsRequest, MetricsRequest, Request, TraceRequest};
use crate::stats::Signal;

/// The JSON of a request of `signal`, given as protobuf.
pub(crate) fn json(signal: Signal, request: &[u8]) -> io::Result<Vec<u8>> {
    match signal {
        Signal::Logs => json_of::<LogsRequest>(request),
        Signal::Traces => json_of::<TraceRequest>(request),
        Signal::Metrics => {
            let request = finite_of::<MetricsRequest>(request)?;
            match measured(&request) {
                Some(json) => Ok(serde_json::to_vec(&json?)?),
                None => Ok(serde_json::to_vec(&request)?),
            }
        }
    }
}

fn json_of<R: Request + Serialize>(request: &[u8]) -> io::Result<Vec<u8>> {
    Ok(serde_json::to_vec(&finite_of::<R>(request)?)?)
}

fn finite_of<R: Request>(request: &[u8]) -> io::Result<R> {
    let mut request = R::decode(request).map_err(io::Error::other)?;
    request.values(&mut finite);
    request.shared(&mut finite);
    Ok(request)
}

/// The JSON of metrics that measured what JSON has no number for; `None` where none did.
///
/// The serialiser writes `null` there, so what was measured is put in its place.
fn measured(request: &MetricsRequest) -> Option<io::Result<Json>> {
    let is_odd = |number: &Option<f64>| number.is_some_and(|number| !number.is_finite());
    let mut is_finite = true;
    each_measurement(request, |_, numbers| {
        is_finite &= !numbers.iter().any(|(_, number)| is_odd(number));
    });
    if is_finite {
        return None;
    }
    let mut json = match serde_json::to_value(request) {
        Ok(json) => json,
        Err(error) => return Some(Err(error.into())),
    };
    each_measurement(request, |point, numbers| {
        let Some(Json::Object(point)) = json.pointer_mut(&point) else {
            return;
        };
        for (name, number) in numbers {
            if let Some(number) = number.filter(|number| !number.is_finite()) {
                point.insert((*name).to_owned(), odd(number).into());
            }
        }
    });
    Some(Ok(json))
}

/// What a data point measured, by the names that has in JSON.
type Measured = Vec<(&'static str, Option<f64>)>;

/// Shows what each data point measured, and where in JSON that is.
fn each_measurement(request: &MetricsRequest, mut each: impl FnMut(String, &Measured)) {
    for (r, of_resource) in request.resource_metrics.iter().enumerate() {
        for (s, of_scope) in of_resource.scope_metrics.iter().enumerate() {
            for (m, metric) in of_scope.metrics.iter().enumerate() {
                let (kind, points) = measurements(metric);
                let metric = format!("/resourceMetrics/{r}/scopeMetrics/{s}/metrics/{m}/{kind}");
                for (at, numbers) in points.iter().enumerate() {
                    each(format!("{metric}/dataPoints/{at}"), numbers);
                }
            }
        }
    }
}

/// What kind of data a metric has, and what each of its points measured.
fn measurements(metric: &Metric) -> (&'static str, Vec<Measured>) {
    let number = |point: &NumberDataPoint| {
        let number = match point.value {
            Some(number_data_point::Value::AsDouble(number)) => Some(number),
            _ => None,
        };
        vec![("asDouble", number)]
    };
    let summary = |sum, min, max| vec![("sum", sum), ("min", min), ("max", max)];
    match &metric.data {
        Some(Data::Gauge(gauge)) => ("gauge", gauge.data_points.iter().map(number).collect()),
        Some(Data::Sum(sum)) => ("sum", sum.data_points.iter().map(number).collect()),
        Some(Data::Histogram(histogram)) => {
            let points = histogram.data_points.iter();
            let points = points.map(|point| summary(point.sum, point.min, point.max));
            ("histogram", points.collect())
        }
        Some(Data::ExponentialHistogram(histogram)) => {
            let points = histogram.data_points.iter();
            let points = points.map(|point| summary(point.sum, point.min, point.max));
            ("exponentialHistogram", points.collect())
        }
        Some(Data::Summary(_)) | None => ("", Vec::new()),
    }
}

/// Makes numbers that JSON does not have, and the serialiser would write as `null`, texts.
fn finite(value: &mut Value) {
    if let Value::DoubleValue(number) = value
        && !number.is_finite()
    {
        *value = Value::StringValue(odd(*number).to_owned());
    }
}

/// What protobuf's JSON calls a number that is not finite.
fn odd(number: f64) -> &'static str {
    match (number.is_nan(), number > 0.0) {
        (true, _) => "NaN",
        (false, true) => "Infinity",
        (false, false) => "-Infinity",
    }
}

#[cfg(test)]
mod tests {
    use opentelemetry_proto::tonic::metrics::v1::{
        Gauge, Histogram, HistogramDataPoint, ResourceMetrics, ScopeMetrics,
    };
    use prost::Message;

    use super::*;

    #[test]
    fn what_was_measured_is_there_whatever_number_it_is() {
        let point = |value| NumberDataPoint {
            value: Some(number_data_point::Value::AsDouble(value)),
            ..NumberDataPoint::default()
        };
        let metric = |data| Metric {
            data: Some(data),
            ..Metric::default()
        };
        let gauge = Gauge {
            data_points: vec![point(1.5), point(f64::NAN)],
        };
        let histogram = Histogram {
            data_points: vec![HistogramDataPoint {
                count: 1,
                sum: Some(f64::NEG_INFINITY),
                ..HistogramDataPoint::default()
            }],
            ..Histogram::default()
        };
        let request = MetricsRequest {
            resource_metrics: vec![ResourceMetrics {
                scope_metrics: vec![ScopeMetrics {
                    metrics: vec![
                        metric(Data::Gauge(gauge)),
                        metric(Data::Histogram(histogram)),
                    ],
                    ..ScopeMetrics::default()
                }],
                ..ResourceMetrics::default()
            }],
        };
        let json = json(Signal::Metrics, &request.encode_to_vec()).unwrap();
        let json: Json = serde_json::from_slice(&json).unwrap();
        let metrics = &json["resourceMetrics"][0]["scopeMetrics"][0]["metrics"];
        assert_eq!(metrics[0]["gauge"]["dataPoints"][0]["asDouble"], 1.5);
        assert_eq!(metrics[0]["gauge"]["dataPoints"][1]["asDouble"], "NaN");
        let point = &metrics[1]["histogram"]["dataPoints"][0];
        assert_eq!(
            (&point["sum"], &point["count"]),
            (&"-Infinity".into(), &"1".into())
        );
    }
}
