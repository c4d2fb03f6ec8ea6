//! Values, times and durations as a person reads them.

use std::fmt::Write;
use std::time::{Duration, SystemTime};

use opentelemetry::logs::AnyValue;
use opentelemetry::trace::SpanKind;
use opentelemetry::{Array, Value};

/// `bare` where that is unambiguous, else quoted with escapes.
pub fn string(text: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "._:/-".contains(c);
    if !text.is_empty() && text.chars().all(bare) {
        text.to_owned()
    } else {
        format!("{text:?}")
    }
}

/// A value of a log record.
pub(super) fn logged(value: &AnyValue) -> String {
    match value {
        AnyValue::Int(value) => value.to_string(),
        AnyValue::Double(value) => format!("{value:?}"),
        AnyValue::String(value) => string(value.as_str()),
        AnyValue::Boolean(value) => value.to_string(),
        AnyValue::ListAny(values) => list(values.iter().map(logged)),
        AnyValue::Map(values) => {
            let mut entries: Vec<_> = values
                .iter()
                .map(|(key, value)| format!("{key}: {}", logged(value)))
                .collect();
            entries.sort_unstable();
            format!("{{{}}}", entries.join(", "))
        }
        other => format!("{other:?}"),
    }
}

/// A value of a span.
pub(super) fn spanned(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::I64(value) => value.to_string(),
        Value::F64(value) => format!("{value:?}"),
        Value::String(value) => string(value.as_str()),
        Value::Array(Array::String(values)) => list(values.iter().map(|v| string(v.as_str()))),
        Value::Array(Array::Bool(values)) => list(values.iter().map(ToString::to_string)),
        Value::Array(Array::I64(values)) => list(values.iter().map(ToString::to_string)),
        Value::Array(Array::F64(values)) => list(values.iter().map(|v| format!("{v:?}"))),
        other => string(&other.as_str()),
    }
}

fn list(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<_>>().join(", "))
}

/// A duration with three significant digits at most: `850ns`, `1.24ms`, `12s`.
pub(super) fn duration(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    let (unit, per_unit) = match nanos {
        0..1_000 => return format!("{nanos}ns"),
        1_000..1_000_000 => ("µs", 1e3),
        1_000_000..1_000_000_000 => ("ms", 1e6),
        _ => ("s", 1e9),
    };
    let value = duration.as_secs_f64() * 1e9 / per_unit;
    let decimals = match value {
        ..10.0 => 2,
        ..100.0 => 1,
        _ => 0,
    };
    format!("{value:.decimals$}{unit}")
}

/// The name of a span's kind.
pub fn kind(kind: &SpanKind) -> &'static str {
    match kind {
        SpanKind::Client => "client",
        SpanKind::Server => "server",
        SpanKind::Producer => "producer",
        SpanKind::Consumer => "consumer",
        SpanKind::Internal => "internal",
    }
}

/// UTC with nanoseconds: `2026-01-31T23:59:59.000000001Z`.
pub(super) fn rfc3339(time: SystemTime) -> String {
    let since = time
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = civil(days);
    let mut text = String::with_capacity(30);
    let _ = write!(
        text,
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:09}Z",
        second / 3_600,
        second / 60 % 60,
        second % 60,
        since.subsec_nanos()
    );
    text
}

/// The date of a day since 1970-01-01, in years that begin on 1 March so that the leap day
/// comes last.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (era * 400 + year_of_era + carry, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_utc() {
        let at = |seconds| rfc3339(SystemTime::UNIX_EPOCH + Duration::new(seconds, 5));
        assert_eq!(at(0), "1970-01-01T00:00:00.000000005Z");
        assert_eq!(at(951_868_799), "2000-02-29T23:59:59.000000005Z");
        assert_eq!(at(1_796_079_600), "2026-11-30T23:00:00.000000005Z");
    }

    #[test]
    fn durations_have_three_digits() {
        for (nanos, text) in [
            (850, "850ns"),
            (1_240, "1.24µs"),
            (12_400_000, "12.4ms"),
            (61_000_000_000, "61.0s"),
        ] {
            assert_eq!(duration(Duration::from_nanos(nanos)), text);
        }
    }

    #[test]
    fn only_plain_words_go_without_quotes() {
        assert_eq!(string("a.b:c/d-1"), "a.b:c/d-1");
        assert_eq!(string("two words"), "\"two words\"");
        assert_eq!(string("\u{1b}[2J"), r#""\u{1b}[2J""#);
        assert_eq!(string(""), "\"\"");
    }
}
