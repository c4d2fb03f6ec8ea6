//! What carries a context from one process to the next, and how it gets in and out.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;

use opentelemetry::propagation::{Extractor, Injector};
use opentelemetry::{Context, global};

use crate::context::{has_context, says_anything};

/// Something a context can be read from: the headers of a request, the properties of a message.
///
/// String maps and lists of pairs are carriers, `http::HeaderMap` with the feature `http` and
/// tonic's metadata with the feature `tonic`; a type of your own can be one:
///
/// ```
/// struct Message { headers: Vec<(String, String)> }
///
/// impl lens::Carrier for Message {
///     fn values_of(&self, name: &str) -> Vec<&str> {
///         self.headers.values_of(name)
///     }
/// }
/// ```
pub trait Carrier {
    /// Returns what stands under `name`, which is in lower case; in the carrier any case will do.
    fn values_of(&self, name: &str) -> Vec<&str>;

    /// Returns all names. For propagators of other makes; those of lens ask for what they know.
    fn names(&self) -> Vec<&str> {
        Vec::new()
    }
}

/// Something a context can be written to; see [`Carrier`].
pub trait CarrierMut {
    /// Sets what stands under `name`, in place of what stood there in any case.
    fn set(&mut self, name: &str, value: String);

    /// Takes away what stands under `name` in any case.
    fn remove(&mut self, name: &str);
}

/// Reads the context that another process wrote into `carrier`.
///
/// It is that of nobody else: without a valid one in the carrier it is empty, whatever is active
/// here, and a span whose [`parent`](macro@crate::trace#arguments) it is begins a trace.
///
/// ```
/// # struct Message { headers: std::collections::HashMap<String, String> }
/// # let messages: Vec<Message> = vec![];
/// for message in messages {
///     let parent = lens::extract(&message.headers);
///     let _span = lens::span!("process", kind = "consumer", parent = parent);
///     log::info!("in the trace of whoever sent it");
/// }
/// ```
///
/// In which headers it stands is a setting,
/// [`Builder::propagators`](crate::Builder::propagators); by default those of the W3C,
/// [`traceparent`](https://www.w3.org/TR/trace-context/) and [`baggage`](https://www.w3.org/TR/baggage/),
/// as soon as lens was started, also where it is off. Never fails; what is malformed or too large
/// (8 KiB for each header) is left out.
pub fn extract<C: Carrier + ?Sized>(carrier: &C) -> Context {
    global::get_text_map_propagator(|propagator| {
        propagator.extract_with_context(&Context::new(), &Readable(carrier))
    })
}

/// Writes the current context into `carrier`, for the process that reads it.
///
/// ```
/// let mut headers = std::collections::HashMap::new();
/// let _span = lens::span!("request", kind = "client");
/// lens::inject(&mut headers);
/// ```
///
/// What stood there of another context goes. Where neither a span nor baggage is current, nothing is
/// written and nothing goes. In async code it goes inside the future that the span is in.
pub fn inject<C: CarrierMut + ?Sized>(carrier: &mut C) {
    if has_context() {
        inject_context(&Context::current(), carrier);
    }
}

/// Writes `context` into `carrier`, for code that keeps contexts itself.
///
/// ```
/// use std::collections::HashMap;
/// let parent = lens::extract(&HashMap::<String, String>::new());
/// lens::inject_context(&parent, &mut HashMap::new());
/// ```
pub fn inject_context<C: CarrierMut + ?Sized>(context: &Context, carrier: &mut C) {
    if !says_anything(context) {
        return;
    }
    global::get_text_map_propagator(|propagator| {
        // What of it is not written anew would be another context's.
        propagator.fields().for_each(|name| carrier.remove(name));
        propagator.inject_context(context, &mut Writable(carrier));
    });
}

/// A carrier as OpenTelemetry's propagators want it.
struct Readable<'a, C: ?Sized>(&'a C);

