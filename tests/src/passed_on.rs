//! A program between others: what it is given, and what it gives on.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::process::Command;

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

/// Logs in main and in a span, and has a child do the same.
pub fn family() {
    let generation = std::env::args().nth(2).unwrap_or_default();
    log::info!("in main {generation}");
    let _span = lens::span!("work");
    log::info!("at work {generation}");
    if generation == "child" {
        return;
    }
    let this = std::env::current_exe().expect("the program has a path");
    let mut child = Command::new(this);
    child.args(["family", "child"]);
    let status = lens::process::inject(&mut child).status();
    assert!(status.is_ok_and(|status| status.success()));
}

/// Prints what is written for baggage alone, for that inside a span, and over the headers of
/// somebody whose trace cannot be read.
pub fn pass_on() {
    let given = HashMap::from([("baggage".to_owned(), "tenant=blue".to_owned())]);
    let shown = |carrier: &HashMap<String, String>| {
        let carrier: BTreeMap<_, _> = carrier.iter().collect();
        let lines = carrier
            .iter()
            .map(|(name, value)| format!("{name}: {value}"));
        println!("{}", lines.collect::<Vec<_>>().join(", "));
    };
    let mut alone = HashMap::new();
    lens::inject_context(&lens::extract(&given), &mut alone);
    shown(&alone);

    let span = lens::span!("passed on", parent = lens::extract(&given));
    let mut within = HashMap::new();
    lens::inject(&mut within);
    shown(&within);
    drop(span);

    let mut again = HashMap::from([
        ("Traceparent".to_owned(), "00-malformed".to_owned()),
        ("Tracestate".to_owned(), "congo=t61".to_owned()),
    ]);
    let _span = lens::span!("again", parent = lens::extract(&again));
    lens::inject(&mut again);
    again.retain(|_, value| value != "00-malformed");
    shown(&again);
}

/// Prints the variables that a child of no span is given.
pub fn orphan() {
    let child = std::thread::spawn(|| {
        let mut child = Command::new("env");
        lens::process::inject(&mut child).status()
    });
    let status = child.join();
    assert!(status.is_ok_and(|status| status.is_ok_and(|status| status.success())));
}

/// Reads messages of several senders, one after the other.
pub fn messages() {
    let headers =
        |traceparent: &str| HashMap::from([("Traceparent".to_owned(), traceparent.to_owned())]);
    let sent = [
        headers("00-80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-01"),
        headers("00-80f198ee56343ba864fe8b2a57d3eff7-0000000000000000-01"),
        HashMap::new(),
        headers("00-463ac35c9f6413ad48485a3953bb6124-a2fb4a1d1a96d312-01"),
    ];
    let _batch = lens::span!("batch", links = sent.iter().map(lens::extract));
    for (number, headers) in sent.iter().enumerate() {
        handle(number, headers);
    }
}

#[lens::trace(name = "handle", kind = "consumer", parent = lens::extract(headers))]
fn handle(number: usize, headers: &HashMap<String, String>) {
    log::info!("message {number}");
    let own = lens::extract(headers);
    let _inner = lens::span!("again", parent = &own, "parent" = "a field");
    log::info!("again {number}");
}
