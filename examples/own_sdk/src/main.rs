//! An application that has its own SDK: `cargo run -p own_sdk` prints the spans and metrics of a
//! library that instruments itself with lens, as the application's own exporters see them.

use std::time::Duration;

use opentelemetry::global;
use opentelemetry::trace::{Status, TraceContextExt, Tracer};
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::metrics::data::ResourceMetrics;
use opentelemetry_sdk::metrics::exporter::PushMetricExporter;
use opentelemetry_sdk::metrics::{SdkMeterProvider, Temporality};
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use tokenizer::Vocabulary;

/// Prints one line for each span.
#[derive(Debug)]
struct Lines;

impl SpanExporter for Lines {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        for span in batch {
            let place = if span.parent_span_id == opentelemetry::SpanId::INVALID {
                "root"
            } else {
                "inside"
            };
            let status = match &span.status {
                Status::Error { description } => format!(" error={description:?}"),
                _ => String::new(),
            };
            println!(
                "{place} {} by {}{status}",
                span.name,
                span.instrumentation_scope.name()
            );
        }
        Ok(())
    }
}

impl PushMetricExporter for Lines {
    async fn export(&self, metrics: &ResourceMetrics) -> OTelSdkResult {
        for scope in metrics.scope_metrics() {
            for metric in scope.metrics() {
                println!("{} in {}", metric.name(), metric.unit());
            }
        }
        Ok(())
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }

    fn temporality(&self) -> Temporality {
        Temporality::Cumulative
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let provider = SdkTracerProvider::builder()
        .with_simple_exporter(Lines)
        .build();
    global::set_tracer_provider(provider);
    let meters = SdkMeterProvider::builder()
        .with_periodic_exporter(Lines)
        .build();
    // Before the first measurement, which the instrument is made at.
    global::set_meter_provider(meters.clone());
    lens::set_groups("tokenize")?;
    global::tracer("own_sdk").in_span("job", |context| {
        let vocabulary = Vocabulary::learn("a rose is a rose is a rose", 2);
        for line in ["a rose is", "a daisy"] {
            if let Err(error) = vocabulary.encode(line) {
                context.span().set_status(Status::error(error));
            }
        }
    });
    meters.shutdown()?;
    Ok(())
}
