//! Settings that are lists of words, where `none` is a list of its own.

use std::fmt;

use super::read::{Or, Origin, Reader, code_or};

/// What a list may hold.
pub(super) trait Listed: fmt::Display + PartialEq + Sized {
    /// What one of them is called.
    const KIND: &'static str;
    const EXPECTED: &'static str;
    /// What comes of none.
    const NOTHING: &'static str;

    fn parse(word: &str) -> Option<Self>;

    /// What is wrong with a word that is none of them.
    fn fault(_: &str) -> &'static str {
        "invalid"
    }
}

/// Some of them, each once.
struct List<T>(Vec<T>);

/// Settles a list: what the last of `vars` says, where that is anything, or those before it, or
/// the code, where it is called `argument`. It is noted as the last of them.
pub(super) fn list<T: Listed>(
    vars: &[&'static str],
    (argument, code): (&str, Option<&str>),
    default: Vec<T>,
    read: &mut Reader<'_>,
) -> Vec<T> {
    let default = List(default);
    let code = code.and_then(|text| List::parse(text, (argument, &default), read));
    let mut settled = code_or(code, default);
    for var in vars {
        if let Some(found) = read.find(var)
            && let Some(value) = List::parse(found.text, (&found.var, &settled.value), read)
        {
            let origin = Origin::Variable(found.var);
            settled = Or { value, origin };
        }
    }
    if let Some(name) = vars.last() {
        read.settle(name, &settled.value, settled.origin);
    }
    settled.value.0
}

impl<T: Listed> List<T> {
    /// Reads a list that was said at `place`; what does not belong there is told and left out, and
    /// of a list of nothing else comes nothing, and what is used `otherwise`.
    fn parse(text: &str, (place, otherwise): (&str, &Self), read: &mut Reader<'_>) -> Option<Self> {
        let (mut found, mut bad, mut has_none) = (Vec::new(), Vec::new(), false);
        let words = text.split(',').map(str::trim);
        for word in words.filter(|word| !word.is_empty()) {
            match T::parse(word) {
                Some(one) if found.contains(&one) => {}
                Some(one) => found.push(one),
                None if word.eq_ignore_ascii_case("none") => has_none = true,
                None => bad.push(word),
            }
        }
        let instead = if has_none || !found.is_empty() {
            "it is left out".to_owned()
        } else {
            format!("using {otherwise}")
        };
        let (kind, expected, nothing) = (T::KIND, T::EXPECTED, T::NOTHING);
        for word in bad {
            let fault = T::fault(word);
            read.say(format!(
                "{fault} {kind} {word:?} in {place}, expected {expected}; {instead}"
            ));
        }
        if has_none && !found.is_empty() {
            read.say(format!("{place} has none beside other {kind}s; {nothing}"));
            found.clear();
        }
        (has_none || !found.is_empty()).then_some(Self(found))
    }
}

impl<T: fmt::Display> fmt::Display for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.0.iter().map(T::to_string).collect();
        match &words[..] {
            [] => f.write_str("none"),
            words => f.write_str(&words.join(",")),
        }
    }
}
