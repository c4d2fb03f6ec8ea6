//! The key-values of a record as typed attributes.
//!
//! An integer beyond `i64` becomes its exact decimal text; the last of a duplicate key
//! wins; an error becomes `exception.*`. A value that fails costs itself only, and one that is
//! over a limit is cut or counted.

use std::panic::{AssertUnwindSafe, catch_unwind};

use log::kv::{Error, Key, Value, VisitSource, VisitValue};
use opentelemetry::logs::AnyValue;

use super::event_name;
use super::limit::cut;
use crate::config::{LogLimits, REDACTED, Redact};
use crate::failure::Failure;
use crate::semconv::{code, event};
use crate::text::text;

/// The attributes of one record.
pub(super) struct Attributes<'r> {
    redact: &'r Redact,
    limits: LogLimits,
    pairs: Vec<(opentelemetry::Key, AnyValue)>,
    pub(super) failure: Option<Failure>,
    /// The key under which the error came.
    failure_key: String,
    pub(super) event_name: Option<&'static str>,
    /// How many keys were one too many.
    pub(super) dropped: u32,
}

/// A key, which need not be copied where it is a literal.
#[derive(Clone, Copy)]
pub(super) enum Name<'a> {
    #[cfg_attr(
        not(feature = "tracing"),
        expect(dead_code, reason = "as macros of `tracing` have them")
    )]
    Literal(&'static str),
    Given(&'a str),
}

impl Name<'_> {
    #[inline]
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Literal(name) => name,
            Self::Given(name) => name,
        }
    }
}

impl From<Name<'_>> for opentelemetry::Key {
    fn from(name: Name<'_>) -> Self {
        match name {
            Name::Literal(name) => Self::from_static_str(name),
            Name::Given(name) => name.to_owned().into(),
        }
    }
}

impl<'kvs> VisitSource<'kvs> for Attributes<'_> {
    fn visit_pair(&mut self, key: Key<'kvs>, value: Value<'kvs>) -> Result<(), Error> {
        let name = Name::Given(key.as_str());
        self.take(name, |this| match value.to_borrowed_error() {
            Some(error) if this.take_failure(name, error) => None,
            _ => typed(&value, this.redact),
        });
        Ok(())
    }
}

impl<'r> Attributes<'r> {
    #[inline]
    pub(super) fn new(redact: &'r Redact, limits: LogLimits) -> Self {
        Self {
            redact,
            limits,
            pairs: Vec::new(),
            failure: None,
            failure_key: String::new(),
            event_name: None,
            dropped: 0,
        }
    }

    /// Takes a value, unless its key says that it is to be hidden.
    ///
    /// One that panics costs itself only.
    #[inline]
    pub(super) fn take(
        &mut self,
        name: Name<'_>,
        value: impl FnOnce(&mut Self) -> Option<AnyValue>,
    ) {
        if self.redact.hides(name.as_str()) {
            return self.set(name, REDACTED.into());
        }
        let taken = catch_unwind(AssertUnwindSafe(|| value(self)));
        match taken.unwrap_or_else(|_| Some("<panic while formatting>".into())) {
            Some(AnyValue::String(text)) if event::NAMES.contains(&name.as_str()) => {
                match event_name::interned(text.as_str()) {
                    Some(text) => self.event_name = Some(text),
                    None => self.set(name, AnyValue::String(text)),
                }
            }
            Some(value) => self.set(name, value),
            None => {}
        }
    }

