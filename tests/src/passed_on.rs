//! A program between two others.

use std::collections::BTreeMap;
use std::collections::HashMap;

use lens::opentelemetry::global;

/// Prints what it passes on of what it was given.
pub fn run() {
    let given = [
        (
            "traceparent",
            "00-80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-01",
        ),
        ("baggage", "tenant=blue"),
    ];
    let given: HashMap<String, String> = (given.iter())
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let mut passed_on = HashMap::new();
    global::get_text_map_propagator(|propagator| {
        let context = propagator.extract(&given);
        propagator.inject_context(&context, &mut passed_on);
    });
    let passed_on: BTreeMap<_, _> = passed_on.into_iter().collect();
    println!("{passed_on:?}");
}
