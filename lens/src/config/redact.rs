//! Which attributes are secrets, by their keys.
//!
//! One rule for log records and spans, applied before anything is queued.

use std::sync::Arc;

use opentelemetry::{KeyValue, Value};
use opentelemetry_sdk::trace::SpanData;

/// What stands in place of a secret.
pub(crate) const REDACTED: &str = "[redacted]";

/// The keys that are secrets unless somebody says otherwise.
const DEFAULT: [&str; 20] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "client_secret",
    "token",
    "access_token",
    "refresh_token",
    "id_token",
    "session_token",
    "authorization",
    "proxy_authorization",
    "api_key",
    "apikey",
    "x_api_key",
    "private_key",
    "secret_key",
    "credentials",
    "cookie",
    "set_cookie",
];

/// The keys whose values do not leave.
#[derive(Clone, Debug)]
pub(crate) struct Redact {
    keys: Arc<[String]>,
    /// What the keys end with, a bit for each: few others end so.
    ends: u32,
}

impl Default for Redact {
    fn default() -> Self {
        Self::new(DEFAULT.iter().copied())
    }
}

impl Redact {
    /// Reads `off`, keys in place of the default ones, or `+` and keys beside them.
    pub(crate) fn parse(text: &str) -> Self {
        let (beside, text) = match text.trim().strip_prefix('+') {
            Some(rest) => (&DEFAULT[..], rest),
            None => (&[][..], text),
        };
        let own = text.split(',').map(str::trim);
        let own = own.filter(|key| !key.is_empty() && !key.eq_ignore_ascii_case("off"));
        Self::new(beside.iter().copied().chain(own))
    }

    fn new<'a>(keys: impl Iterator<Item = &'a str>) -> Self {
        let keys: Arc<[String]> = keys.map(str::to_owned).collect();
        let ends = keys.iter().fold(0, |ends, key| ends | end(key));
        Self { keys, ends }
    }

    /// Whether the value of `key` is a secret: a listed key, or one that ends with a dot and
    /// a listed key; in any case, with `-` as good as `_`.
    pub(crate) fn hides(&self, key: &str) -> bool {
        self.ends & end(key) != 0
            && self.keys.iter().any(|secret| {
                let Some(start) = key.len().checked_sub(secret.len()) else {
                    return false;
                };
                let begins = start == 0 || key.as_bytes().get(start - 1) == Some(&b'.');
                begins
                    && key
                        .as_bytes()
                        .get(start..)
                        .is_some_and(|end| is_same(end, secret))
            })
    }

    /// Replaces the secrets of a span, of its events and of its links.
    pub(crate) fn span(&self, span: &mut SpanData) {
        self.all(&mut span.attributes);
        for event in &mut span.events.events {
            self.all(&mut event.attributes);
        }
        for link in &mut span.links.links {
            self.all(&mut link.attributes);
        }
    }

    fn all(&self, attributes: &mut [KeyValue]) {
        for attribute in attributes {
            if self.hides(attribute.key.as_str()) {
                attribute.value = Value::from(REDACTED);
            }
        }
    }
}

fn is_same(key: &[u8], secret: &str) -> bool {
    key.iter()
        .map(normal)
        .eq(secret.as_bytes().iter().map(normal))
}

/// A bit for what the key ends with.
fn end(key: &str) -> u32 {
    let last = key.as_bytes().last().map_or(0, normal);
    1 << (last % 32)
}

fn normal(byte: &u8) -> u8 {
    match byte {
        b'-' => b'_',
        byte => byte.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_keys_in_any_form() {
        let redact = Redact::default();
        for key in [
            "password",
            "Password",
            "db.password",
            "http.request.header.Authorization",
            "x-api-key",
            "Set-Cookie",
            "a.b.api-key",
        ] {
            assert!(redact.hides(key), "{key}");
        }
        for key in [
            "passwords",
            "my_password",
            "password.length",
            "tokens",
            "",
            ".",
        ] {
            assert!(!redact.hides(key), "{key}");
        }
    }

    #[test]
    fn the_list_is_replaced_extended_or_off() {
        let hides = |text: &str, key: &str| Redact::parse(text).hides(key);
        assert!(hides("session, card.number", "user.card.number"));
        assert!(!hides("session", "password"));
        assert!(hides("+session", "password") && hides("+session", "session"));
        assert!(!hides("off", "password") && !hides("off", "off"));
    }
}
