//! How much a log record, a span, its events and its links may hold.
//!
//! <https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#attribute-limits>

use opentelemetry_sdk::trace;

use super::read::{Or, Origin, Reader, code, code_or};
use super::values::whole_number;
use super::{Builder, vars};

/// How many attributes, events and links there may be where nobody says.
const COUNT: u32 = 128;

/// How much log records and spans may hold: both by [`Builder::limits`](crate::Builder::limits),
/// one kind by [`log_limits`](crate::Builder::log_limits) and
/// [`span_limits`](crate::Builder::span_limits). What is not set stays as it is.
///
/// A variable of one kind wins over that of both, and this over code. What a limit drops is
/// counted in the record or span. Resources, and the message of a log record, have no limit.
///
/// ```
/// let limits = lens::Limits::new().attribute_count(32).attribute_value_length(1024);
/// let builder = lens::Builder::new().limits(limits);
/// # let _ = builder;
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "limits are for `Builder::limits` and its like"]
pub struct Limits {
    attributes: Option<u32>,
    length: Option<u32>,
    events: Option<u32>,
    links: Option<u32>,
    event_attributes: Option<u32>,
    link_attributes: Option<u32>,
}

impl Limits {
    /// Sets nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how many attributes there may be; the first ones stay.
    ///
    /// Default: 128. Variables: `OTEL_ATTRIBUTE_COUNT_LIMIT`,
    /// `OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT`, `OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT`.
    pub fn attribute_count(mut self, count: u32) -> Self {
        self.attributes = Some(count);
        self
    }

    /// Sets how many characters of a text in an attribute stay.
    ///
    /// Default: all. Variables: `OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT`,
    /// `OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT`, `OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT`.
    pub fn attribute_value_length(mut self, characters: u32) -> Self {
        self.length = Some(characters);
        self
    }

    /// Sets how many events a span may have. Default: 128. Variable:
    /// `OTEL_SPAN_EVENT_COUNT_LIMIT`.
    pub fn event_count(mut self, count: u32) -> Self {
        self.events = Some(count);
        self
    }

    /// Sets how many links a span may have. Default: 128. Variable:
    /// `OTEL_SPAN_LINK_COUNT_LIMIT`.
    pub fn link_count(mut self, count: u32) -> Self {
        self.links = Some(count);
        self
    }

    /// Sets how many attributes an event of a span may have. Default: 128. Variable:
    /// `OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT`.
    pub fn event_attribute_count(mut self, count: u32) -> Self {
        self.event_attributes = Some(count);
        self
    }

    /// Sets how many attributes a link of a span may have. Default: 128. Variable:
    /// `OTEL_LINK_ATTRIBUTE_COUNT_LIMIT`.
    pub fn link_attribute_count(mut self, count: u32) -> Self {
        self.link_attributes = Some(count);
        self
    }
}

/// The limits of a log record's attributes; the bridge's own are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LogLimits {
    pub(crate) count: usize,
    /// In characters.
    pub(crate) value_length: Option<usize>,
}

/// The limits of a span.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpanLimits {
    /// How many attributes leave.
    pub(crate) attributes: u32,
    /// Those that the SDK keeps; of attributes it takes more, since it does not look whether a key
    /// is there already.
    pub(crate) counts: trace::SpanLimits,
    /// In characters.
    pub(crate) value_length: Option<usize>,
}

impl Default for SpanLimits {
    fn default() -> Self {
        Self {
            attributes: COUNT,
            counts: trace::SpanLimits::default(),
            value_length: None,
        }
    }
}

/// How often an attribute may be set anew before the first values count.
const RESETS: u32 = 16;

/// Settles the limits of log records.
pub(super) fn log_limits(builder: &Builder, read: &mut Reader<'_>) -> LogLimits {
    let (own, all) = (&builder.log_limits, &builder.limits);
    LogLimits {
        count: attributes(read, vars::LOG_ATTRIBUTE_COUNT, own, all) as usize,
        value_length: length(read, vars::LOG_ATTRIBUTE_LENGTH, own, all),
    }
}

