//! Reads one setting from the environment, over what the code or the default says.
//!
//! A bad value becomes a notice that names the variable, the value and what is used
//! instead; it never stops a program. What is settled is noted with where it came from.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use crate::config::values::{MILLIS, Millis, otel_bool};
use crate::config::vars::{self, Otlp};
use crate::env::Env;

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Variable(Cow<'static, str>),
    Code,
    /// A launcher, the machine or the build said so.
    Detected,
    Default,
}

/// A setting as it is in effect.
#[derive(Clone, Debug)]
pub(crate) struct Settled {
    /// Its variable.
    pub(crate) name: &'static str,
    pub(crate) value: String,
    pub(crate) origin: Origin,
}

/// What is used where no variable says otherwise.
pub(super) struct Or<T> {
    pub(super) value: T,
    pub(super) origin: Origin,
}

/// What the code says, or else the default.
pub(super) fn code_or<T>(code: Option<T>, default: T) -> Or<T> {
    match code {
        Some(value) => Or {
            value,
            origin: Origin::Code,
        },
        None => Or {
            value: default,
            origin: Origin::Default,
        },
    }
}

/// What the code says, if anything.
pub(super) fn code<T>(code: Option<T>) -> Or<Option<T>> {
    code_or(code.map(Some), None)
}

/// The text of a variable.
#[derive(Clone)]
pub(super) struct Found<'a> {
    pub(super) var: Cow<'static, str>,
    pub(super) text: &'a str,
}

/// The text of an OTLP option and where it was said.
pub(super) struct Said<'a> {
    pub(super) text: &'a str,
    pub(super) origin: Origin,
    /// It was said of one signal.
    pub(super) is_of_signal: bool,
    /// The variable, or what code calls it.
    pub(super) place: Cow<'static, str>,
}

