//! How much a log record may hold.
//!
//! <https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#attribute-limits>

use super::read::Reader;
use super::vars;

/// The limits of a log record's attributes; the bridge's own are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LogLimits {
    pub(crate) count: usize,
    /// In characters.
    pub(crate) value_length: Option<usize>,
}

impl Default for LogLimits {
    fn default() -> Self {
        Self {
            count: 128,
            value_length: None,
        }
    }
}

/// Reads the limits; those of log records are above the general ones.
pub(super) fn log_limits(read: &mut Reader<'_>) -> LogLimits {
    let default = LogLimits::default();
    let count =
        number(read, vars::LOG_ATTRIBUTE_COUNT).or_else(|| number(read, vars::ATTRIBUTE_COUNT));
    LogLimits {
        count: count.unwrap_or(default.count),
        value_length: number(read, vars::LOG_ATTRIBUTE_LENGTH)
            .or_else(|| number(read, vars::ATTRIBUTE_LENGTH)),
    }
}

fn number(read: &mut Reader<'_>, var: &str) -> Option<usize> {
    read.optional(var, "a number", |text| text.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Env;

    #[test]
    fn the_limits_of_log_records_are_above_the_general_ones() {
        let limits = |pairs: &[(&str, &str)]| {
            let env = Env::from_iter(pairs.iter().copied());
            let mut read = Reader::new(&env);
            let limits = log_limits(&mut read);
            (limits.count, limits.value_length, read.notices.len())
        };
        let (count, length) = (
            "OTEL_ATTRIBUTE_COUNT_LIMIT",
            "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT",
        );
        let log_count = "OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT";
        let log_length = "OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT";
        assert_eq!(limits(&[]), (128, None, 0));
        assert_eq!(limits(&[(count, "5"), (length, "10")]), (5, Some(10), 0));
        assert_eq!(limits(&[(count, "5"), (log_count, "7")]), (7, None, 0));
        assert_eq!(
            limits(&[(length, "5"), (log_length, "0")]),
            (128, Some(0), 0)
        );
        assert_eq!(limits(&[(log_count, "-1"), (count, "5")]), (5, None, 1));
    }
}
