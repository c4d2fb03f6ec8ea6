//! Log records that are lens's own: about main, and about what scopes hold back.

use std::time::SystemTime;

use opentelemetry::logs::{AnyValue, LogRecord as _, Logger as _, Severity};
use opentelemetry::trace::TraceContextExt;
use opentelemetry::{Context, Key};
use opentelemetry_sdk::logs::{SdkLogRecord, SdkLogger};

use super::own::Own;
use crate::admission::HeldBack;
use crate::failure::Failure;
use crate::semconv::held_back as keys;
use crate::state::Bridge;

/// A record about the program itself: its main returned an error, or it panics.
pub(crate) fn about_main(
    bridge: &Bridge,
    module: &'static str,
    failure: &Failure,
    location: Option<(&str, u32)>,
) -> SdkLogRecord {
    let severity = (Severity::Error, "ERROR");
    let mut record = started(&bridge.logger, severity, SystemTime::now());
    record.set_target(module);
    record.set_body(failure.message.clone().into());
    let own = Own {
        failure: Some(failure),
        file: location.map(|(file, _)| file),
        line: location.map(|(_, line)| line),
        ..Own::new(&bridge.rules.redact, bridge.rules.limits)
    };
    own.each(|key, value| {
        record.add_attribute(Key::from_static_str(key), AnyValue::from(value));
    });
    record
}

/// A record about what the scope of `module` held back.
pub(super) fn about_scope(
    logger: &SdkLogger,
    module: &'static str,
    held_back: HeldBack,
    time: SystemTime,
) -> SdkLogRecord {
    let mut record = started(logger, (Severity::Info, "INFO"), time);
    record.set_target(module);
    record.set_body(format!("held back {} log records", held_back.total()).into());
    for (key, count) in [
        (keys::OVER_RATE, held_back.over_rate),
        (keys::NOT_SAMPLED, held_back.not_sampled),
    ] {
        if count > 0 {
            record.add_attribute(key, i64::try_from(count).unwrap_or(i64::MAX));
        }
    }
    record
}

/// A record with its times, its severity and the ids of the active span.
pub(super) fn started(
    logger: &SdkLogger,
    (number, text): (Severity, &'static str),
    time: SystemTime,
) -> SdkLogRecord {
    let mut record = logger.create_log_record();
    // Both are the time of the call. Some viewers show a missing one as 1970.
    record.set_timestamp(time);
    record.set_observed_timestamp(time);
    record.set_severity_number(number);
    record.set_severity_text(text);
    Context::map_current(|context| {
        let span = context.span();
        let span = span.span_context();
        if span.is_valid() {
            let flags = Some(span.trace_flags());
            record.set_trace_context(span.trace_id(), span.span_id(), flags);
        }
    });
    record
}
