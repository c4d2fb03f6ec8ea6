//! Child processes that go on with the trace of the one that started them.

use std::process::Command;

use opentelemetry::Context;

use crate::carrier::{CarrierMut, inject_context};
use crate::context::has_context;

/// The names under which a context may stand in the environment.
const CONTEXT: [&str; 8] = [
    "TRACEPARENT",
    "TRACESTATE",
    "BAGGAGE",
    "B3",
    "X_B3_TRACEID",
    "X_B3_SPANID",
    "X_B3_SAMPLED",
    "X_B3_FLAGS",
];

/// Gives the current context to a child, in its environment: `TRACEPARENT`, `TRACESTATE` and
/// `BAGGAGE`.
///
/// ```no_run
/// # use std::process::Command;
/// let _span = lens::span!("preprocess");
/// let mut tokenizer = Command::new("tokenizer");
/// lens::process::inject(&mut tokenizer);
/// tokenizer.status()?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// A child whose main has `#[lens::main]` goes on with the trace, see
/// [`Builder::inherit_context`](crate::Builder::inherit_context). Where no span is active the
/// child gets none, nor the one this process was given. What is set on `command` later wins. Of
/// a `tokio::process::Command` it takes `as_std_mut()`.
///
/// The names are those of
/// [OpenTelemetry's environment carriers](https://opentelemetry.io/docs/specs/otel/context/env-carriers/).
pub fn inject(command: &mut Command) -> &mut Command {
    for name in CONTEXT {
        command.env_remove(name);
    }
    if has_context() {
        inject_context(&Context::current(), &mut Variables(command));
    }
    command
}

struct Variables<'a>(&'a mut Command);

impl CarrierMut for Variables<'_> {
    fn set(&mut self, name: &str, value: String) {
        // The system takes none that has an end in it.
        if !value.contains('\0') {
            self.0.env(variable(name), value);
        }
    }

    fn remove(&mut self, name: &str) {
        self.0.env_remove(variable(name));
    }
}

/// The variable that stands for a header.
///
/// <https://opentelemetry.io/docs/specs/otel/context/env-carriers/#key-name-normalization>
pub(crate) fn variable(header: &str) -> String {
    let letters = header.chars().map(|letter| match letter {
        'a'..='z' => letter.to_ascii_uppercase(),
        'A'..='Z' | '0'..='9' | '_' => letter,
        _ => '_',
    });
    let name: String = letters.collect();
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        format!("_{name}")
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_a_variable_of_capital_letters() {
        for (header, name) in [
            ("traceparent", "TRACEPARENT"),
            ("x-b3-traceid", "X_B3_TRACEID"),
            ("2.ü", "_2__"),
        ] {
            assert_eq!(variable(header), name);
        }
    }
}