pub(super) struct Reader<'a> {
    env: &'a Env,
    /// What lens's variables may begin with instead, with an underscore at its end.
    prefix: Option<String>,
    pub(super) notices: Vec<String>,
    /// Those that tell of a bad setting.
    pub(super) faults: Vec<String>,
    pub(super) settled: Vec<Settled>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(env: &'a Env) -> Self {
        Self {
            env,
            prefix: None,
            notices: Vec::new(),
            faults: Vec::new(),
            settled: Vec::new(),
        }
    }

    /// Has each of lens's variables looked for with `prefix` first.
    pub(super) fn with_prefix(mut self, prefix: Option<&str>) -> Self {
        let prefix = prefix.map(|prefix| prefix.trim().trim_end_matches('_'));
        self.prefix = prefix
            .filter(|prefix| !prefix.is_empty())
            .map(|prefix| format!("{prefix}_"));
        self
    }

    /// What lens's own variables begin with here.
    pub(super) fn prefixes(&self) -> impl Iterator<Item = &str> {
        self.prefix.as_deref().into_iter().chain([vars::PREFIX])
    }

    /// The variable, by its own prefix where the program has one and it is set.
    pub(super) fn find(&mut self, var: &'static str) -> Option<Found<'a>> {
        let own = (self.prefix.as_ref()).and_then(|prefix| {
            let key = var.strip_prefix(vars::PREFIX)?;
            Some(format!("{prefix}{key}"))
        });
        let names = own.map(Cow::Owned).into_iter().chain([Cow::Borrowed(var)]);
        for name in names {
            if self.env.is_unreadable(&name) {
                self.say(format!("{name} is not valid Unicode and is ignored"));
            }
            if let Some(text) = self.env.get(&name) {
                return Some(Found { var: name, text });
            }
        }
        None
    }

    /// The text of a variable.
    pub(super) fn text(&mut self, var: &'static str) -> Option<&'a str> {
        self.find(var).map(|found| found.text)
    }

    /// The text of a variable, or else what the code says.
    pub(super) fn words<'s>(&mut self, var: &'static str, code: Option<&'s str>) -> Option<&'s str>
    where
        'a: 's,
    {
        let (text, origin) = match (self.find(var), code) {
            (Some(found), _) => (Some(found.text), Origin::Variable(found.var)),
            (None, Some(code)) => (Some(code), Origin::Code),
            (None, None) => (None, Origin::Default),
        };
        self.settle(var, text.unwrap_or("none"), origin);
        text
    }

    /// The variable parsed, or what is used otherwise, with a notice when it cannot be.
    pub(super) fn setting<T: fmt::Display>(
        &mut self,
        var: &'static str,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
        or: Or<T>,
    ) -> T {
        if let Some(Found { var: found, text }) = self.find(var) {
            if let Some(value) = parse(text) {
                self.settle(var, &value, Origin::Variable(found));
                return value;
            }
            self.say(format!(
                "invalid value {text:?} for {found}, expected {expected}; using {}",
                or.value
            ));
        }
        self.settle(var, &or.value, or.origin);
        or.value
    }

    /// A setting that is a word in code, too, where it is called `argument`.
    pub(super) fn word<T: fmt::Display>(
        &mut self,
        (var, argument): (&'static str, &str),
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
        (code, default): (Option<&str>, T),
    ) -> T {
        let instead = format!("using {default}");
        let code = self.code_word(argument, expected, &parse, (code, &instead));
        self.setting(var, expected, parse, code_or(code, default))
    }

    /// The word of the code, parsed; one that cannot be is told, with what happens `instead`.
    fn code_word<T>(
        &mut self,
        argument: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
        (code, instead): (Option<&str>, &str),
    ) -> Option<T> {
        let text = code?;
        let value = parse(text);
        if value.is_none() {
            self.say(format!(
                "invalid {argument} {text:?}, expected {expected}; {instead}"
            ));
        }
        value
    }

    /// The variable parsed, or what is used otherwise, which may be nothing; what cannot be is told
    /// and as good as unset.
    pub(super) fn optional<T: fmt::Display>(
        &mut self,
        var: &'static str,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
        or: Or<Option<T>>,
    ) -> Option<T> {
        let mut settled = or;
        if let Some(Found { var, text }) = self.find(var) {
            match parse(text) {
                None => self.say(unset(text, &var, expected)),
                value => {
                    let origin = Origin::Variable(var);
                    settled = Or { value, origin };
                }
            }
        }
        let shown = settled.value.as_ref().map(T::to_string);
        self.settle(var, shown.as_deref().unwrap_or("none"), settled.origin);
        settled.value
    }

    /// A switch of lens's own: `1`/`0`, `true`/`false`, `yes`/`no`, `on`/`off`.
    pub(super) fn switch(&mut self, var: &'static str, or: Or<bool>) -> bool {
        let parse = |text: &str| match text.to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "on" => Some(true),
            "0" | "false" | "no" | "off" => Some(false),
            _ => None,
        };
        self.setting(var, "true or false", parse, or)
    }

    /// A switch of the specification, which is off by default.
    pub(super) fn otel_switch(&mut self, var: &'static str) -> bool {
        self.setting(var, "true or false", otel_bool, code_or(None, false))
    }

    /// A duration in milliseconds.
    pub(super) fn millis(&mut self, var: &'static str, or: Or<Duration>) -> Duration {
        let or = Or {
            value: Millis(or.value),
            origin: or.origin,
        };
        self.setting(var, MILLIS, Millis::parse, or).0
    }

    /// The text of an OTLP option: of the environment or of the code, where it is called
    /// `argument`, and of the signal before that for all.
    pub(super) fn said<'s>(
        &mut self,
        option: &Otlp,
        argument: &'static str,
        code: [Option<&'s str>; 2],
    ) -> Option<Said<'s>>
    where
        'a: 's,
    {
        for (var, is_of_signal) in [(option.of_signal, true), (option.of_all, false)] {
            if let Some(found) = self.find(var) {
                return Some(Said {
                    text: found.text,
                    origin: Origin::Variable(found.var.clone()),
                    is_of_signal,
                    place: found.var,
                });
            }
        }
        let [of_signal, of_all] = code;
        let (text, is_of_signal) =
            (of_signal.map(|text| (text, true))).or(of_all.map(|text| (text, false)))?;
        Some(Said {
            text,
            origin: Origin::Code,
            is_of_signal,
            place: argument.into(),
        })
    }

    /// An OTLP option parsed; a variable that cannot be is told and as good as unset.
    pub(super) fn otlp<T: fmt::Display>(
        &mut self,
        option: &Otlp,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
        or: Or<T>,
    ) -> T {
        for var in [option.of_signal, option.of_all] {
            let Some(Found { var, text }) = self.find(var) else {
                continue;
            };
            if let Some(value) = parse(text) {
                self.settle(option.of_signal, &value, Origin::Variable(var));
                return value;
            }
            self.say(unset(text, &var, expected));
        }
        self.settle(option.of_signal, &or.value, or.origin);
        or.value
    }

    /// An OTLP option that is a word in code, too, where it is called `argument`.
    pub(super) fn otlp_word<T: fmt::Display>(
        &mut self,
        (option, argument): (&Otlp, &str),
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
        (code, default): (Option<&str>, T),
    ) -> T {
        let code = self.code_word(argument, expected, &parse, (code, UNSET));
        self.otlp(option, expected, parse, code_or(code, default))
    }

    /// Notes what is in effect; what is settled again is so from then on.
    pub(super) fn settle(&mut self, name: &'static str, value: impl fmt::Display, origin: Origin) {
        self.settled.retain(|settled| settled.name != name);
        self.settled.push(Settled {
            name,
            value: value.to_string(),
            origin,
        });
    }

    /// What is in effect of a setting.
    pub(super) fn value(&self, name: &str) -> Option<String> {
        let mut settled = self.settled.iter();
        let settled = settled.find(|settled| settled.name == name);
        settled.map(|settled| settled.value.clone())
    }

    /// Where what is in effect of a setting came from.
    pub(super) fn origin(&self, name: &str) -> Origin {
        let mut settled = self.settled.iter();
        let settled = settled.find(|settled| settled.name == name);
        settled.map_or(Origin::Default, |settled| settled.origin.clone())
    }

    /// Tells of a bad setting.
    pub(super) fn say(&mut self, notice: String) {
        if !self.faults.contains(&notice) {
            self.faults.push(notice.clone());
        }
        self.advise(notice);
    }

    /// Tells of what is allowed, and most likely not meant.
    pub(super) fn advise(&mut self, notice: String) {
        // A variable that several signals share is complained about once.
        if !self.notices.contains(&notice) {
            self.notices.push(notice);
        }
    }
}

const UNSET: &str = "it is as good as unset";

fn unset(text: &str, var: &str, expected: &str) -> String {
    format!("invalid value {text:?} for {var}, expected {expected}; {UNSET}")
}
