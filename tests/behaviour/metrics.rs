//! Measurements, seen by the capture that owns them.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lens::opentelemetry::metrics::Counter;
use lens::opentelemetry::{KeyValue, global};
use lens_testkit::{Capture, test};

/// By the API, from before any test that runs it.
static STEPS: LazyLock<Counter<u64>> =
    LazyLock::new(|| global::meter("statics").u64_counter("static.steps").build());

fn train(step: u64, optimizer: &str) {
    lens::counter!("train.steps", 1, unit = "{step}", optimizer);
    lens::counter!("train.tokens", step * 4096_u64);
    lens::up_down_counter!("train.active", if step == 1 { 2 } else { -1 });
    lens::gauge!(
        "train.learning_rate",
        0.5_f32,
        optimizer = "sgd",
        nothing = None::<u8>
    );
    lens::histogram!(
        "step.duration",
        Duration::from_millis(250 * step),
        unit = "s",
        buckets = [0.3]
    );
    STEPS.add(1, &[KeyValue::new("by", "hand")]);
}

#[test]
fn each_kind_is_measured_with_its_unit_and_typed_attributes(cap: Capture) {
    train(1, "sgd");
    train(2, "adam");
    let shown = |name: &str| {
        let points = cap.metrics().name(name).to_vec();
        let shown = points
            .iter()
            .map(|point| format!("{} {} {}", point.kind, point.value, point.unit));
        shown.collect::<Vec<_>>()
    };
    assert_eq!(shown("train.steps"), ["sum 1 {step}"; 2]);
    assert_eq!(shown("train.tokens"), [format!("sum {} ", 3 * 4096)]);
    assert_eq!(shown("train.active"), ["sum 1 "]);
    assert_eq!(shown("train.learning_rate"), ["gauge 0.5 "]);
    assert_eq!(shown("step.duration"), ["histogram 0.75 s"]);
    assert_eq!(cap.metrics().name("step.duration").one().count, 2);
    cap.metrics()
        .name("train.steps")
        .attr("optimizer", "adam")
        .one();
    let rate = cap.metrics().name("train.learning_rate").one();
    assert_eq!(rate.attributes.keys().collect::<Vec<_>>(), ["optimizer"]);
    assert_eq!(
        cap.metrics()
            .name("static.steps")
            .attr("by", "hand")
            .one()
            .value,
        2.0
    );
}

#[test]
fn what_another_test_measures_at_the_same_place_is_not_seen(cap: Capture) {
    let other = Capture::new();
    other.in_scope(|| (0..7).for_each(|step| train(step, "sgd")));
    train(1, "sgd");
    assert_eq!(cap.metrics().name("train.steps").one().value, 1.0);
    assert_eq!(other.metrics().name("train.steps").one().value, 7.0);
    assert_eq!(cap.metrics().name("static.steps").one().value, 1.0);
}

#[test]
fn an_attribute_may_be_called_like_an_argument(cap: Capture) {
    let model = ["7b", "70b"];
    lens::counter!("asked", 1, "unit" = 7, model:? = model, description = "Asked.");
    let asked = cap.metrics().name("asked").attr("unit", 7).one();
    assert_eq!(asked.attributes["model"], r#"["7b", "70b"]"#.into());
    assert_eq!(asked.unit, "");
}

#[test]
fn a_counter_never_shrinks(cap: Capture) {
    for number in [2, -7, 1] {
        lens::counter!("only.grows", number);
    }
    lens::counter!("only.grows.really", -0.5);
    assert_eq!(cap.metrics().name("only.grows").one().value, 3.0);
    cap.metrics().name("only.grows.really").none();
}

struct Queue {
    depth: Arc<AtomicU64>,
    _watched: lens::Observation,
}

impl Queue {
    fn new(name: &'static str) -> Self {
        let depth = Arc::new(AtomicU64::new(0));
        let watched = Arc::clone(&depth);
        Self {
            _watched: lens::gauge!("queue.depth", move || watched.load(Relaxed), queue = name),
            depth,
        }
    }
}

#[test]
fn a_closure_is_asked_as_long_as_somebody_wants_it(cap: Capture) {
    let (first, second) = (Queue::new("first"), Queue::new("second"));
    first.depth.store(3, Relaxed);
    second.depth.store(5, Relaxed);
    let depth_of = |queue: &str| {
        let points = cap
            .metrics()
            .name("queue.depth")
            .attr("queue", queue)
            .to_vec();
        points.iter().map(|point| point.value).collect::<Vec<_>>()
    };
    assert_eq!(
        (depth_of("first"), depth_of("second")),
        (vec![3.0], vec![5.0])
    );
    drop(first);
    second.depth.store(6, Relaxed);
    assert_eq!((depth_of("first"), depth_of("second")), (vec![], vec![6.0]));

    let other = Capture::new();
    assert_eq!(other.metrics().name("queue.depth").count(), 0);
}

#[test]
fn what_a_closure_is_asked_that_nobody_owns_is_everybodys(cap: Capture) {
    let of_nobody = || lens::gauge!("of.nobody", || 1).forever();
    assert!(std::thread::spawn(of_nobody).join().is_ok());
    assert_eq!(cap.metrics().name("of.nobody").one().value, 1.0);
}

#[test]
fn closures_may_panic_measure_and_make_others(cap: Capture) {
    let _panics = lens::gauge!(
        "of.a.closure",
        || -> u64 { panic!("nothing there") },
        by = "first"
    );
    let made = Arc::new(Mutex::new(Vec::new()));
    let _makes = lens::gauge!(
        "of.a.closure",
        move || {
            lens::counter!("asked.again", 1);
            made.lock()
                .expect("nobody panics")
                .push(Queue::new("of a closure"));
            1.5
        },
        by = "second"
    );
    let counted = lens::counter!("of.a.sum", || 7_u8);
    assert_eq!(cap.metrics().name("of.a.closure").one().value, 1.5);
    assert_eq!(cap.metrics().name("of.a.sum").kind("sum").one().value, 7.0);
    drop(counted);
    cap.metrics().name("of.a.sum").none();
}
