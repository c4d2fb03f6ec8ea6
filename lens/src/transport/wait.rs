//! How long a receiver wants to be left alone, by its answer.

use std::time::{Duration, SystemTime};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use hyper::HeaderMap;
use hyper::header::{DATE, RETRY_AFTER};
use prost::Message;

/// `Retry-After`: seconds, or a date, of which one that has passed is no time.
///
/// A date is seen from the receiver's clock where that is told, and else from `now`.
///
/// <https://www.rfc-editor.org/rfc/rfc9110#field.retry-after>
pub(super) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    let told = headers.get(DATE).and_then(|told| told.to_str().ok());
    let told = told.and_then(|told| httpdate::parse_http_date(told).ok());
    let now = told.unwrap_or(now);
    Some(date.duration_since(now).unwrap_or_default())
}

/// `RetryInfo` in the details of a gRPC status.
///
/// <https://opentelemetry.io/docs/specs/otlp/#otlpgrpc-throttling>
pub(super) fn retry_info(trailers: &HeaderMap) -> Option<Duration> {
    // Whether there is padding at the end is up to the sender.
    const CONFIG: GeneralPurposeConfig =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let details = trailers.get("grpc-status-details-bin")?;
    let details = GeneralPurpose::new(&STANDARD, CONFIG)
        .decode(details)
        .ok()?;
    let status = Status::decode(&details[..]).ok()?;
    let info = (status.details.iter())
        .find(|detail| detail.type_url.ends_with("/google.rpc.RetryInfo"))?;
    let delay = RetryInfo::decode(&info.value[..])
        .ok()?
        .delay
        .unwrap_or_default();
    let seconds = u64::try_from(delay.seconds).unwrap_or(0);
    Some(Duration::new(
        seconds,
        u32::try_from(delay.nanos).unwrap_or(0),
    ))
}

/// `google.rpc.Status`, as much of it as is read here.
///
/// <https://github.com/googleapis/googleapis/blob/master/google/rpc/status.proto>
#[derive(Clone, PartialEq, Message)]
struct Status {
    #[prost(message, repeated, tag = "3")]
    details: Vec<Any>,
}

#[derive(Clone, PartialEq, Message)]
struct Any {
    #[prost(string, tag = "1")]
    type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    value: Vec<u8>,
}

/// <https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto>
#[derive(Clone, PartialEq, Message)]
struct RetryInfo {
    #[prost(message, optional, tag = "1")]
    delay: Option<Delay>,
}

/// `google.protobuf.Duration`
#[derive(Clone, PartialEq, Message)]
struct Delay {
    #[prost(int64, tag = "1")]
    seconds: i64,
    #[prost(int32, tag = "2")]
    nanos: i32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_says_it_in_seconds_or_by_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        let of = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, value.parse().unwrap());
            retry_after(&headers, now)
        };
        assert_eq!(of("120"), Some(Duration::from_secs(120)));
        assert_eq!(of(" 0 "), Some(Duration::ZERO));
        assert_eq!(
            of("Sun, 06 Nov 1994 08:49:39 GMT"),
            Some(Duration::from_secs(2))
        );
        assert_eq!(of("Sun, 06 Nov 1994 08:49:30 GMT"), Some(Duration::ZERO));
        for other in ["soon", "-1", "1.5", ""] {
            assert_eq!(of(other), None, "{other}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), now), None);
        // Its clock is a day late.
        let mut headers = HeaderMap::new();
        headers.insert(DATE, "Sat, 05 Nov 1994 08:49:30 GMT".parse().unwrap());
        headers.insert(
            RETRY_AFTER,
            "Sat, 05 Nov 1994 08:49:37 GMT".parse().unwrap(),
        );
        assert_eq!(retry_after(&headers, now), Some(Duration::from_secs(7)));
    }

    #[test]
    fn details_of_a_status_may_be_anything() {
        let of = |value: &'static [u8]| {
            let mut trailers = HeaderMap::new();
            let value = hyper::header::HeaderValue::from_bytes(value).unwrap();
            trailers.insert("grpc-status-details-bin", value);
            retry_info(&trailers)
        };
        for other in [&b""[..], b"%%%", b"AAAA", b"CAgSA2Zvbw"] {
            assert_eq!(of(other), None);
        }
    }
}
