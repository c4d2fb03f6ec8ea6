//! Metrics, from an instrument to a receiver.

use lens_testkit::{Point, Receiver, Reply, Signal};

use super::{program, sync};

/// Name, kind, unit, value and count.
fn shown(points: &[Point]) -> Vec<String> {
    let line = |point: &Point| {
        let Point {
            name,
            kind,
            unit,
            value,
            count,
            ..
        } = point;
        format!("{name} {kind} {unit} {value} {count}")
    };
    let mut lines: Vec<_> = points.iter().map(line).collect();
    lines.sort_unstable();
    lines
}

#[test]
fn what_was_measured_arrives_at_the_end_over_every_protocol() {
    for protocol in ["http/protobuf", "http/json", "grpc"] {
        let receiver = Receiver::start();
        let run = program!("settings", "metrics")
            .sending_to(&receiver, protocol)
            .run();
        assert_eq!((run.code(), run.stderr.as_str()), (0, ""), "{protocol}");
        let points = receiver.points();
        assert_eq!(
            shown(&points),
            [
                "depth gauge  7 1",
                "loss histogram  0.75 2",
                "steps sum {step} 3 1"
            ],
            "{protocol}"
        );
        let steps = points.iter().find(|point| point.name == "steps");
        let steps = steps.expect("it is there");
        assert_eq!(steps.attributes["optimizer"], "sgd".into());
        assert_eq!(steps.resource("team"), Some(&"core".into()));
        assert!(!steps.is_delta);
    }
}

#[test]
fn a_flush_collects_and_the_accounting_counts_data_points() {
    let receiver = Receiver::start();
    let run = sync("metrics twice", &receiver)
        .env("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "delta")
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    assert_eq!(
        shown(&receiver.points()),
        ["steps sum  2 1", "steps sum  3 1"]
    );
    assert!(receiver.points().iter().all(|point| point.is_delta));
    let counts = run.stdout.lines().collect::<Vec<_>>();
    assert!(counts[0].contains("emitted: 1, exported: 1"), "{counts:?}");
    assert!(counts[1].contains("emitted: 2, exported: 2"), "{counts:?}");
}

#[test]
fn histograms_may_be_exponential() {
    let receiver = Receiver::start();
    let run = sync("metrics", &receiver)
        .env(
            "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION",
            "base2_exponential_bucket_histogram",
        )
        .run();
    assert_eq!(run.code(), 0);
    assert!(shown(&receiver.points()).contains(&"loss exponential histogram  0.75 2".to_owned()));
}

#[test]
fn metrics_are_collected_meanwhile_and_tried_again_in_their_order() {
    let receiver = Receiver::start();
    receiver.script(Signal::Metrics, [Reply::status(503)]);
    let run = sync("metrics twice", &receiver)
        .env("OTEL_METRIC_EXPORT_INTERVAL", "1")
        .run();
    assert_eq!(run.code(), 0);
    let points = receiver.points();
    let last = points.last().expect("some arrived");
    assert_eq!((last.name.as_str(), last.value as u64), ("steps", 5));
    assert!(points.is_sorted_by_key(|point| point.value as u64));
    let tries = receiver.attempts().of(Signal::Metrics).into_iter().count();
    assert!(tries >= 3, "{tries}");
}

#[test]
fn a_terminal_shows_data_points_as_lines() {
    let run = |exporter| {
        let run = program!("settings", "metrics")
            .env("NEMO_LENS_EXPORTER", exporter)
            .run();
        assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
        run.stdout
    };
    let json = run("console");
    assert!(
        json.contains(r#""type":"metric","name":"steps","kind":"sum","unit":"{step}","#)
            && json.contains(r#""value":3,"attributes":{"optimizer":"sgd"},"service":"settings"}"#),
        "{json}"
    );
    let pretty = run("pretty");
    assert!(
        pretty.contains("├─ steps sum value=3 {step} optimizer=sgd\n"),
        "{pretty}"
    );
    assert!(
        pretty.contains("├─ loss histogram count=2 sum=0.75 min=0.25 max=0.5\n"),
        "{pretty}"
    );
}

#[test]
fn what_panics_while_it_measures_costs_the_metrics_and_a_line() {
    let receiver = Receiver::start();
    let run = sync("metrics that panic", &receiver).run();
    assert_eq!(run.code(), 0);
    assert!(
        run.stderr.contains("lens: metrics cannot be collected"),
        "{}",
        run.stderr
    );
    assert_eq!(receiver.logs().count(), 1);
    assert!(receiver.points().is_empty());
}

#[test]
fn a_program_that_measures_nothing_sends_nothing_of_it() {
    let receiver = Receiver::start();
    assert_eq!(sync("span", &receiver).run().code(), 0);
    receiver.attempts().of(Signal::Metrics).assert_count(0);
}
