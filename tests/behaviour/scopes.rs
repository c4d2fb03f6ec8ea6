//! Scopes: what modules say of their own log records.

use std::time::Duration;

use lens_testkit::{Capture, Value, prefix, test};
use scoped::lines;

#[lens::bridge(level = "debug")]
mod optimizer {
    pub fn step() {
        log::debug!("updated the weights");
        log::trace!("and how");
        log::debug!(target: "pool", "borrowed a buffer");
        inner::step();
    }

    mod inner {
        pub fn step() {
            log::debug!("deeper");
        }
    }
}

#[lens::bridge(off)]
mod noisy {
    #![allow(unused_imports)]
    use super::*;

    pub fn chatter() {
        log::error!("of no interest");
    }
}

#[lens::bridge]
mod asked {
    pub fn speak() {
        log::info!("asked for");
        log::debug!("not asked for");
    }
}

#[lens::bridge(sample = 0.1)]
mod sampled {
    pub fn flood() {
        (0..50).for_each(|line| log::info!("sample {line}"));
        log::error!("an error in the flood");
    }
}

fn plain() {
    log::info!("plain");
    log::debug!("plain detail");
}

fn everything() {
    optimizer::step();
    noisy::chatter();
    asked::speak();
    plain();
}

fn bodies(cap: &Capture) -> Vec<String> {
    let logs = cap.logs().allow_empty().to_vec();
    logs.iter().map(|log| log.body_str().to_owned()).collect()
}

const OPTIMIZER: [&str; 3] = ["updated the weights", "borrowed a buffer", "deeper"];

// https://github.com/block/buzz/pull/6035 (FIL-04)
#[test(level = "info")]
fn a_scope_is_more_or_less_verbose_than_the_program(cap: Capture) {
    everything();
    assert_eq!(
        bodies(&cap),
        [&OPTIMIZER[..], &["asked for", "plain"]].concat()
    );
}

#[test(level = "info", logger = "elsewhere")]
fn an_annotated_module_is_bridged_where_logger_names_others(cap: Capture) {
    everything();
    assert_eq!(bodies(&cap), [&OPTIMIZER[..], &["asked for"]].concat());
}

#[test(
    level = "info",
    env(
        NEMO_LENS_LOGS_FILTER = "behaviour::scopes::noisy=error,behaviour::scopes::optimizer=warn,pool=off"
    )
)]
fn the_variable_is_above_a_scope(cap: Capture) {
    everything();
    assert_eq!(bodies(&cap), ["of no interest", "asked for", "plain"]);
}

#[test(level = "info")]
fn directives_change_while_the_program_runs(cap: Capture) {
    lens::handle()
        .set_filter("behaviour=off,behaviour::scopes::noisy=trace")
        .unwrap();
    everything();
    let error = lens::handle().set_filter("behaviour=loud").unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid directive \"behaviour=loud\", expected a level or logger=level"
    );
    plain();
    lens::handle().set_filter("").unwrap();
    plain();
    let expected = [&OPTIMIZER[..], &["of no interest", "plain"]].concat();
    assert_eq!(bodies(&cap), expected);
}

#[test(level = "info")]
fn a_module_of_another_crate_has_its_scope(cap: Capture) {
    lines::every_level();
    assert_eq!(
        bodies(&cap),
        ["an error", "a warning", "an information", "a detail"]
    );
}

#[test(level = "info")]
fn what_is_held_back_is_counted_and_told(cap: Capture) {
    lines::flood(20);
    lines::every_level();
    let stats = lens::handle().flush(Duration::from_secs(1)).stats.logs;
    let told = cap.logs().body(prefix("held back")).to_vec();
    let left = cap.logs().count() - told.len();
    let held_back = 20 + 4 - left;
    assert_eq!(stats.dropped.over_rate, held_back as u64);
    // Three, or six if a second has passed meanwhile, and an error beside them.
    assert!((4..=7).contains(&left), "{left}");
    let counts = told.iter().map(|record| {
        assert_eq!(record.target(), "scoped::lines");
        match record.attr("lens.held_back.max_per_second") {
            Some(Value::Int(count)) => *count as usize,
            other => panic!("{other:?}"),
        }
    });
    assert_eq!(counts.sum::<usize>(), held_back);
    cap.logs().body("an error").one();
    lens::handle().flush(Duration::from_secs(1));
    assert_eq!(cap.logs().body(prefix("held back")).count(), told.len());
}

#[test(level = "info")]
fn a_sample_is_taken_evenly_and_errors_pass(cap: Capture) {
    sampled::flood();
    lens::handle().flush(Duration::from_secs(1));
    assert_eq!(
        bodies(&cap),
        [
            "sample 9",
            "sample 19",
            "sample 29",
            "sample 39",
            "sample 49",
            "an error in the flood",
            "held back 45 log records",
        ]
    );
    let stats = lens::handle().stats();
    assert_eq!(stats.logs.dropped.not_sampled, 45);
}
