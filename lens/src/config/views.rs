//! What an operator says of metrics: which leave, with which attributes, in which buckets.

use std::str::FromStr;

use super::read::Reader;
use super::{Builder, vars};

const EXPECTED: &str = "NAME=off, NAME=keys KEY…, NAME=limit COUNT (at most 100000) or NAME=buckets \
    BOUND…, with commas between them";

/// The SDK makes room for all of them at once, for each instrument.
const MOST_SERIES: usize = 100_000;

/// What is said of some metrics.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Views(Vec<(String, Action)>);

#[derive(Clone, Debug, PartialEq)]
enum Action {
    Off,
    /// Attributes with other keys are left out, and their series become one.
    Keys(Vec<String>),
    /// How many series there may be.
    Limit(usize),
    Buckets(Vec<f64>),
}

/// What becomes of one metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct View<'a> {
    pub(crate) is_off: bool,
    pub(crate) keys: Option<&'a [String]>,
    pub(crate) limit: Option<usize>,
    pub(crate) buckets: Option<&'a [f64]>,
}

/// Settles what is said of metrics.
pub(super) fn views(builder: &Builder, read: &mut Reader<'_>) -> Views {
    let text = read.words(vars::METRIC_VIEWS, builder.metric_views.as_deref());
    let (views, bad) = Views::parse(text.unwrap_or_default());
    for entry in bad {
        let var = vars::METRIC_VIEWS;
        read.say(format!(
            "invalid entry {entry:?} of {var}, expected {EXPECTED}; it is left out"
        ));
    }
    views
}

impl Views {
    /// Reads entries with commas between them, and returns those that are none, too.
    fn parse(text: &str) -> (Self, Vec<&str>) {
        let (mut views, mut bad) = (Vec::new(), Vec::new());
        let entries = text.split(',').map(str::trim);
        for entry in entries.filter(|entry| !entry.is_empty()) {
            let parts = entry.split_once('=');
            let parsed = parts.and_then(|(name, action)| Some((name.trim(), parse(action)?)));
            match parsed.filter(|(name, _)| !name.is_empty()) {
                Some((name, action)) => views.push((name.to_owned(), action)),
                None => bad.push(entry),
            }
        }
        (Self(views), bad)
    }

    /// What becomes of the metric called `name`; of each kind the first entry counts. `None` where
    /// none is for it.
    pub(crate) fn of(&self, name: &str) -> Option<View<'_>> {
        let mut view = None;
        for (pattern, action) in &self.0 {
            if !matches(pattern.as_bytes(), name.as_bytes()) {
                continue;
            }
            let view: &mut View<'_> = view.get_or_insert_default();
            match action {
                Action::Off => view.is_off = true,
                Action::Keys(keys) => _ = view.keys.get_or_insert(keys),
                Action::Limit(limit) => _ = view.limit.get_or_insert(*limit),
                Action::Buckets(bounds) => _ = view.buckets.get_or_insert(bounds),
            }
        }
        view
    }
}

fn parse(action: &str) -> Option<Action> {
    let mut words = action.split_whitespace();
    let kind = words.next()?.to_ascii_lowercase();
    let words: Vec<&str> = words.collect();
    match (kind.as_str(), &words[..]) {
        ("off", []) => Some(Action::Off),
        ("keys", keys) => Some(Action::Keys(
            keys.iter().map(|key| (*key).to_owned()).collect(),
        )),
        ("limit", [count]) => {
            let count = count
                .parse()
                .ok()
                .filter(|count| (1..=MOST_SERIES).contains(count))?;
            Some(Action::Limit(count))
        }
        ("buckets", bounds) => {
            let bounds: Vec<f64> = (bounds.iter())
                .map(|bound| f64::from_str(bound).ok().filter(|bound| bound.is_finite()))
                .collect::<Option<_>>()?;
            let is_rising = bounds.is_sorted_by(|a, b| a < b);
            (is_rising && !bounds.is_empty()).then_some(Action::Buckets(bounds))
        }
        _ => None,
    }
}

/// Whether a pattern is for `name`, in any case: `*` is for any characters, `?` for one.
///
/// <https://opentelemetry.io/docs/specs/otel/metrics/sdk/#instrument-selection-criteria>
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    // Where to go on when what follows the latest star does not match here.
    let (mut pattern, mut name, mut retry) = (pattern, name, None);
    loop {
        match (pattern, name) {
            ([], []) => return true,
            ([b'*', rest @ ..], _) => {
                pattern = rest;
                retry = Some((rest, name));
                continue;
            }
            ([first, rest @ ..], [letter, letters @ ..])
                if *first == b'?' || first.eq_ignore_ascii_case(letter) =>
            {
                (pattern, name) = (rest, letters);
                continue;
            }
            _ => {}
        }
        match retry {
            Some((after_star, [_, letters @ ..])) => {
                (pattern, name) = (after_star, letters);
                retry = Some((after_star, letters));
            }
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_for_names() {
        for (pattern, name, expected) in [
            ("a.b", "A.B", true),
            ("a.b", "a.bc", false),
            ("*", "", true),
            ("http.*", "http.server.duration", true),
            ("http.*.duration", "http.server.duration", true),
            ("*.b", "a.c.b", true),
            ("*b*c", "abbbd", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
        ] {
            assert_eq!(
                matches(pattern.as_bytes(), name.as_bytes()),
                expected,
                "{pattern} {name}"
            );
        }
    }

    #[test]
    fn entries_are_read_and_those_that_are_none_are_named() {
        let text = "a=off, b = keys x y.z,*=limit 500,a=buckets 0.1 1 10,b=keys q,b=LIMIT 7,";
        let (views, bad) = Views::parse(text);
        assert_eq!(bad, [""; 0]);
        let of_a = views.of("a").unwrap();
        assert!(of_a.is_off);
        assert_eq!(
            (of_a.limit, of_a.buckets),
            (Some(500), Some(&[0.1, 1.0, 10.0][..]))
        );
        let of_b = views.of("b").unwrap();
        assert_eq!(of_b.keys, Some(&["x".to_owned(), "y.z".to_owned()][..]));
        assert_eq!((of_b.is_off, of_b.limit), (false, Some(500)));
        let bad = [
            "a",
            "=off",
            "a=",
            "a=of",
            "a=off now",
            "a=limit",
            "a=limit 0",
            "a=limit x",
            "a=limit 100001",
            "a=limit -1",
            "a=buckets",
            "a=buckets 2 1",
            "a=buckets 1 1",
            "a=buckets NaN",
        ];
        let text = bad.join(",");
        let (views, named) = Views::parse(&text);
        assert_eq!((named, views.of("a")), (bad.to_vec(), None));
    }
}
