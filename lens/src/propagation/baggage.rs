//! The header `baggage`.
//!
//! <https://www.w3.org/TR/baggage/>. The SDK's propagator cuts values at a second `=`, and
//! changes those that have a `%`.

use std::fmt::Write as _;

use opentelemetry::Context;
use opentelemetry::baggage::{BaggageExt, KeyValueMetadata};
use opentelemetry::propagation::text_map_propagator::FieldIter;
use opentelemetry::propagation::{Extractor, Injector, TextMapPropagator};

use super::lines::joined;
use crate::config::percent_decoded_bytes;

const NAME: &str = "baggage";

/// How much is read and written. <https://www.w3.org/TR/baggage/#limits>
const MEMBERS: usize = 64;
const BYTES: usize = 8192;

/// The propagator.
#[derive(Debug)]
pub(super) struct Baggage {
    fields: [String; 1],
}

impl Baggage {
    pub(super) fn new() -> Self {
        Self {
            fields: [NAME.to_owned()],
        }
    }
}

impl TextMapPropagator for Baggage {
    fn inject_context(&self, context: &Context, injector: &mut dyn Injector) {
        let baggage = context.baggage();
        let mut members: Vec<_> = (baggage.iter())
            .map(|(key, (value, metadata))| member(key.as_str(), value.as_str(), metadata.as_str()))
            .collect();
        members.sort_unstable();
        let mut header = String::new();
        for member in members {
            // What is too much goes as a whole.
            if header.len() + member.len() < BYTES {
                if !header.is_empty() {
                    header.push(',');
                }
                header.push_str(&member);
            }
        }
        if !header.is_empty() {
            injector.set(NAME, header);
        }
    }

    fn extract_with_context(&self, context: &Context, extractor: &dyn Extractor) -> Context {
        let Some(header) = joined(extractor, NAME, BYTES) else {
            return context.clone();
        };
        let members: Vec<_> = header.split(',').filter_map(parse).take(MEMBERS).collect();
        if members.is_empty() {
            return context.clone();
        }
        context.with_baggage(members)
    }

    fn fields(&self) -> FieldIter<'_> {
        FieldIter::new(&self.fields)
    }
}

/// `key=value;property;property`
fn parse(member: &str) -> Option<KeyValueMetadata> {
    let (pair, properties) = member.split_once(';').unwrap_or((member, ""));
    let (key, value) = pair.split_once('=')?;
    // What is no text is replaced.
    let (value, _) = percent_decoded_bytes(value.trim());
    let value = String::from_utf8_lossy(&value).into_owned();
    // Whether the key is one is looked at by who keeps it.
    let (key, properties) = (key.trim().to_owned(), properties.trim().to_owned());
    Some(KeyValueMetadata::new(key, value, properties))
}

fn member(key: &str, value: &str, properties: &str) -> String {
    let mut member = format!("{key}=");
    for byte in value.bytes() {
        if is_octet(byte) && byte != b'%' {
            member.push(char::from(byte));
        } else {
            let _ = write!(member, "%{byte:02X}");
        }
    }
    let may_stand = |byte| is_octet(byte) || matches!(byte, b';' | b' ' | b'\t');
    if !properties.is_empty() && properties.bytes().all(may_stand) {
        member.push(';');
        member.push_str(properties);
    }
    member
}

/// <https://www.w3.org/TR/baggage/#value>
fn is_octet(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'"' | b',' | b';' | b'\\')
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn read(header: &str) -> Context {
        let headers = HashMap::from([(NAME.to_owned(), header.to_owned())]);
        Baggage::new().extract_with_context(&Context::new(), &headers)
    }

    fn written(context: &Context) -> String {
        let mut headers: HashMap<String, String> = HashMap::new();
        Baggage::new().inject_context(context, &mut headers);
        headers.remove(NAME).unwrap_or_default()
    }

    #[test]
    fn values_are_decoded_and_encoded_again() {
        for (header, value) in [
            ("k=v", "v"),
            (" k = v ", "v"),
            ("k=a=b", "a=b"),
            ("k=50%25", "50%"),
            ("k=%E2%82%AC%2C%3B%20", "€,; "),
            ("k=100%", "100%"),
            ("k=%zz%4", "%zz%4"),
            ("k=%FF", "\u{fffd}"),
            ("k=", ""),
        ] {
            let context = read(header);
            let found = context.baggage().get("k").map(|value| value.as_str());
            assert_eq!(found, Some(value), "{header}");
            let again = read(&written(&context));
            assert_eq!(
                again.baggage().get("k").map(|value| value.as_str()),
                Some(value)
            );
        }
        assert_eq!(written(&read("b=2;p=1;q, a=1")), "a=1,b=2;p=1;q");
    }

    #[test]
    fn what_is_malformed_or_too_much_is_left_out() {
        let long = format!("k={}", "x".repeat(8192));
        let spaces = format!("k={}", "%20".repeat(2700));
        for bad in ["", ",", "k", "=v", "ü=v", "a b=v", "(=v", &long] {
            assert_eq!(written(&read(bad)), "", "{bad:.99}");
        }
        assert_eq!(written(&read("ü=v,k=v,x")), "k=v");
        assert_eq!(written(&read(&spaces)), spaces);
        let many: Vec<_> = (0..100).map(|i| format!("k{i}=v")).collect();
        assert_eq!(read(&many.join(",")).baggage().len(), MEMBERS);
        let large = Context::new().with_baggage([
            KeyValueMetadata::new("a", "ü".repeat(2000), ""),
            KeyValueMetadata::new("b", "2", ""),
        ]);
        assert_eq!(written(&large), "b=2");
        let forged = [KeyValueMetadata::new("k", "v\r\nx: y,z=1", ";a,b=c")];
        assert_eq!(
            written(&Context::new().with_baggage(forged)),
            "k=v%0D%0Ax:%20y%2Cz=1"
        );
    }
}
