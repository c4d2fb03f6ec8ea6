//! A program with a logger provider and a logger of its own.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use lens::opentelemetry::logs::AnyValue;
use lens::opentelemetry::{InstrumentationScope, global};
use lens::opentelemetry_sdk::error::OTelSdkResult;
use lens::opentelemetry_sdk::logs::{LogProcessor, SdkLogRecord, SdkLoggerProvider};
use lens::opentelemetry_sdk::metrics::SdkMeterProvider;
use lens_tests::measured::PrintsMetrics;

static PRINTED: AtomicUsize = AtomicUsize::new(0);

struct Counts;

impl log::Log for Counts {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, _: &log::Record<'_>) {
        PRINTED.fetch_add(1, Relaxed);
    }

    fn flush(&self) {
        println!("flushed");
    }
}

#[derive(Debug)]
struct Prints;

impl LogProcessor for Prints {
    fn emit(&self, record: &mut SdkLogRecord, _: &InstrumentationScope) {
        let body = match record.body() {
            Some(AnyValue::String(body)) => body.as_str(),
            _ => "",
        };
        println!("{} {body}", record.severity_text().unwrap_or_default());
        assert!(std::env::args().len() == 1, "a processor that panics");
        log::error!(target: "megatron::training", "a processor that logs");
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

fn main() {
    let provider = SdkLoggerProvider::builder()
        .with_log_processor(Prints)
        .build();
    let meters = SdkMeterProvider::builder()
        .with_periodic_exporter(PrintsMetrics)
        .build();
    global::set_meter_provider(meters.clone());
    let refused = [
        lens::Bridge::new(&provider).wrap("stdrr").install(),
        lens::Bridge::new(&provider).wrap("none").install(),
        lens::Bridge::new(&provider).level("loud").install(),
        lens::Bridge::new(&provider).logger("crate::a").install(),
    ];
    for error in refused.into_iter().filter_map(Result::err) {
        println!("{error}");
    }
    let bridge = lens::Bridge::new(&provider)
        .level("warn")
        .logger("megatron.training");
    bridge
        .wrap((log::LevelFilter::Info, Counts))
        .install()
        .expect("the slot is free");
    log::warn!(target: "megatron::training", "taken");
    log::info!(target: "megatron::training", "below its level");
    log::warn!(target: "megatron", "of another logger");
    log::logger().flush();
    println!("printed {}", PRINTED.load(Relaxed));
    lens::counter!("steps", 7);
    let _depth = lens::gauge!("depth", || 7);
    let _ = meters.force_flush();
    println!(
        "{:?}",
        lens::Bridge::new(&provider)
            .install()
            .map_err(|error| error.to_string())
    );
}
