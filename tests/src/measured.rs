//! Programs that measure.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lens::opentelemetry::KeyValue;
use lens::opentelemetry_sdk::error::OTelSdkResult;
use lens::opentelemetry_sdk::metrics::Temporality;
use lens::opentelemetry_sdk::metrics::data::ResourceMetrics;
use lens::opentelemetry_sdk::metrics::exporter::PushMetricExporter;

/// One data point.
pub fn one() {
    let steps = lens::handle().meter().u64_counter("steps").build();
    steps.add(1, &[]);
}

/// Of each kind of instrument one.
pub fn metrics() {
    let _measuring = lens::span!("measure", group = "evaluate");
    let meter = lens::handle().meter();
    let steps = meter.u64_counter("steps").with_unit("{step}").build();
    steps.add(2, &[KeyValue::new("optimizer", "sgd")]);
    steps.add(1, &[KeyValue::new("optimizer", "sgd")]);
    let loss = meter.f64_histogram("loss").build();
    loss.record(0.5, &[]);
    loss.record(0.25, &[]);
    let depth = meter.i64_observable_gauge("depth");
    depth
        .with_callback(|observer| observer.observe(7, &[]))
        .build();
}

/// Collected by a flush, and once more at the end.
pub fn twice() {
    let meter = lens::handle().meter();
    let steps = meter.u64_counter("steps").build();
    steps.add(2, &[]);
    let report = lens::handle().flush(Duration::from_secs(20));
    println!("{:?}", report.stats.metrics);
    steps.add(3, &[]);
    let report = lens::handle().shutdown(Duration::from_secs(20));
    println!("{:?}", report.stats.metrics);
}

/// Collected because of the interval, which nobody else asks for, and once more at the end.
pub fn meanwhile() {
    let steps = lens::handle().meter().u64_counter("steps").build();
    steps.add(2, &[]);
    while lens::handle().stats().metrics.exported == 0 {
        std::thread::yield_now();
    }
    steps.add(3, &[]);
}

/// What is asked to measure panics.
pub fn panicking() {
    let meter = lens::handle().meter();
    let depth = meter.i64_observable_gauge("depth");
    depth
        .with_callback(|_| panic!("nothing to measure"))
        .build();
    log::info!("one line");
}

static ASKED: AtomicU64 = AtomicU64::new(0);

fn asked() -> u64 {
    ASKED.fetch_add(1, Relaxed) + 1
}

/// One of each kind by its macro, and how often somebody asked for a number.
pub fn by_macros() {
    let _depth = lens::gauge!("depth", || 7, unit = "{item}");
    for step in 1..=3 {
        lens::counter!("steps", asked(), optimizer = "sgd");
        lens::up_down_counter!("active", step);
        lens::counter!("steps.by", 1, step, optimizer = "sgd");
        lens::gauge!("rate", 0.5);
        lens::histogram!("loss", 0.25);
    }
    lens::handle().flush(Duration::from_secs(20));
    println!("asked {}", ASKED.load(Relaxed));
}

/// Measures before lens runs, in two starts, between and behind them.
pub fn started_twice() {
    let _depth = lens::gauge!("depth", || 7);
    let measure = |start: &'static str| lens::counter!("steps", 1, start);
    measure("first");
    lens::handle().shutdown(Duration::from_secs(20));
    measure("between");
    let _lens = lens::Builder::new().service("second").start();
    measure("second");
    measure("second");
}

/// A closure that makes first measurements, beside threads that hold what another one waits for
/// while they make theirs.
pub fn entangled() {
    let queue = Arc::new(Mutex::new(Vec::new()));
    let watched = Arc::clone(&queue);
    let waits = lens::gauge!("queue.depth", move || watched
        .lock()
        .map_or(0, |queue| queue.len()));
    let measures = lens::gauge!("measured.within", || {
        lens::counter!("within", 1);
        log::info!("asked");
        let _inner = lens::gauge!("measured.within.again", || 1);
        7
    });
    // Collections go on meanwhile: it waits for the lock that is held here.
    let held = queue.lock().map(|mut queue| {
        queue.push(1);
        std::thread::sleep(Duration::from_millis(50));
        lens::counter!("queue.pushed", 1);
        lens::histogram!("queue.seconds", 0.5);
    });
    assert!(held.is_ok());
    lens::handle().flush(Duration::from_secs(20));
    drop((waits, measures));
}

/// Beside a closure that never returns.
pub fn hanging() {
    lens::counter!("steps", 7);
    lens::gauge!("never", || -> u64 {
        loop {
            std::thread::park();
        }
    })
    .forever();
}

/// Prints the names of metrics.
#[derive(Debug)]
pub struct PrintsMetrics;

impl PushMetricExporter for PrintsMetrics {
    async fn export(&self, metrics: &ResourceMetrics) -> OTelSdkResult {
        let scopes = metrics.scope_metrics();
        for metric in scopes.flat_map(|scope| scope.metrics()) {
            println!("metric {}", metric.name());
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
