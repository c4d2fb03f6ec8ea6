//! Reads one setting from the environment, over what the code or the default says.
//!
//! A bad value becomes a notice that names the variable, the value and what is used
//! instead; it never stops a program.

use std::fmt;
use std::time::Duration;

use crate::config::vars::Otlp;
use crate::env::Env;

pub(super) struct Reader<'a> {
    env: &'a Env,
    pub(super) notices: Vec<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(env: &'a Env) -> Self {
        Self {
            env,
            notices: Vec::new(),
        }
    }

    /// The text of a variable.
    pub(super) fn text(&mut self, var: &str) -> Option<&'a str> {
        if self.env.is_unreadable(var) {
            self.say(format!("{var} is not valid Unicode and is ignored"));
        }
        self.env.get(var)
    }

    /// The variable parsed, or `fallback` with a notice when it cannot be.
    pub(super) fn setting<T: fmt::Display>(
        &mut self,
        var: &str,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
        fallback: T,
    ) -> T {
        let Some(text) = self.text(var) else {
            return fallback;
        };
        parse(text).unwrap_or_else(|| {
            self.say(format!(
                "invalid value {text:?} for {var}, expected {expected}; using {fallback}"
            ));
            fallback
        })
    }

    /// The variable parsed; one that cannot be is told and as good as unset.
    pub(super) fn optional<T>(
        &mut self,
        var: &str,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(var)?;
        let value = parse(text);
        if value.is_none() {
            self.say(format!(
                "invalid value {text:?} for {var}, expected {expected}; it is as good as unset"
            ));
        }
        value
    }

    /// A switch of lens's own: `1`/`0`, `true`/`false`, `yes`/`no`, `on`/`off`.
    pub(super) fn switch(&mut self, var: &str, fallback: bool) -> bool {
        let parse = |text: &str| match text.to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "on" => Some(true),
            "0" | "false" | "no" | "off" => Some(false),
            _ => None,
        };
        self.setting(var, "true or false", parse, fallback)
    }

    /// A switch of the specification: only `true` is true, in any case.
    ///
    /// <https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#boolean>
    pub(super) fn otel_switch(&mut self, var: &str) -> bool {
        let parse = |text: &str| match text.to_ascii_lowercase().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        self.setting(var, "true or false", parse, false)
    }

    /// A duration in milliseconds.
    pub(super) fn millis(&mut self, var: &str, fallback: Duration) -> Duration {
        let parse = |text: &str| text.parse().ok().map(Millis);
        let Millis(millis) = self.setting(
            var,
            "a number of milliseconds",
            parse,
            Millis(u64::try_from(fallback.as_millis()).unwrap_or(u64::MAX)),
        );
        Duration::from_millis(millis)
    }

    /// The text of an OTLP option and the variable it came from.
    pub(super) fn otlp(&mut self, option: &Otlp) -> Option<(&'static str, &'a str)> {
        (self
            .text(option.of_signal)
            .map(|text| (option.of_signal, text)))
        .or_else(|| self.text(option.of_all).map(|text| (option.of_all, text)))
    }

    pub(super) fn say(&mut self, notice: String) {
        // A variable that several signals share is complained about once.
        if !self.notices.contains(&notice) {
            self.notices.push(notice);
        }
    }
}

struct Millis(u64);

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}
