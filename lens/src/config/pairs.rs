//! Keys and values in one text: of headers, and of resource attributes.

use http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

/// Parses `key=value,key2=value2`; what is malformed is left out and named in `complain`,
/// without its value.
///
/// <https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables>
pub(super) fn parse_headers(text: &str, mut complain: impl FnMut(String)) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (index, pair) in text.split(',').enumerate() {
        if pair.trim().is_empty() {
            continue;
        }
        let header = pair
            .split_once('=')
            .map(|(key, value)| (key.trim(), value.trim()));
        let Some((key, value)) = header.filter(|(key, value)| !key.is_empty() && !value.is_empty())
        else {
            complain(format!("entry {} is not a key=value pair", index + 1));
            continue;
        };
        let Ok(name) = key.parse::<HeaderName>() else {
            complain(format!(
                "the key of entry {} is not a header name",
                index + 1
            ));
            continue;
        };
        let value = percent_decoded(value).and_then(|value| HeaderValue::try_from(value).ok());
        let Some(mut value) = value else {
            complain(format!("the value of {name:?} cannot be decoded"));
            continue;
        };
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    headers
}

/// Adds the credentials of a URL, unless a header already gave some.
pub(super) fn with_authorization(mut headers: HeaderMap, value: Option<HeaderValue>) -> HeaderMap {
    if let Some(value) = value {
        headers.entry(AUTHORIZATION).or_insert(value);
    }
    headers
}

/// Parses `key=value,key2=value2` of `OTEL_RESOURCE_ATTRIBUTES`; both are percent-decoded.
///
/// A value may have an `=` in it, which ought to be encoded and often is not.
///
/// # Errors
///
/// What is wrong with the first entry that is malformed; then none of them counts.
///
/// <https://opentelemetry.io/docs/specs/otel/resource/sdk/#specifying-resource-information-via-an-environment-variable>
pub(super) fn parse_attributes(text: &str) -> Result<Vec<(String, String)>, String> {
    let entries = text.split(',').enumerate();
    let entries = entries.filter(|(_, entry)| !entry.trim().is_empty());
    let parsed = entries.map(|(index, entry)| {
        let pair = entry.split_once('=');
        let (key, value) = pair.ok_or_else(|| format!("entry {} has no `=`", index + 1))?;
        let decoded = |text: &str| percent_decoded(text.trim());
        let key = decoded(key).filter(|key| !key.is_empty());
        let key = key.ok_or_else(|| format!("entry {} has no valid key", index + 1))?;
        let value = decoded(value);
        let value = value.ok_or_else(|| format!("the value of {key:?} cannot be decoded"))?;
        Ok((key, value))
    });
    parsed.collect()
}

/// Decodes a text all of whose percent signs begin a code.
pub(crate) fn percent_decoded(text: &str) -> Option<String> {
    let (bytes, is_well_formed) = percent_decoded_bytes(text);
    is_well_formed.then(|| String::from_utf8(bytes).ok())?
}

/// Decodes what is encoded, and leaves what is not; with whether every percent sign began a code.
pub(crate) fn percent_decoded_bytes(text: &str) -> (Vec<u8>, bool) {
    let (mut decoded, mut is_well_formed) = (Vec::with_capacity(text.len()), true);
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        let code = match after {
            [high, low, ..] if *byte == b'%' => code(*high, *low),
            _ => None,
        };
        is_well_formed &= *byte != b'%' || code.is_some();
        decoded.push(code.unwrap_or(*byte));
        rest = after.get(code.map_or(0, |_| 2)..).unwrap_or_default();
    }
    (decoded, is_well_formed)
}

/// The byte that two hexadecimal digits stand for.
fn code(high: u8, low: u8) -> Option<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    // https://github.com/open-telemetry/opentelemetry-rust/issues/1577 (CFG-02)
    #[test]
    fn headers_are_split_before_they_are_decoded() {
        let mut complaints = Vec::new();
        let headers = parse_headers(
            "authorization=Basic%20dXNlcjpwYXNz%3D%3D,raw=Basic AAA==,k=a%2Cb, e = 5 ,c,=d,f=%zz,ü=1,",
            |complaint| complaints.push(complaint),
        );
        let get = |name: &str| headers.get(name).map(|value| value.to_str().unwrap());
        assert_eq!(get("authorization"), Some("Basic dXNlcjpwYXNz=="));
        assert_eq!(get("raw"), Some("Basic AAA=="));
        assert_eq!((get("k"), get("e")), (Some("a,b"), Some("5")));
        assert_eq!((headers.len(), complaints.len()), (4, 4));
    }
}
