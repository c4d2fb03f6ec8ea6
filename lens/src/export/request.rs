//! A request that is decoded again: its items, and their values, however deep.

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, InstrumentationScope, KeyValue};
use opentelemetry_proto::tonic::metrics::v1::Metric;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::resource::v1::Resource;
use prost::Message;

pub(super) type LogsRequest = ExportLogsServiceRequest;
pub(super) type TraceRequest = ExportTraceServiceRequest;
pub(super) type MetricsRequest = ExportMetricsServiceRequest;

/// Does the same with the data of a metric whichever kind they are of; something else without any.
macro_rules! each_kind {
    ($data:expr, $kind:ident => $do:expr, $else:expr) => {
        match $data {
            Some(Data::Gauge($kind)) => $do,
            Some(Data::Sum($kind)) => $do,
            Some(Data::Histogram($kind)) => $do,
            Some(Data::ExponentialHistogram($kind)) => $do,
            Some(Data::Summary($kind)) => $do,
            None => $else,
        }
    };
}

/// A request of any signal.
pub(super) trait Request: Message + Default + Clone {
    /// How many items it has.
    fn count(&self) -> usize;
    /// Keeps the items for which it is true, asked for one after another.
    fn retain(&mut self, is_kept: &mut dyn FnMut() -> bool);
    /// Shows each value of its items that holds no others: of attributes, and of bodies.
    fn values(&mut self, each: &mut dyn FnMut(&mut Value));
    /// Shows each value that items share: of resources and scopes.
    fn shared(&mut self, each: &mut dyn FnMut(&mut Value));
    /// Shows each text that is no value.
    fn names(&mut self, each: &mut dyn FnMut(&mut String));
}

impl Request for LogsRequest {
    fn count(&self) -> usize {
        let scopes = self.resource_logs.iter().flat_map(|logs| &logs.scope_logs);
        scopes.map(|scope| scope.log_records.len()).sum()
    }

    fn retain(&mut self, is_kept: &mut dyn FnMut() -> bool) {
        for logs in &mut self.resource_logs {
            for scope in &mut logs.scope_logs {
                scope.log_records.retain(|_| is_kept());
            }
            (logs.scope_logs).retain(|scope| !scope.log_records.is_empty());
        }
    }

    fn values(&mut self, each: &mut dyn FnMut(&mut Value)) {
        let scopes = self.resource_logs.iter_mut();
        let scopes = scopes.flat_map(|logs| &mut logs.scope_logs);
        for record in scopes.flat_map(|scope| &mut scope.log_records) {
            record.body.iter_mut().for_each(|body| value(body, each));
            attributes(&mut record.attributes, each);
        }
    }

    fn shared(&mut self, each: &mut dyn FnMut(&mut Value)) {
        for logs in &mut self.resource_logs {
            let scopes = logs.scope_logs.iter_mut();
            let scopes = scopes.filter_map(|scope| scope.scope.as_mut());
            shared(logs.resource.as_mut(), scopes, each);
        }
    }

    fn names(&mut self, _: &mut dyn FnMut(&mut String)) {}
}

impl Request for TraceRequest {
    fn count(&self) -> usize {
        let scopes = (self.resource_spans.iter()).flat_map(|spans| &spans.scope_spans);
        scopes.map(|scope| scope.spans.len()).sum()
    }

    fn retain(&mut self, is_kept: &mut dyn FnMut() -> bool) {
        for spans in &mut self.resource_spans {
            for scope in &mut spans.scope_spans {
                scope.spans.retain(|_| is_kept());
            }
            (spans.scope_spans).retain(|scope| !scope.spans.is_empty());
        }
    }

    fn values(&mut self, each: &mut dyn FnMut(&mut Value)) {
        let scopes = self.resource_spans.iter_mut();
        let scopes = scopes.flat_map(|spans| &mut spans.scope_spans);
        for span in scopes.flat_map(|scope| &mut scope.spans) {
            attributes(&mut span.attributes, each);
            let events = span.events.iter_mut().map(|event| &mut event.attributes);
            let links = span.links.iter_mut().map(|link| &mut link.attributes);
            events.chain(links).for_each(|of| attributes(of, each));
        }
    }

