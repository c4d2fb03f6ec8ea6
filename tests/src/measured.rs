//! Programs that measure.

use std::time::Duration;

use lens::opentelemetry::KeyValue;

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

/// What is asked to measure panics.
pub fn panicking() {
    let meter = lens::handle().meter();
    let depth = meter.i64_observable_gauge("depth");
    depth
        .with_callback(|_| panic!("nothing to measure"))
        .build();
    log::info!("one line");
}
