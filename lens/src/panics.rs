//! A panic as a log record, written by the panic hook; its message and backtrace go to
//! stderr as ever.
//!
//! On the thread of main a panic is held back: it leaves as FATAL when main unwinds, as
//! ERROR when something caught it.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::PanicHookInfo;
use std::sync::Once;

use opentelemetry::Context;
use opentelemetry::logs::{LogRecord as _, Severity};
use opentelemetry_sdk::logs::SdkLogRecord;

use crate::bridge::about_main;
use crate::failure::Failure;
use crate::reentry::{Phase, phase};
use crate::state::{self, Active, Bridge};
use crate::{context, diag, os};

static HOOK: Once = Once::new();

/// Chains lens's hook before the program's; once per process.
pub(crate) fn install_hook() {
    HOOK.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            // The program would not have heard of these without lens, which catches them: a
            // value that panics while only lens formats it, and a look at a dead thread-local.
            let is_caught = matches!(phase(), Phase::Formatting { .. }) || context::is_probing();
            if is_caught && cfg!(panic = "unwind") {
                return;
            }
            previous(info);
            explain_taken_slot(info);
            record(info);
        }));
    });
}

/// The panic of a second logger or subscriber, which is the one way lens can break a program: the
/// fix.
fn explain_taken_slot(info: &PanicHookInfo<'_>) {
    let message = message(info);
    // So `tracing_subscriber` says that it found either place taken.
    let is_subscriber = message.contains("global subscriber: ")
        || message.contains("global default subscriber: ")
        || message.contains("a global default trace dispatcher");
    if is_subscriber && state::has_logger_slot() {
        return diag::say(
            "#[lens::main] is in the slot of `log`, and with `tracing = true` has a subscriber of \
             its own, which prints what tracing_subscriber::fmt::init() would; remove that call, \
             hand your subscriber over with `tracing = my_subscriber()`, or keep the call and \
             write `local = \"none\"`",
        );
    }
    let is_second_logger = message.contains("SetLoggerError")
        || message.contains("attempted to set a logger after the logging system");
    if is_second_logger && state::has_logger_slot() {
        diag::say(
            "the logger slot is taken by #[lens::main], which already prints what \
             env_logger::init() would; remove that call (keep env_logger in Cargo.toml: its \
             features decide the format), hand your logger over with `local = my_logger()`, \
             or leave the slot alone with `local = \"none\"`",
        );
    }
}

fn record(info: &PanicHookInfo<'_>) {
    let Some((active, bridge)) = recording() else {
        return;
    };
    let backtrace = Backtrace::capture();
    let failure = Failure {
        message: message(info).to_owned(),
        kind: Some("panic"),
        trace: (backtrace.status() == BacktraceStatus::Captured).then(|| backtrace.to_string()),
    };
    let location = info
        .location()
        .map(|location| (location.file(), location.line()));
    let record = about_main(bridge, active.main.module, &failure, location);
    if cfg!(panic = "abort") {
        bridge.emit(fatal(record));
        active.stop(active.shutdown_timeout);
    } else if active.main.is_here() {
        if let Some(earlier) = active.held_panic.take() {
            bridge.emit_apart(earlier);
        }
        active.held_panic.hold(record);
    } else {
        bridge.emit(record);
    }
}

/// What a panic said; std shows the same for a payload that is no text.
fn message<'a>(info: &'a PanicHookInfo<'_>) -> &'a str {
    let payload = info.payload();
    (payload.downcast_ref::<&str>().copied())
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("Box<dyn Any>")
}

/// Emits the held panic as the end of the program: main is unwinding from it.
pub(crate) fn main_unwinds(active: &Active) {
    if let (Some(bridge), Some(record)) = (&active.bridge, active.held_panic.take()) {
        bridge.emit_apart(fatal(record));
    }
}

fn fatal(mut record: SdkLogRecord) -> SdkLogRecord {
    record.set_severity_number(Severity::Fatal);
    record.set_severity_text("FATAL");
    record
}

/// Where a record about the program goes, if errors are bridged and this thread may emit.
pub(crate) fn recording() -> Option<(&'static Active, &'static Bridge)> {
    // In this order: where the context is gone nothing may ask for it.
    let may = context::has_context()
        && !Context::is_current_telemetry_suppressed()
        && !os::is_own_thread()
        && phase() != Phase::Emitting;
    let active = state::current().filter(|_| may)?;
    let bridge = active.bridge.as_ref()?;
    (bridge.decider.max_level() >= log::LevelFilter::Error).then_some((active, bridge))
}
