//! The requests a receiver got, and what a test asserts of them.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use super::Signal;
use crate::attribute::fail;
use crate::matchers::TextMatch;

/// One request, whatever it was answered.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Attempt {
    /// What it carried; `None` for a path that is none of OTLP's.
    pub signal: Option<Signal>,
    /// When it had arrived in full.
    pub at: Instant,
    /// The request's path and query.
    pub path: String,
    /// The request's headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as it was sent.
    pub body: Vec<u8>,
    /// How many items it carried.
    pub items: usize,
    /// Why it could not be decoded, if so.
    pub error: Option<String>,
}

impl Attempt {
    /// Returns a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        found.next().map(|(_, value)| value.as_str())
    }
}

/// The requests a receiver got, in the order they arrived.
///
/// The `assert_…` methods return the attempts for the next one.
#[derive(Clone, Debug)]
pub struct Attempts(pub(super) Vec<Attempt>);

impl std::ops::Deref for Attempts {
    type Target = [Attempt];

    fn deref(&self) -> &[Attempt] {
        &self.0
    }
}

impl IntoIterator for Attempts {
    type Item = Attempt;
    type IntoIter = std::vec::IntoIter<Attempt>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl Attempts {
    /// Those that carried `signal`.
    #[must_use]
    pub fn of(mut self, signal: Signal) -> Self {
        self.0.retain(|attempt| attempt.signal == Some(signal));
        self
    }

    /// Asserts how many there are.
    ///
    /// # Panics
    ///
    /// When there are more or fewer.
    #[track_caller]
    pub fn assert_count(&self, count: usize) -> &Self {
        if self.len() != count {
            self.fail(&format!("expected {count} attempts, found {}", self.len()));
        }
        self
    }

    /// Asserts the time between each attempt and the next.
    ///
    /// # Panics
    ///
    /// When one is shorter or longer.
    #[track_caller]
    pub fn assert_gaps(&self, bounds: RangeInclusive<Duration>) -> &Self {
        self.need(2);
        for pair in self.windows(2) {
            if let [before, after] = pair {
                let gap = after.at - before.at;
                if !bounds.contains(&gap) {
                    self.fail(&format!(
                        "expected gaps of {bounds:?}, found one of {gap:?}"
                    ));
                }
            }
        }
        self
    }

    /// Asserts that all carried the same bytes.
    ///
    /// # Panics
    ///
    /// When they did not.
    #[track_caller]
    pub fn assert_same_payload(&self) -> &Self {
        self.need(2);
        if self
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if a.body != b.body))
        {
            self.fail("expected the same payload in every attempt, found different ones");
        }
        self
    }

    /// Asserts a header of every attempt.
    ///
    /// # Panics
    ///
    /// When it is missing or does not match.
    #[track_caller]
    pub fn assert_header(&self, name: &str, value: impl Into<TextMatch>) -> &Self {
        self.need(1);
        let value = value.into();
        for attempt in self.iter() {
            match attempt.header(name) {
                Some(found) if value.matches(found) => {}
                // The value may be a secret.
                Some(_) => self.fail(&format!("header {name}: expected {value}, found another")),
                None => self.fail(&format!("header {name}: expected {value}, found none")),
            }
        }
        self
    }

    /// Asserts the size of every body as it was sent, in bytes.
    ///
    /// # Panics
    ///
    /// When one is smaller or larger.
    #[track_caller]
    pub fn assert_sizes(&self, bounds: RangeInclusive<usize>) -> &Self {
        self.need(1);
        let sizes = self.iter().map(|attempt| attempt.body.len());
        if let Some(size) = sizes.into_iter().find(|size| !bounds.contains(size)) {
            self.fail(&format!(
                "expected bodies of {bounds:?} bytes, found one of {size}"
            ));
        }
        self
    }

    /// What holds of every attempt says nothing where there are none.
    #[track_caller]
    fn need(&self, count: usize) {
        if self.len() < count {
            self.fail(&format!(
                "expected at least {count} attempts to look at, found {}",
                self.len()
            ));
        }
    }

    #[track_caller]
    fn fail(&self, why: &str) -> ! {
        let mut text = format!("{why}\n");
        let first = self.first().map(|attempt| attempt.at);
        for attempt in self.iter() {
            let since = first.map(|first| attempt.at - first).unwrap_or_default();
            let (path, items, bytes) = (&attempt.path, attempt.items, attempt.body.len());
            text.push_str(&format!(
                "  +{since:?}  {path}  {items} items, {bytes} bytes"
            ));
            if let Some(error) = &attempt.error {
                text.push_str(&format!("  {error}"));
            }
            text.push('\n');
        }
        fail(&text)
    }
}
