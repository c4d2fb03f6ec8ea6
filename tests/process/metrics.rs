//! Metrics, from an instrument to a receiver.

use lens_testkit::{Point, Receiver, Reply, Signal};

use super::{PATIENCE, program, sync};

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
        let points = receiver.metrics().to_vec();
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
        shown(&receiver.metrics().to_vec()),
        ["steps sum  2 1", "steps sum  3 1"]
    );
    assert!(
        receiver
            .metrics()
            .to_vec()
            .iter()
            .all(|point| point.is_delta)
    );
    let counts = run.stdout.lines().collect::<Vec<_>>();
    assert!(counts[0].contains("emitted: 1, exported: 1"), "{counts:?}");
    assert!(counts[1].contains("emitted: 2, exported: 2"), "{counts:?}");
}

#[test]
fn what_macros_measure_arrives_and_costs_nothing_when_off() {
    for protocol in ["http/protobuf", "http/json", "grpc"] {
        let receiver = Receiver::start();
        let run = program!("sync", "metrics by macros")
            .sending_to(&receiver, protocol)
            .env("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "delta")
            .run();
        assert_eq!((run.code(), run.stderr.as_str()), (0, ""), "{protocol}");
        assert_eq!(run.stdout, "asked 3\n");
        let mut points = shown(&receiver.metrics().to_vec());
        // A sum that shrinks as well is told anew at the end, whatever the preference.
        assert_eq!(points.remove(0), "active sum  6 1");
        assert_eq!(
            points,
            [
                "active sum  6 1",
                "depth gauge {item} 7 1",
                "loss histogram  0.75 3",
                "rate gauge  0.5 1",
                "steps sum  6 1",
                "steps.by sum  1 1",
                "steps.by sum  1 1",
                "steps.by sum  1 1"
            ],
            "{protocol}"
        );
    }
    for (name, value) in [
        ("NEMO_LENS_METRICS_ENABLED", "false"),
        ("OTEL_METRICS_EXPORTER", "none"),
        ("OTEL_SDK_DISABLED", "true"),
        ("NEMO_LENS_EXPORT_STRATEGY", "single_rank"),
    ] {
        let receiver = Receiver::start();
        let run = sync("metrics by macros", &receiver)
            .env(name, value)
            .env("RANK", "0")
            .env("WORLD_SIZE", "2")
            .run();
        assert_eq!(
            (run.code(), run.stdout.as_str()),
            (0, "asked 0\n"),
            "{name}"
        );
        assert_eq!(receiver.metrics().count(), 0, "{name}");
    }
}

#[test]
fn an_operator_says_which_metrics_leave_and_with_which_attributes() {
    let with_views = |views: &str| {
        let receiver = Receiver::start();
        let run = sync("metrics by macros", &receiver)
            .env("NEMO_LENS_METRIC_VIEWS", views)
            .run();
        assert_eq!(run.code(), 0);
        // What a flush collected is collected again at the end.
        let points = receiver.metrics().to_vec();
        let mut latest: Vec<_> = (points.iter().rev())
            .map(|point| {
                let attributes: Vec<_> = (point.attributes.iter())
                    .map(|(key, value)| format!("{key}={value}"))
                    .collect();
                format!("{} {} {}", point.name, point.value, attributes.join(" "))
            })
            .collect();
        latest.sort_unstable();
        latest.dedup();
        (latest, run.stderr)
    };
    let (points, stderr) =
        with_views("st*.by=keys optimizer,DEPTH=off,rate=off,active=off,loss=off");
    assert_eq!(stderr, "");
    assert_eq!(
        points,
        ["steps 6 optimizer=sgd", "steps.by 3 optimizer=sgd"]
    );
    let (points, _) = with_views("steps=off,*e*=off,loss=off,steps.by=limit 2");
    assert_eq!(points, [""; 0], "off is off, whatever else is said");
    let (points, _) = with_views("?????=off,active=off,loss=off,rate=off,steps.by=limit 2");
    assert_eq!(
        points,
        [
            "steps.by 1 optimizer=sgd step=1",
            "steps.by 1 optimizer=sgd step=2",
            "steps.by 1 otel.metric.overflow=true"
        ]
    );
    let (_, stderr) = with_views("steps=limit many");
    assert_eq!(
        stderr,
        "lens: invalid entry \"steps=limit many\" of NEMO_LENS_METRIC_VIEWS, expected NAME=off, \
         NAME=keys KEY…, NAME=limit COUNT (at most 100000) or NAME=buckets BOUND…, with commas between them; it is \
         left out\n"
    );
}

#[test]
fn a_closure_may_measure_and_wait_for_what_measures() {
    let receiver = Receiver::start();
    let run = sync("metrics entangled", &receiver)
        .env("OTEL_METRIC_EXPORT_INTERVAL", "1")
        .limit(PATIENCE)
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    let latest = |name: &str| {
        let points = receiver.metrics().name(name).to_vec();
        points.last().map(|point| point.value as u64)
    };
    assert_eq!(
        (latest("queue.depth"), latest("measured.within")),
        (Some(1), Some(7))
    );
    assert_eq!(
        (latest("queue.pushed"), latest("queue.seconds")),
        (Some(1), Some(0))
    );
    assert!(latest("within") > Some(0));
    assert!(
        receiver.logs().body("asked").count() > 0,
        "what it logs is like anybody's"
    );
}

#[test]
fn a_closure_that_never_returns_costs_a_line_and_no_other_number() {
    let receiver = Receiver::start();
    let run = sync("metrics that hang", &receiver).limit(PATIENCE).run();
    assert_eq!(run.code(), 0);
    assert_eq!(
        run.notices(),
        ["a closure of a metric does not return; metrics are collected without closures"]
    );
    assert_eq!(receiver.metrics().one().value as u64, 7);
}

#[test]
fn an_instrument_goes_over_to_the_next_start() {
    let receiver = Receiver::start();
    let run = sync("metrics of two starts", &receiver).run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    let of = |start: &str| receiver.metrics().name("steps").attr("start", start);
    assert_eq!(of("first").one().value as u64, 1);
    of("between").none();
    let second = of("second").one();
    assert_eq!(second.value as u64, 2);
    assert_eq!(second.resource("service.name"), Some(&"second".into()));
    // Both starts ask what was there before them.
    let asked = receiver.metrics().name("depth").exactly(2);
    assert!(asked.iter().all(|point| point.value as u64 == 7));
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
    assert!(
        shown(&receiver.metrics().to_vec())
            .contains(&"loss exponential histogram  0.75 2".to_owned())
    );
}

#[test]
fn metrics_are_collected_meanwhile_and_tried_again_in_their_order() {
    let receiver = Receiver::start();
    receiver.script(Signal::Metrics, [Reply::status(503)]);
    let run = sync("metrics meanwhile", &receiver)
        // While the pause after the refusal lasts, there is room for eight.
        .env("OTEL_METRIC_EXPORT_INTERVAL", "50")
        .limit(PATIENCE)
        .run();
    assert_eq!(run.code(), 0);
    let points = receiver.metrics().to_vec();
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
        pretty.contains("─ steps sum value=3 {step} optimizer=sgd\n"),
        "{pretty}"
    );
    assert!(
        pretty.contains("─ loss histogram count=2 sum=0.75 min=0.25 max=0.5\n"),
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
    assert!(receiver.metrics().count() == 0);
}

#[test]
fn a_program_that_measures_nothing_sends_nothing_of_it() {
    let receiver = Receiver::start();
    assert_eq!(sync("span", &receiver).run().code(), 0);
    receiver.attempts().of(Signal::Metrics).assert_count(0);
}