impl<C: Carrier + ?Sized> Extractor for Readable<'_, C> {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.values_of(name).first().copied()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.names()
    }

    fn get_all(&self, name: &str) -> Option<Vec<&str>> {
        Some(self.0.values_of(name)).filter(|values| !values.is_empty())
    }
}

struct Writable<'a, C: ?Sized>(&'a mut C);

impl<C: CarrierMut + ?Sized> Injector for Writable<'_, C> {
    fn set(&mut self, name: &str, value: String) {
        self.0.set(name, value);
    }
}

/// The values of the pairs that have this name in some case.
fn named<'a, K: AsRef<str> + 'a, V: AsRef<str> + 'a>(
    pairs: impl Iterator<Item = (&'a K, &'a V)>,
    name: &str,
) -> Vec<&'a str> {
    pairs
        .filter(|(key, _)| key.as_ref().eq_ignore_ascii_case(name))
        .map(|(_, value)| value.as_ref())
        .collect()
}

impl<K: AsRef<str>, V: AsRef<str>, S> Carrier for HashMap<K, V, S> {
    fn values_of(&self, name: &str) -> Vec<&str> {
        named(self.iter(), name)
    }

    fn names(&self) -> Vec<&str> {
        self.keys().map(K::as_ref).collect()
    }
}

impl<K: AsRef<str>, V: AsRef<str>> Carrier for BTreeMap<K, V> {
    fn values_of(&self, name: &str) -> Vec<&str> {
        named(self.iter(), name)
    }

    fn names(&self) -> Vec<&str> {
        self.keys().map(K::as_ref).collect()
    }
}

impl<K: AsRef<str>, V: AsRef<str>> Carrier for [(K, V)] {
    fn values_of(&self, name: &str) -> Vec<&str> {
        named(self.iter().map(|(key, value)| (key, value)), name)
    }

    fn names(&self) -> Vec<&str> {
        self.iter().map(|(key, _)| key.as_ref()).collect()
    }
}

impl<K: AsRef<str>, V: AsRef<str>, const N: usize> Carrier for [(K, V); N] {
    fn values_of(&self, name: &str) -> Vec<&str> {
        self.as_slice().values_of(name)
    }

    fn names(&self) -> Vec<&str> {
        self.as_slice().names()
    }
}

impl<K: AsRef<str>, V: AsRef<str>> Carrier for Vec<(K, V)> {
    fn values_of(&self, name: &str) -> Vec<&str> {
        self.as_slice().values_of(name)
    }

    fn names(&self) -> Vec<&str> {
        self.as_slice().names()
    }
}

impl<S: BuildHasher> CarrierMut for HashMap<String, String, S> {
    fn set(&mut self, name: &str, value: String) {
        CarrierMut::remove(self, name);
        self.insert(name.to_owned(), value);
    }

    fn remove(&mut self, name: &str) {
        self.retain(|key, _| !key.eq_ignore_ascii_case(name));
    }
}

impl CarrierMut for BTreeMap<String, String> {
    fn set(&mut self, name: &str, value: String) {
        CarrierMut::remove(self, name);
        self.insert(name.to_owned(), value);
    }

    fn remove(&mut self, name: &str) {
        self.retain(|key, _| !key.eq_ignore_ascii_case(name));
    }
}

impl CarrierMut for Vec<(String, String)> {
    fn set(&mut self, name: &str, value: String) {
        CarrierMut::remove(self, name);
        self.push((name.to_owned(), value));
    }

    fn remove(&mut self, name: &str) {
        self.retain(|(key, _)| !key.eq_ignore_ascii_case(name));
    }
}

#[cfg(feature = "http")]
impl Carrier for http::HeaderMap {
    fn values_of(&self, name: &str) -> Vec<&str> {
        let values = self.get_all(name).iter();
        values.filter_map(|value| value.to_str().ok()).collect()
    }

    fn names(&self) -> Vec<&str> {
        self.keys().map(http::HeaderName::as_str).collect()
    }
}