/// Settles the limits of spans.
pub(super) fn span_limits(builder: &Builder, read: &mut Reader<'_>) -> SpanLimits {
    let (own, all) = (&builder.span_limits, &builder.limits);
    let attributes = attributes(read, vars::SPAN_ATTRIBUTE_COUNT, own, all);
    let mut count = |var, code: Option<u32>| {
        let or = code_or(code.map(Some), Some(COUNT));
        read.optional(var, EXPECTED, whole_number, or)
            .unwrap_or(COUNT)
    };
    SpanLimits {
        attributes,
        counts: trace::SpanLimits {
            max_attributes_per_span: attributes.saturating_mul(RESETS),
            max_events_per_span: count(vars::SPAN_EVENT_COUNT, own.events.or(all.events)),
            max_links_per_span: count(vars::SPAN_LINK_COUNT, own.links.or(all.links)),
            max_attributes_per_event: count(
                vars::EVENT_ATTRIBUTE_COUNT,
                own.event_attributes.or(all.event_attributes),
            ),
            max_attributes_per_link: count(
                vars::LINK_ATTRIBUTE_COUNT,
                own.link_attributes.or(all.link_attributes),
            ),
        },
        value_length: length(read, vars::SPAN_ATTRIBUTE_LENGTH, own, all),
    }
}

const EXPECTED: &str = "a whole number from 0 to 2147483647";

/// How many attributes there may be.
fn attributes(read: &mut Reader<'_>, var: &'static str, own: &Limits, all: &Limits) -> u32 {
    let all = code_or(all.attributes.map(Some), Some(COUNT));
    limit(read, [var, vars::ATTRIBUTE_COUNT], own.attributes, all).unwrap_or(COUNT)
}

/// How long a text may be, in characters.
fn length(read: &mut Reader<'_>, var: &'static str, own: &Limits, all: &Limits) -> Option<usize> {
    let limit = limit(
        read,
        [var, vars::ATTRIBUTE_LENGTH],
        own.length,
        code(all.length),
    );
    limit.map(|length| length as usize)
}

/// A limit of one kind, or that in general.
fn limit(
    read: &mut Reader<'_>,
    [var, general]: [&'static str; 2],
    own: Option<u32>,
    all: Or<Option<u32>>,
) -> Option<u32> {
    let value = read.optional(general, EXPECTED, whole_number, all);
    let origin = read.origin(general);
    let or = match (&origin, own) {
        (Origin::Variable(_), _) | (_, None) => Or { value, origin },
        (_, own) => code(own),
    };
    read.optional(var, EXPECTED, whole_number, or)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Env;

    #[test]
    fn the_limits_of_log_records_are_above_the_general_ones_and_those_above_code() {
        let limits = |builder: Builder, pairs: &[(&str, &str)]| {
            let env = Env::from_iter(pairs.iter().copied());
            let mut read = Reader::new(&env);
            let limits = log_limits(&builder, &mut read);
            (limits.count, limits.value_length, read.notices.len())
        };
        let new = Builder::new;
        let (count, length) = (
            "OTEL_ATTRIBUTE_COUNT_LIMIT",
            "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT",
        );
        let log_count = "OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT";
        let log_length = "OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT";
        assert_eq!(limits(new(), &[]), (128, None, 0));
        assert_eq!(
            limits(new(), &[(count, "5"), (length, "10")]),
            (5, Some(10), 0)
        );
        assert_eq!(
            limits(new(), &[(count, "5"), (log_count, "7")]),
            (7, None, 0)
        );
        assert_eq!(
            limits(new(), &[(length, "5"), (log_length, "0")]),
            (128, Some(0), 0)
        );
        assert_eq!(
            limits(new(), &[(log_count, "-1"), (count, "5")]),
            (5, None, 1)
        );
        let code = new()
            .limits(Limits::new().attribute_count(1).attribute_value_length(2))
            .log_limits(Limits::new().attribute_count(3));
        assert_eq!(limits(code, &[]), (3, Some(2), 0));
        let code = || new().log_limits(Limits::new().attribute_count(3));
        assert_eq!(limits(code(), &[(count, "5")]), (5, None, 0));
        assert_eq!(limits(code(), &[]), (3, None, 0));
        let env = Env::default();
        let both = new().limits(Limits::new().event_count(5).link_count(6));
        let spans = span_limits(&both, &mut Reader::new(&env)).counts;
        assert_eq!(
            (spans.max_events_per_span, spans.max_links_per_span),
            (5, 6)
        );
    }
}
