//! The key-values of a record as typed attributes.
//!
//! An integer beyond `i64` becomes its exact decimal text; the last of a duplicate key
//! wins; an error becomes `exception.*`. A value that fails costs itself only.

use log::kv::{Error, Key, Value, VisitSource, VisitValue};
use opentelemetry::logs::AnyValue;

use crate::config::{REDACTED, Redact};
use crate::failure::Failure;
use crate::text::text;

/// The attributes of one record.
pub(super) struct Attributes<'r> {
    redact: &'r Redact,
    pub(super) pairs: Vec<(opentelemetry::Key, AnyValue)>,
    pub(super) failure: Option<Failure>,
    /// Whether the error came under a key that says so.
    named: bool,
}

impl<'kvs> VisitSource<'kvs> for Attributes<'_> {
    fn visit_pair(&mut self, key: Key<'kvs>, value: Value<'kvs>) -> Result<(), Error> {
        if self.redact.hides(key.as_str()) {
            self.set(key.as_str(), REDACTED.into());
            return Ok(());
        }
        if let Some(error) = value.to_borrowed_error() {
            let named = matches!(key.as_str(), "err" | "error" | "e" | "exception");
            if self.failure.is_none() || (named && !self.named) {
                let replaced = self.failure.replace(Failure::new(error));
                self.named = named;
                if replaced.is_none() {
                    return Ok(());
                }
            }
        }
        let mut typed = Typed(None);
        let value = match value.visit(&mut typed) {
            Ok(()) => typed.0,
            Err(error) => Some(format!("<error: {error}>").into()),
        };
        if let Some(value) = value {
            self.set(key.as_str(), value);
        }
        Ok(())
    }
}

impl<'r> Attributes<'r> {
    pub(super) fn new(redact: &'r Redact) -> Self {
        Self {
            redact,
            pairs: Vec::new(),
            failure: None,
            named: false,
        }
    }

    fn set(&mut self, key: &str, value: AnyValue) {
        match self
            .pairs
            .iter_mut()
            .find(|(known, _)| known.as_str() == key)
        {
            Some((_, known)) => *known = value,
            None => self.pairs.push((key.to_owned().into(), value)),
        }
    }

    pub(super) fn contains(&self, key: &str) -> bool {
        self.pairs.iter().any(|(known, _)| known.as_str() == key)
    }
}

/// The value, by its own type; nothing for `None` and unit.
struct Typed(Option<AnyValue>);

impl VisitValue<'_> for Typed {
    fn visit_any(&mut self, value: Value<'_>) -> Result<(), Error> {
        self.0 = Some(text(format_args!("{value}")).into());
        Ok(())
    }

    fn visit_null(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn visit_u64(&mut self, value: u64) -> Result<(), Error> {
        self.0 = Some(integer(value));
        Ok(())
    }

    fn visit_i64(&mut self, value: i64) -> Result<(), Error> {
        self.0 = Some(value.into());
        Ok(())
    }

    fn visit_u128(&mut self, value: u128) -> Result<(), Error> {
        self.0 = Some(integer(value));
        Ok(())
    }

    fn visit_i128(&mut self, value: i128) -> Result<(), Error> {
        self.0 = Some(integer(value));
        Ok(())
    }

    fn visit_f64(&mut self, value: f64) -> Result<(), Error> {
        self.0 = Some(value.into());
        Ok(())
    }

    fn visit_bool(&mut self, value: bool) -> Result<(), Error> {
        self.0 = Some(value.into());
        Ok(())
    }

    fn visit_str(&mut self, value: &str) -> Result<(), Error> {
        self.0 = Some(value.to_owned().into());
        Ok(())
    }
}

fn integer<N: TryInto<i64> + Copy + ToString>(value: N) -> AnyValue {
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
        let mut attributes = Attributes::new(redact);
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
}
