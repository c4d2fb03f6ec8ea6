//! `assert_logs!` and `assert_trace!`: a whole sequence or structure at once.

use std::fmt::Write;

use crate::capture::Capture;
use crate::matchers::ValueMatch;
use crate::model::{LogRecord, Span};

/// A record that must be there.
#[derive(Debug)]
pub struct ExpectedLog {
    /// The severity's text.
    pub level: &'static str,
    /// The message.
    pub body: &'static str,
    /// Some of the attributes.
    pub attrs: Vec<(&'static str, ValueMatch)>,
}

impl ExpectedLog {
    fn check(&self, log: &LogRecord) -> Result<(), String> {
        let (_, level) = log.severity();
        if level != self.level {
            return Err(format!("level: expected {}, found {level}", self.level));
        }
        if log.body_str() != self.body {
            return Err(format!(
                "body: expected {:?}, found {}",
                self.body,
                log.body()
            ));
        }
        (self.attrs.iter()).try_for_each(|(key, value)| value.check(key, log.attr(key)))
    }
}

/// Asserts that exactly these records were captured, in this order.
#[track_caller]
pub fn assert_logs(capture: &Capture, expected: &[ExpectedLog]) {
    let found = capture.logs().to_vec();
    for (index, expected) in expected.iter().enumerate() {
        let why = match found.get(index) {
            None => "there are no more records".to_owned(),
            Some(log) => match expected.check(log) {
                Ok(()) => continue,
                Err(why) => format!("{why}\n  in log  {log}"),
            },
        };
        crate::attribute::fail(&format!(
            "record {} of {}: expected {} {:?}\n{why}\n\n{}",
            index + 1,
            found.len(),
            expected.level,
            expected.body,
            capture.report()
        ));
    }
    if let Some(log) = found.get(expected.len()) {
        crate::attribute::fail(&format!(
            "expected {} records, found {}, the first of them too many being\n  {log}\n\n{}",
            expected.len(),
            found.len(),
            capture.report()
        ));
    }
}

/// Asserts that exactly these log records were captured, in this order: level, message, and
/// some of the attributes.
///
/// ```
/// use lens_testkit::{Capture, assert_logs};
///
/// let cap = Capture::new();
/// cap.in_scope(|| {
///     log::warn!(attempt = 1; "retrying");
///     log::error!("gave up");
/// });
/// assert_logs!(cap, [WARN "retrying" { attempt: 1 }, ERROR "gave up"]);
/// ```
///
/// # Panics
///
/// At the first record that is another one.
#[macro_export]
macro_rules! assert_logs {
    ($capture:expr, [$($level:ident $body:literal
        $({ $($($key:ident).+ : $value:expr),* $(,)? })?),* $(,)?]) => {
        $crate::__private::assert_logs(
            &$capture,
            &[$($crate::__private::ExpectedLog {
                level: ::core::stringify!($level),
                body: $body,
                attrs: ::std::vec![$($((
                    $crate::__private::key!($($key).+),
                    ::core::convert::Into::into($value),
                )),*)?],
            }),*],
        )
    };
}

/// Asserts the structure of the captured spans: names, and what is inside what; `..` stands
/// for more.
///
/// ```
/// use lens_testkit::{Capture, assert_trace};
///
/// let cap = Capture::new();
/// cap.in_scope(|| {
///     let _checkout = lens::span!("checkout");
///     drop(lens::span!("charge"));
///     drop(lens::span!("shop.notify"));
/// });
/// assert_trace!(cap, { checkout { charge "shop.notify" } });
/// assert_trace!(cap, { checkout { charge .. } });
/// ```
///
/// # Panics
///
/// When the structure is another one.
#[macro_export]
macro_rules! assert_trace {
    ($capture:expr, { $($expected:tt)* }) => {
        $crate::__private::assert_trace(&$capture, ::core::stringify!($($expected)*))
    };
}

/// What must be inside a span.
#[derive(Debug, Default)]
struct Shape {
    children: Vec<(String, Shape)>,
    more: bool,
}

/// Asserts the structure that `expected` spells.
#[track_caller]
pub fn assert_trace(capture: &Capture, expected: &str) {
    let shape = parse(&mut words(expected).into_iter());
    if capture.snapshot().is_empty() {
        crate::attribute::fail("the capture is empty: did the code run inside the capture?");
    }
    let roots = capture
        .spans()
        .including_open()
        .filter("without a captured parent", |span| span.parent().is_none());
    let mut why = String::new();
    if !fits(&shape, &roots.to_vec(), "the top", &mut why) {
        crate::attribute::fail(&format!("{why}\n\n{}", capture.report()));
    }
}

fn fits(shape: &Shape, spans: &[Span], place: &str, why: &mut String) -> bool {
    let mut spans = spans.iter();
    for (name, below) in &shape.children {
        let found = if shape.more {
            spans.find(|span| span.name() == name)
        } else {
            spans.next()
        };
        match found {
            Some(span) if span.name() == name => {
                if !fits(
                    below,
                    &span.children().including_open().to_vec(),
                    &format!("{name:?}"),
                    why,
                ) {
                    return false;
                }
            }
            Some(span) => {
                let _ = write!(
                    why,
                    "at {place}: expected span {name:?}, found {:?}",
                    span.name()
                );
                return false;
            }
            None => {
                let _ = write!(why, "at {place}: expected span {name:?}, found none");
                return false;
            }
        }
    }
    match spans.next() {
        Some(span) if !shape.more => {
            let _ = write!(
                why,
                "at {place}: expected no more spans, found {:?}",
                span.name()
            );
            false
        }
        _ => true,
    }
}

/// Names, braces and `..`; a name in quotes may hold anything but quotes.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in text.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            let spaced = part
                .replace('{', " { ")
                .replace('}', " } ")
                .replace(',', " ");
            words.extend(spaced.split_whitespace().map(str::to_owned));
        }
    }
    words
}

fn parse(words: &mut impl Iterator<Item = String>) -> Shape {
    let mut shape = Shape::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "}" => break,
            ".." => shape.more = true,
            "{" => {
                let below = parse(words);
                if let Some((_, last)) = shape.children.last_mut() {
                    *last = below;
                }
            }
            _ => shape.children.push((word, Shape::default())),
        }
    }
    shape
}

/// A dotted key as a string: `a.b` is `"a.b"`.
#[doc(hidden)]
#[macro_export]
macro_rules! __key {
    ($first:ident $(. $rest:ident)*) => {
        ::core::concat!(::core::stringify!($first) $(, ".", ::core::stringify!($rest))*)
    };
}
