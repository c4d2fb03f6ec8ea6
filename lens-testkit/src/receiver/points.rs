//! From the protobuf of metrics to plain types.

use std::collections::BTreeMap;
use std::sync::Arc;

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::{
    AggregationTemporality, Metric, NumberDataPoint, number_data_point,
};

use super::decode::{attributes, resource};
use crate::Value;
use crate::model::Point;

pub(crate) fn points(request: ExportMetricsServiceRequest, out: &mut Vec<Point>) {
    for of_resource in request.resource_metrics {
        let resource = resource(of_resource.resource);
        let scopes = of_resource.scope_metrics.into_iter();
        for metric in scopes.flat_map(|scope| scope.metrics) {
            of_metric(metric, &resource, out);
        }
    }
}

fn of_metric(metric: Metric, resource: &Arc<BTreeMap<String, Value>>, out: &mut Vec<Point>) {
    let template = Point {
        name: metric.name,
        unit: metric.unit,
        kind: "gauge",
        is_delta: false,
        value: 0.0,
        count: 1,
        attributes: BTreeMap::new(),
        resource: Arc::clone(resource),
    };
    let numbers = |template: Point, points: Vec<NumberDataPoint>| {
        points.into_iter().map(move |point| Point {
            value: number(point.value),
            attributes: attributes(point.attributes).into_iter().collect(),
            ..template.clone()
        })
    };
    let is_delta = |temporality| temporality == AggregationTemporality::Delta as i32;
    match metric.data {
        Some(Data::Gauge(gauge)) => out.extend(numbers(template, gauge.data_points)),
        Some(Data::Sum(sum)) => {
            let template = Point {
                kind: "sum",
                is_delta: is_delta(sum.aggregation_temporality),
                ..template
            };
            out.extend(numbers(template, sum.data_points));
        }
        Some(Data::Histogram(histogram)) => {
            let is_delta = is_delta(histogram.aggregation_temporality);
            out.extend(histogram.data_points.into_iter().map(|point| Point {
                kind: "histogram",
                is_delta,
                value: point.sum.unwrap_or_default(),
                count: point.count,
                attributes: attributes(point.attributes).into_iter().collect(),
                ..template.clone()
            }));
        }
        Some(Data::ExponentialHistogram(histogram)) => {
            let is_delta = is_delta(histogram.aggregation_temporality);
            out.extend(histogram.data_points.into_iter().map(|point| Point {
                kind: "exponential histogram",
                is_delta,
                value: point.sum.unwrap_or_default(),
                count: point.count,
                attributes: attributes(point.attributes).into_iter().collect(),
                ..template.clone()
            }));
        }
        Some(Data::Summary(_)) | None => {}
    }
}

#[expect(clippy::cast_precision_loss, reason = "tests count in small numbers")]
fn number(value: Option<number_data_point::Value>) -> f64 {
    match value {
        Some(number_data_point::Value::AsDouble(value)) => value,
        Some(number_data_point::Value::AsInt(value)) => value as f64,
        None => 0.0,
    }
}
