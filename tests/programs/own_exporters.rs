//! A program with processors and exporters of its own, beside those of lens.

use std::future::{self, Future};
use std::time::Duration;

use lens::opentelemetry::logs::{AnyValue, LogRecord as _};
use lens::opentelemetry::{Context, InstrumentationScope, KeyValue};
use lens::opentelemetry_sdk::Resource;
use lens::opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use lens::opentelemetry_sdk::logs::{LogBatch, LogExporter, LogProcessor, SdkLogRecord};
use lens::opentelemetry_sdk::metrics::{Instrument, Stream};
use lens::opentelemetry_sdk::trace::{Span, SpanData, SpanExporter, SpanProcessor};
use lens_tests::measured::PrintsMetrics;
use lens_tests::scenario;

#[derive(Debug)]
struct Marks;

impl LogProcessor for Marks {
    fn emit(&self, record: &mut SdkLogRecord, _: &InstrumentationScope) {
        record.add_attribute("marked", true);
    }

    fn force_flush(&self) -> OTelSdkResult {
        println!("processor flushed");
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        if scenario::mode() == "a processor that hangs" {
            std::thread::sleep(Duration::from_secs(60));
        }
        println!("processor ended");
        Ok(())
    }
}

#[derive(Debug)]
struct Named;

impl SpanProcessor for Named {
    fn on_start(&self, span: &mut Span, _: &Context) {
        use lens::opentelemetry::trace::Span as _;
        span.set_attribute(KeyValue::new("marked", true));
    }

    fn on_end(&self, _: SpanData) {}

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

/// Prints what it exports; fails and panics where it is told.
#[derive(Debug, Default)]
struct Prints {
    service: String,
}

impl Prints {
    fn outcome() -> OTelSdkResult {
        match scenario::mode().as_str() {
            "panic in the exporter" => panic!("an exporter that panics"),
            "failure" => Err(OTelSdkError::InternalFailure("no paper".to_owned())),
            _ => Ok(()),
        }
    }

    fn set(&mut self, resource: &Resource) {
        let name = resource.get(&"service.name".into());
        self.service = name.map(|name| name.to_string()).unwrap_or_default();
    }
}

impl LogExporter for Prints {
    async fn export(&self, batch: LogBatch<'_>) -> OTelSdkResult {
        // An exporter may need tokio, and may block.
        tokio::time::sleep(Duration::from_millis(1)).await;
        for (record, _) in batch.iter() {
            if let Some(AnyValue::String(body)) = record.body() {
                println!("{} log {}", self.service, body.as_str());
            }
        }
        Self::outcome()
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        println!("logs are shut down");
        Ok(())
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.set(resource);
    }
}

impl SpanExporter for Prints {
    fn export(&self, batch: Vec<SpanData>) -> impl Future<Output = OTelSdkResult> + Send {
        for span in batch {
            println!("{} span {}", self.service, span.name);
        }
        future::ready(Self::outcome())
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.set(resource);
    }
}

fn main() {
    let renamed = |instrument: &Instrument| {
        let stream = Stream::builder().with_name(format!("renamed.{}", instrument.name()));
        stream.build().ok()
    };
    let lens = lens::Builder::new()
        .service("printer")
        .logs(true)
        .log_processor(Marks)
        .span_processor(Named)
        .log_exporter(Prints::default())
        .span_exporter(Prints::default())
        .metric_exporter(PrintsMetrics)
        .metric_view(renamed)
        .start();
    log::info!("one line");
    drop(lens::span!("one span"));
    let steps = lens::handle().meter().u64_counter("steps").build();
    steps.add(1, &[]);
    if scenario::mode() == "flush" {
        lens::handle().flush(Duration::from_secs(20));
        println!("flushed");
    }
    drop(lens);
    println!("{:?}", lens::handle().stats().logs);
}