#[cfg(feature = "http")]
impl CarrierMut for http::HeaderMap {
    fn set(&mut self, name: &str, value: String) {
        if let (Ok(name), Ok(value)) = (name.parse::<http::HeaderName>(), value.try_into()) {
            // A map that is full to its limit takes nothing more.
            let _ = self.try_insert(name, value);
        }
    }

    fn remove(&mut self, name: &str) {
        http::HeaderMap::remove(self, name);
    }
}

#[cfg(feature = "tonic")]
impl Carrier for tonic::metadata::MetadataMap {
    fn values_of(&self, name: &str) -> Vec<&str> {
        let values = self.get_all(name).iter();
        values.filter_map(|value| value.to_str().ok()).collect()
    }

    fn names(&self) -> Vec<&str> {
        let names = self.keys().filter_map(|key| match key {
            tonic::metadata::KeyRef::Ascii(key) => Some(key.as_str()),
            tonic::metadata::KeyRef::Binary(_) => None,
        });
        names.collect()
    }
}

#[cfg(feature = "tonic")]
impl CarrierMut for tonic::metadata::MetadataMap {
    fn set(&mut self, name: &str, value: String) {
        let name = tonic::metadata::AsciiMetadataKey::from_bytes(name.as_bytes());
        if let (Ok(name), Ok(value)) = (name, value.try_into()) {
            self.insert(name, value);
        }
    }

    fn remove(&mut self, name: &str) {
        tonic::metadata::MetadataMap::remove(self, name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_in_any_case_and_replaced_in_any() {
        let mut map = HashMap::from([("X-Id".to_owned(), "1".to_owned())]);
        let mut tree: BTreeMap<_, _> = map.clone().into_iter().collect();
        let mut list: Vec<_> = map.clone().into_iter().collect();
        assert_eq!(
            (map.values_of("x-id"), tree.values_of("x-id")),
            (vec!["1"], vec!["1"])
        );
        assert_eq!([("X-ID", "1"), ("x-id", "2")].values_of("x-id"), ["1", "2"]);
        for carrier in [&mut map as &mut dyn CarrierMut, &mut tree, &mut list] {
            carrier.set("x-id", "3".to_owned());
        }
        let expected = ("x-id".to_owned(), "3".to_owned());
        assert!(map.into_iter().eq([expected.clone()]));
        assert!(tree.into_iter().eq([expected.clone()]));
        assert_eq!(list, [expected]);
    }

    #[cfg(feature = "http")]
    #[test]
    fn headers_are_a_carrier() {
        let mut headers = http::HeaderMap::new();
        headers.append("X-Id", http::HeaderValue::from_static("1"));
        headers.append("x-id", http::HeaderValue::from_static("2"));
        assert_eq!(headers.values_of("x-id"), ["1", "2"]);
        assert_eq!(headers.names(), ["x-id"]);
        headers.set("x-id", "3".to_owned());
        headers.set("no name", "4".to_owned());
        headers.set("x-other", "no\nvalue".to_owned());
        assert_eq!(headers.values_of("x-id"), ["3"]);
        assert_eq!(headers.len(), 1);
    }

    #[cfg(feature = "tonic")]
    #[test]
    fn metadata_is_a_carrier() {
        let mut metadata = tonic::metadata::MetadataMap::new();
        metadata.append(
            "x-id",
            tonic::metadata::AsciiMetadataValue::from_static("1"),
        );
        metadata.append(
            "x-id",
            tonic::metadata::AsciiMetadataValue::from_static("2"),
        );
        assert_eq!(metadata.values_of("x-id"), ["1", "2"]);
        assert_eq!(metadata.names(), ["x-id"]);
        metadata.set("x-id", "3".to_owned());
        metadata.set("no name", "4".to_owned());
        metadata.set("x-other", "no\nvalue".to_owned());
        assert_eq!(metadata.values_of("x-id"), ["3"]);
        assert_eq!(metadata.len(), 1);
    }
}
