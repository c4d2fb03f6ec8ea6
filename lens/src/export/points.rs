//! The data points of a collection, one after another, for a terminal.

use std::time::{Duration, SystemTime};

use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::number_data_point;
use serde_json::{Map, Number, Value as Json, json};

use super::Collected;

/// A data point.
#[derive(Debug)]
pub(super) struct Point<'a> {
    pub(super) name: &'a str,
    pub(super) unit: &'a str,
    /// `gauge`, `sum` or `histogram`.
    pub(super) kind: &'static str,
    pub(super) time: SystemTime,
    /// What was measured: `value`, or of a histogram `count`, `sum`, `min` and `max`.
    pub(super) values: Vec<(&'static str, Json)>,
    pub(super) attributes: Map<String, Json>,
}

/// Calls `each` for each data point.
pub(super) fn each_point(collected: &Collected, mut each: impl FnMut(Point<'_>)) {
    let metrics = collected.0.resource_metrics.iter();
    let scopes = metrics.flat_map(|metrics| &metrics.scope_metrics);
    for metric in scopes.flat_map(|scope| &scope.metrics) {
        let mut tell = |kind, time, values, attributes: &[KeyValue]| {
            each(Point {
                name: &metric.name,
                unit: &metric.unit,
                kind,
                time: SystemTime::UNIX_EPOCH + Duration::from_nanos(time),
                values,
                attributes: map(attributes),
            });
        };
        let (kind, numbers) = match &metric.data {
            Some(Data::Gauge(gauge)) => ("gauge", &gauge.data_points),
            Some(Data::Sum(sum)) => ("sum", &sum.data_points),
            Some(Data::Histogram(histogram)) => {
                for point in &histogram.data_points {
                    let values = summary(point.count, point.sum, point.min, point.max);
                    tell("histogram", point.time_unix_nano, values, &point.attributes);
                }
                continue;
            }
            Some(Data::ExponentialHistogram(histogram)) => {
                for point in &histogram.data_points {
                    let values = summary(point.count, point.sum, point.min, point.max);
                    tell("histogram", point.time_unix_nano, values, &point.attributes);
                }
                continue;
            }
            Some(Data::Summary(_)) | None => continue,
        };
        for point in numbers {
            let value = match point.value {
                Some(number_data_point::Value::AsInt(value)) => value.into(),
                Some(number_data_point::Value::AsDouble(value)) => double(value),
                None => Json::Null,
            };
            let values = vec![("value", value)];
            tell(kind, point.time_unix_nano, values, &point.attributes);
        }
    }
}

fn summary(
    count: u64,
    sum: Option<f64>,
    min: Option<f64>,
    max: Option<f64>,
) -> Vec<(&'static str, Json)> {
    let mut values = vec![("count", count.into())];
    let parts = [("sum", sum), ("min", min), ("max", max)];
    let parts = parts
        .into_iter()
        .filter_map(|(name, part)| Some((name, double(part?))));
    values.extend(parts);
    values
}

fn map(attributes: &[KeyValue]) -> Map<String, Json> {
    let pairs = attributes.iter();
    let pairs = pairs.map(|pair| (pair.key.clone(), any(pair.value.as_ref())));
    pairs.collect()
}

fn any(value: Option<&AnyValue>) -> Json {
    match value.and_then(|value| value.value.as_ref()) {
        Some(Value::StringValue(text)) => json!(text),
        Some(Value::BoolValue(flag)) => json!(flag),
        Some(Value::IntValue(number)) => json!(number),
        Some(Value::DoubleValue(number)) => double(*number),
        Some(Value::ArrayValue(list)) => {
            (list.values.iter()).map(|value| any(Some(value))).collect()
        }
        Some(Value::KvlistValue(pairs)) => Json::Object(map(&pairs.values)),
        Some(Value::BytesValue(bytes)) => json!(bytes),
        _ => Json::Null,
    }
}

/// JSON has no NaN and no infinity; they are texts.
fn double(number: f64) -> Json {
    Number::from_f64(number).map_or_else(|| number.to_string().into(), Json::Number)
}