    /// Takes an error as the exception: the first one, or the first under a key that says so.
    /// Any other one is an attribute.
    pub(super) fn take_failure(
        &mut self,
        name: Name<'_>,
        error: &(dyn std::error::Error + 'static),
    ) -> bool {
        let key = name.as_str();
        let says_so = |key: &str| matches!(key, "err" | "error" | "e" | "exception");
        if self.failure.is_some() && (!says_so(key) || says_so(&self.failure_key)) {
            return false;
        }
        let earlier = self.failure.replace(Failure::new(error));
        let earlier_key = std::mem::replace(&mut self.failure_key, key.to_owned());
        if let Some(earlier) = earlier {
            self.set(Name::Given(&earlier_key), earlier.message.into());
        }
        true
    }

    fn set(&mut self, name: Name<'_>, value: AnyValue) {
        let is_full = self.pairs.len() >= self.limits.count;
        let mut pairs = self.pairs.iter_mut();
        match pairs.find(|(known, _)| known.as_str() == name.as_str()) {
            Some((_, known)) => *known = value,
            None if is_full => self.dropped += 1,
            None => self.pairs.push((name.into(), value)),
        }
    }

    /// Takes a field of a span, where the record says nothing of that name itself.
    pub(super) fn add_missing(&mut self, key: &opentelemetry::Key, value: &AnyValue) {
        if !self.contains(key.as_str()) {
            let name = Name::Given(key.as_str());
            self.take(name, |_| Some(value.clone()));
        }
    }

    #[inline]
    pub(super) fn contains(&self, key: &str) -> bool {
        self.pairs.iter().any(|(known, _)| known.as_str() == key)
    }

    /// The text under the first of these keys that has one.
    #[cfg(feature = "tracing")]
    pub(super) fn text_of(&self, keys: &[&str]) -> Option<String> {
        let found = |pair: &&(_, _)| keys.contains(&opentelemetry::Key::as_str(&pair.0));
        match &self.pairs.iter().find(found)?.1 {
            AnyValue::String(text) => Some(text.as_str().to_owned()),
            _ => None,
        }
    }

    /// Cuts texts that are longer than is allowed.
    #[inline]
    pub(super) fn cut(&mut self) {
        if let Some(length) = self.limits.value_length {
            self.pairs
                .iter_mut()
                .for_each(|(_, value)| cut(value, length));
        }
    }

    #[inline]
    pub(super) fn pairs(&self) -> &[(opentelemetry::Key, AnyValue)] {
        &self.pairs
    }

    pub(super) fn take_pairs(&mut self) -> Vec<(opentelemetry::Key, AnyValue)> {
        std::mem::take(&mut self.pairs)
    }

    /// Whether the program says itself where in its code this is.
    #[inline]
    pub(super) fn name_the_code(&self) -> bool {
        self.contains(code::FILE_PATH) || self.contains(code::LINE_NUMBER)
    }
}

/// The value, by its own type; nothing for `None` and unit.
fn typed(value: &Value<'_>, redact: &Redact) -> Option<AnyValue> {
    let mut typed = Typed {
        value: None,
        redact,
    };
    match value.visit(&mut typed) {
        Ok(()) => typed.value,
        Err(error) => Some(format!("<error: {error}>").into()),
    }
}

struct Typed<'r> {
    value: Option<AnyValue>,
    #[cfg_attr(
        not(feature = "structured"),
        expect(dead_code, reason = "only a structure has keys")
    )]
    redact: &'r Redact,
}

impl VisitValue<'_> for Typed<'_> {
    fn visit_any(&mut self, value: Value<'_>) -> Result<(), Error> {
        #[cfg(feature = "structured")]
        if let Some(structured) = super::structured::any_value(&value, self.redact) {
            self.value = structured;
            return Ok(());
        }
        self.value = Some(text(format_args!("{value}")).into());
        Ok(())
    }

