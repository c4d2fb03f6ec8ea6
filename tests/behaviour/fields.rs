//! Attributes: how they are written, and those that come later.

use std::fmt;

use lens_testkit::{Capture, test};

#[derive(Debug)]
struct Model {
    size: u8,
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}b", self.size)
    }
}

struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("a value that cannot be shown")
    }
}

#[lens::trace(
    name = format!("train {}", model.size),
    fields(model.size = model.size, model:%, detail:? = model, "http.method" = "GET", r#type = "x")
)]
fn train(model: &Model) {
    lens::record!(loss = 0.5, model.name:%= model, "group" = 7);
}

#[test]
fn attributes_are_typed_displayed_or_debugged(cap: Capture) {
    train(&Model { size: 7 });
    let span = cap.spans().name("train 7").one();
    span.has_attr("model.size", 7)
        .has_attr("model", "7b")
        .has_attr("detail", "Model { size: 7 }")
        .has_attr("http.method", "GET")
        .has_attr("type", "x")
        .has_attr("loss", 0.5)
        .has_attr("model.name", "7b")
        .has_attr("group", 7);
}

#[test]
fn a_later_attribute_goes_to_the_active_span_or_to_the_guards_own(cap: Capture) {
    lens::record!(lost = evaluated());
    let outer = lens::span!("outer", "kind" = "a kind of its own");
    let inner = lens::span!("inner");
    lens::record!(to = "inner");
    outer.record("to", "outer");
    drop(inner);
    lens::record!(rows = 3);
    drop(outer);
    cap.spans().name("inner").one().has_attr("to", "inner");
    let outer = cap.spans().name("outer").one();
    outer
        .has_attr("to", "outer")
        .has_attr("rows", 3)
        .has_attr("kind", "a kind of its own");
}

fn evaluated() -> u8 {
    panic!("no span is active, so nothing is evaluated")
}

#[test]
fn a_value_that_panics_costs_no_more_than_itself(cap: Capture) {
    let span = lens::span!("broken", broken:% = Broken, whole = true);
    drop(span);
    let span = cap.spans().name("broken").one();
    span.has_attr("broken", "<panic while formatting>")
        .has_attr("whole", true);
}
