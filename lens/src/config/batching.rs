//! How much waits to be exported, how long, and what leaves at once.
//!
//! <https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#batch-logrecord-processor>

use std::time::Duration;

use super::read::{Origin, Reader, code, code_or};
use super::values::{Millis, whole_number};
use super::vars;
use crate::stats::FOR_EVER;

/// Enough for bursts of tens of thousands of spans. Bounds their number, not their size.
const QUEUE: usize = 65_536;
/// Enough for bursts of hundreds of thousands of log records.
const QUEUE_BYTES: usize = 64 * 1024 * 1024;
/// How many spans leave at once.
const BATCH: usize = 512;
const DELAY: Duration = Duration::from_secs(1);
/// A person waits at the terminal.
const TERMINAL_DELAY: Duration = Duration::from_millis(100);
/// Zero would be a loop that never rests.
const LEAST_DELAY: Duration = Duration::from_millis(1);
/// How long one batch is tried again.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How one signal waits to be exported, for [`Builder::log_batch`](crate::Builder::log_batch) and
/// [`Builder::span_batch`](crate::Builder::span_batch). What is not set stays as it is.
///
/// Settings that have a variable are named as it is; the variable wins.
///
/// ```
/// use std::time::Duration;
///
/// let batch = lens::Batch::new()
///     .max_queue_bytes(16 * 1024 * 1024)
///     .wait_when_full(Duration::from_millis(50));
/// let builder = lens::Builder::new().level("info").log_batch(batch);
/// # let _ = builder;
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a batch is for `Builder::log_batch` or `Builder::span_batch`"]
pub struct Batch {
    queue: Option<usize>,
    bytes: Option<usize>,
    size: Option<usize>,
    delay: Option<Duration>,
    timeout: Option<Duration>,
    patience: Option<Duration>,
}

impl Batch {
    /// Sets nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how many items wait at most; when they do, the newest is dropped and counted.
    ///
    /// Default: 65,536 spans; log records are bounded by
    /// [their bytes](Self::max_queue_bytes) alone. Variables: `OTEL_BLRP_MAX_QUEUE_SIZE`,
    /// `OTEL_BSP_MAX_QUEUE_SIZE`.
    pub fn max_queue_size(mut self, items: usize) -> Self {
        self.queue = Some(items);
        self
    }

    /// Sets how many bytes of log records wait at most, as they are encoded.
    ///
    /// Default: 64 MiB. One record that is longer than that is taken when it is alone. Spans
    /// have no such bound. Variable: `NEMO_LENS_LOGS_QUEUE_BYTES`.
    pub fn max_queue_bytes(mut self, bytes: usize) -> Self {
        self.bytes = Some(bytes);
        self
    }

    /// Sets how many items a request has at most.
    ///
    /// Default: 512 spans; of log records as many as fit into about 100 KiB, a bound that stays,
    /// and 512 where [`max_queue_size`](Self::max_queue_size) is set.
    /// Variables: `OTEL_BLRP_MAX_EXPORT_BATCH_SIZE`, `OTEL_BSP_MAX_EXPORT_BATCH_SIZE`.
    pub fn max_export_batch_size(mut self, items: usize) -> Self {
        self.size = Some(items);
        self
    }

    /// Sets how long an item waits for company, at least 1 ms.
    ///
    /// Default: 1 s. Variables: `OTEL_BLRP_SCHEDULE_DELAY`, `OTEL_BSP_SCHEDULE_DELAY`, in
    /// milliseconds.
    pub fn schedule_delay(mut self, delay: Duration) -> Self {
        self.delay = Some(delay);
        self
    }

    /// Sets how long one request is tried again before its items are given up; zero is for ever.
    ///
    /// Default: 60 s. Variables: `OTEL_BLRP_EXPORT_TIMEOUT`, `OTEL_BSP_EXPORT_TIMEOUT`, in
    /// milliseconds. How long one attempt may take is `OTEL_EXPORTER_OTLP_TIMEOUT`.
    pub fn export_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Lets a thread whose log record or span finds no room wait that long for it, before the
    /// item is dropped and counted.
    ///
    /// Default: zero, which never waits. It is the program that waits then, in an async task,
    /// too. Variable, for both signals: `NEMO_LENS_WAIT_WHEN_FULL`, in milliseconds.
    pub fn wait_when_full(mut self, longest: Duration) -> Self {
        self.patience = Some(longest);
        self
    }
}

/// What is in effect for one signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Batching {
    /// How many items wait at most, where somebody bounds it.
    pub(crate) most_waiting: Option<usize>,
    /// Bounds what is encoded, and nothing else.
    pub(crate) bytes: usize,
    /// How many items leave at once, where somebody bounds it.
    pub(crate) most_at_once: Option<usize>,
    /// How long an item may wait for company.
    pub(crate) delay: Duration,
    /// How long a batch is tried; `None` is for ever.
    pub(crate) timeout: Option<Duration>,
    /// How long a caller waits for room.
    pub(crate) patience: Duration,
}

impl Default for Batching {
    fn default() -> Self {
        Self {
            most_waiting: None,
            bytes: QUEUE_BYTES,
            most_at_once: None,
            delay: DELAY,
            timeout: Some(TIMEOUT),
            patience: Duration::ZERO,
        }
    }
}