    fn visit_null(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn visit_u64(&mut self, value: u64) -> Result<(), Error> {
        self.value = Some(integer(value));
        Ok(())
    }

    fn visit_i64(&mut self, value: i64) -> Result<(), Error> {
        self.value = Some(value.into());
        Ok(())
    }

    fn visit_u128(&mut self, value: u128) -> Result<(), Error> {
        self.value = Some(integer(value));
        Ok(())
    }

    fn visit_i128(&mut self, value: i128) -> Result<(), Error> {
        self.value = Some(integer(value));
        Ok(())
    }

    fn visit_f64(&mut self, value: f64) -> Result<(), Error> {
        self.value = Some(value.into());
        Ok(())
    }

    fn visit_bool(&mut self, value: bool) -> Result<(), Error> {
        self.value = Some(value.into());
        Ok(())
    }

    fn visit_str(&mut self, value: &str) -> Result<(), Error> {
        self.value = Some(value.to_owned().into());
        Ok(())
    }
}

pub(super) fn integer<N: TryInto<i64> + Copy + ToString>(value: N) -> AnyValue {
    match value.try_into() {
        Ok(value) => AnyValue::Int(value),
        Err(_) => value.to_string().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use log::kv::{Source, ToValue};

    fn attributes(pairs: &[(&str, Value<'_>)]) -> Attributes<'static> {
        let redact = Box::leak(Box::new(Redact::default()));
        let limits = LogLimits {
            count: 3,
            value_length: Some(5),
        };
        let mut attributes = Attributes::new(redact, limits);
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(key, value)| (*key, value.clone()))
            .collect();
        pairs.visit(&mut attributes).unwrap();
        attributes
    }

    fn one(value: impl ToValue) -> Option<AnyValue> {
        let mut found = attributes(&[("k", value.to_value())]);
        found.pairs.pop().map(|(_, value)| value)
    }

    // https://github.com/open-telemetry/opentelemetry-rust/pull/2795 (KV-01)
    #[test]
    fn integers_stay_integers_or_become_exact_text() {
        assert_eq!(one(255_u8), Some(AnyValue::Int(255)));
        assert_eq!(one(i64::MIN), Some(AnyValue::Int(i64::MIN)));
        assert_eq!(one(u64::MAX), Some("18446744073709551615".into()));
        assert_eq!(one(i128::MIN), Some(i128::MIN.to_string().into()));
        assert_eq!(one(u128::MAX), Some(u128::MAX.to_string().into()));
    }

    #[test]
    fn other_scalars_keep_their_type() {
        assert_eq!(one(1.5_f32), Some(AnyValue::Double(1.5)));
        assert_eq!(one(true), Some(AnyValue::Boolean(true)));
        assert_eq!(one('c'), Some("c".into()));
        assert_eq!(one("text"), Some("text".into()));
        assert_eq!(one(None::<u8>), None);
        assert!(matches!(one(f64::NAN), Some(AnyValue::Double(value)) if value.is_nan()));
    }

    #[test]
    fn the_last_of_a_duplicate_key_wins() {
        let found = attributes(&[
            ("a", 1.to_value()),
            ("b", 2.to_value()),
            ("a", 3.to_value()),
        ]);
        assert_eq!(
            found.pairs,
            [
                ("a".into(), AnyValue::Int(3)),
                ("b".into(), AnyValue::Int(2))
            ]
        );
    }

    #[test]
    fn an_error_becomes_the_exception_and_the_best_named_one_wins() {
        let (io, fmt) = (std::io::Error::other("disk"), std::fmt::Error);
        let found = attributes(&[
            ("cause", Value::from_dyn_error(&io)),
            ("err", Value::from_dyn_error(&fmt)),
        ]);
        assert_eq!(found.failure.unwrap().message, fmt.to_string());
    }

    #[test]
    fn what_is_over_a_limit_is_cut_in_characters_or_counted() {
        let mut found = attributes(&[
            ("a", "żółć, gęślą".to_value()),
            ("b", 2.to_value()),
            ("b", 3.to_value()),
            ("c", 4.to_value()),
            ("d", 5.to_value()),
            ("a", "żółć, jaźń".to_value()),
            ("e", 6.to_value()),
        ]);
        assert_eq!(found.dropped, 2);
        found.cut();
        assert_eq!(
            found.take_pairs(),
            [
                ("a".into(), "żółć,".into()),
                ("b".into(), AnyValue::Int(3)),
                ("c".into(), AnyValue::Int(4))
            ]
        );
    }

    #[test]
    fn the_name_of_an_event_is_no_attribute() {
        let found = attributes(&[("event.name", "job.started".to_value())]);
        assert_eq!(found.event_name, Some("job.started"));
        assert!(!found.contains("event.name"));
    }
}