    fn shared(&mut self, each: &mut dyn FnMut(&mut Value)) {
        for spans in &mut self.resource_spans {
            let scopes = spans.scope_spans.iter_mut();
            let scopes = scopes.filter_map(|scope| scope.scope.as_mut());
            shared(spans.resource.as_mut(), scopes, each);
        }
    }

    fn names(&mut self, each: &mut dyn FnMut(&mut String)) {
        let scopes = self.resource_spans.iter_mut();
        let scopes = scopes.flat_map(|spans| &mut spans.scope_spans);
        for span in scopes.flat_map(|scope| &mut scope.spans) {
            each(&mut span.name);
            span.events
                .iter_mut()
                .for_each(|event| each(&mut event.name));
            (span.status.iter_mut()).for_each(|status| each(&mut status.message));
        }
    }
}

/// Its items are data points.
impl Request for MetricsRequest {
    fn count(&self) -> usize {
        metrics(self).map(points).sum()
    }

    fn retain(&mut self, is_kept: &mut dyn FnMut() -> bool) {
        let has_points = |metric: &Metric| points(metric) > 0;
        for metrics in &mut self.resource_metrics {
            for scope in &mut metrics.scope_metrics {
                for metric in &mut scope.metrics {
                    each_kind!(&mut metric.data, data => data.data_points.retain(|_| is_kept()), ());
                }
                scope.metrics.retain(has_points);
            }
            (metrics.scope_metrics).retain(|scope| !scope.metrics.is_empty());
        }
    }

    fn values(&mut self, each: &mut dyn FnMut(&mut Value)) {
        let scopes = self.resource_metrics.iter_mut();
        let scopes = scopes.flat_map(|metrics| &mut metrics.scope_metrics);
        for metric in scopes.flat_map(|scope| &mut scope.metrics) {
            each_kind!(&mut metric.data, data => {
                for point in &mut data.data_points {
                    attributes(&mut point.attributes, each);
                }
            }, ());
        }
    }

    fn shared(&mut self, each: &mut dyn FnMut(&mut Value)) {
        for metrics in &mut self.resource_metrics {
            let scopes = metrics.scope_metrics.iter_mut();
            let scopes = scopes.filter_map(|scope| scope.scope.as_mut());
            shared(metrics.resource.as_mut(), scopes, each);
        }
    }

    fn names(&mut self, each: &mut dyn FnMut(&mut String)) {
        let scopes = self.resource_metrics.iter_mut();
        let scopes = scopes.flat_map(|metrics| &mut metrics.scope_metrics);
        for metric in scopes.flat_map(|scope| &mut scope.metrics) {
            each(&mut metric.description);
        }
    }
}

fn metrics(request: &MetricsRequest) -> impl Iterator<Item = &Metric> {
    let metrics = request.resource_metrics.iter();
    let scopes = metrics.flat_map(|metrics| &metrics.scope_metrics);
    scopes.flat_map(|scope| &scope.metrics)
}

/// How many data points a metric has.
fn points(metric: &Metric) -> usize {
    each_kind!(&metric.data, data => data.data_points.len(), 0)
}

fn shared<'a>(
    resource: Option<&mut Resource>,
    scopes: impl Iterator<Item = &'a mut InstrumentationScope>,
    each: &mut dyn FnMut(&mut Value),
) {
    resource
        .into_iter()
        .for_each(|of| attributes(&mut of.attributes, each));
    scopes.for_each(|of| attributes(&mut of.attributes, each));
}

fn attributes(pairs: &mut [KeyValue], each: &mut dyn FnMut(&mut Value)) {
    let values = pairs.iter_mut().filter_map(|pair| pair.value.as_mut());
    values.for_each(|any| value(any, each));
}

fn value(any: &mut AnyValue, each: &mut dyn FnMut(&mut Value)) {
    match &mut any.value {
        Some(Value::ArrayValue(list)) => list.values.iter_mut().for_each(|any| value(any, each)),
        Some(Value::KvlistValue(map)) => attributes(&mut map.values, each),
        Some(value) => each(value),
        None => {}
    }
}