impl Batching {
    /// What goes to a terminal.
    pub(crate) fn terminal() -> Self {
        Self {
            delay: TERMINAL_DELAY,
            ..Self::default()
        }
    }

    /// How many items wait at most, where their bytes are not counted.
    pub(crate) fn queue(&self) -> usize {
        self.most_waiting.unwrap_or(QUEUE)
    }

    /// What an operator reads of how many `items` may wait, where bytes are counted or not.
    pub(crate) fn shown_room(&self, items: &str, in_bytes: bool) -> String {
        let bytes = match self.bytes {
            bytes @ 0x10_0000.. => format!("{} MiB", bytes >> 20),
            bytes => format!("{} KiB", bytes.div_ceil(1024)),
        };
        match self.most_waiting {
            Some(most) if in_bytes => format!("{most} {items}, or {bytes} of them,"),
            None if in_bytes => format!("{bytes} of {items}"),
            _ => format!("{} {items}", self.queue()),
        }
    }

    /// How many items leave at once, where their bytes are not counted.
    pub(crate) fn batch(&self) -> usize {
        self.most_at_once.unwrap_or(BATCH)
    }
}

/// Settles how log records wait.
pub(super) fn log_batching(code: &Batch, read: &mut Reader<'_>) -> Batching {
    let bytes = count(read, vars::LOGS_QUEUE_BYTES, code.bytes).unwrap_or(QUEUE_BYTES);
    let origin = read.origin(vars::LOGS_QUEUE_BYTES);
    read.settle(vars::LOGS_QUEUE_BYTES, bytes, origin);
    Batching {
        bytes,
        ..batching(&vars::LOG_BATCH, None, code, read)
    }
}

/// Settles how spans wait.
pub(super) fn span_batching(code: &Batch, read: &mut Reader<'_>) -> Batching {
    let of_logs = read.value(vars::WAIT_WHEN_FULL);
    let settled = batching(&vars::SPAN_BATCH, Some(QUEUE), code, read);
    let of_spans = read.value(vars::WAIT_WHEN_FULL);
    // One variable for both, and two setters.
    if let (Some(logs), Some(spans)) = (of_logs, of_spans)
        && logs != spans
    {
        let both = format!("{logs} for log records, {spans} for spans");
        read.settle(vars::WAIT_WHEN_FULL, both, Origin::Code);
    }
    settled
}

fn batching(
    named: &vars::Batch,
    usual: Option<usize>,
    asked: &Batch,
    read: &mut Reader<'_>,
) -> Batching {
    let default = Batching::default();
    let queue = count(read, named.max_queue_size, asked.queue);
    let mut batch = count(read, named.max_export_batch_size, asked.size);
    let room = queue.or(usual);
    if let (Some(queue), Some(size)) = (room, batch)
        && size > queue
    {
        read.say(format!(
            "{} is {size} and {} is {queue}: a batch cannot be more than all that waits; \
             using {queue}",
            named.max_export_batch_size, named.max_queue_size
        ));
        batch = Some(queue);
    }
    // A batch that is never full would wait for its delay each time.
    let most_at_once = batch.or(queue.map(|queue| queue.min(BATCH)));
    let shown = |count: Option<usize>| count.map_or("none".to_owned(), |count| count.to_string());
    let usual_batch = usual.map(|_| BATCH);
    for (var, value) in [
        (named.max_queue_size, shown(room)),
        (
            named.max_export_batch_size,
            shown(most_at_once.or(usual_batch)),
        ),
    ] {
        let origin = read.origin(var);
        read.settle(var, value, origin);
    }
    let delay = read.millis(named.schedule_delay, code_or(asked.delay, default.delay));
    if delay < LEAST_DELAY {
        read.say(format!(
            "{} is less than 1 ms; using 1 ms",
            named.schedule_delay
        ));
        let origin = read.origin(named.schedule_delay);
        read.settle(named.schedule_delay, Millis(LEAST_DELAY), origin);
    }
    let timeout = code_or(asked.timeout, default.timeout.unwrap_or_default());
    let timeout = read.millis(named.export_timeout, timeout);
    let patience = code_or(asked.patience, default.patience);
    Batching {
        most_waiting: queue,
        most_at_once,
        delay: delay.clamp(LEAST_DELAY, FOR_EVER),
        timeout: (!timeout.is_zero()).then_some(timeout.min(FOR_EVER)),
        patience: read.millis(vars::WAIT_WHEN_FULL, patience).min(FOR_EVER),
        ..default
    }
}

/// A number above zero, of the variable or else of the code; what is none is told and as good
/// as unset.
fn count(read: &mut Reader<'_>, var: &'static str, asked: Option<usize>) -> Option<usize> {
    let parse = |text: &str| {
        let number = whole_number(text).filter(|number| *number > 0)?;
        usize::try_from(number).ok()
    };
    let expected = "a whole number from 1 to 2147483647";
    let asked = asked.filter(|number| {
        let is_fine = *number > 0;
        if !is_fine {
            read.say(format!(
                "invalid value 0 for what {var} sets, expected {expected}; it is as good as unset"
            ));
        }
        is_fine
    });
    read.optional(var, expected, parse, code(asked))
}

#[cfg(test)]
#[path = "batching_tests.rs"]
mod tests;
