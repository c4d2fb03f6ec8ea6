//! The names of the variables lens reads, spelled once.

use crate::stats::Signal;

pub(super) const SDK_DISABLED: &str = "OTEL_SDK_DISABLED";
pub(super) const SDK_LOG_LEVEL: &str = "OTEL_LOG_LEVEL";
pub(super) const SERVICE_NAME: &str = "OTEL_SERVICE_NAME";

/// <https://no-color.org>
pub(super) const NO_COLOR: &str = "NO_COLOR";

pub(super) const ENABLED: &str = "NEMO_LENS_ENABLED";
pub(super) const TRACES_ENABLED: &str = "NEMO_LENS_TRACES_ENABLED";
pub(super) const LOGS_ENABLED: &str = "NEMO_LENS_LOGS_ENABLED";
pub(super) const LOGS_LEVEL: &str = "NEMO_LENS_LOGS_LEVEL";
pub(super) const LOGS_LOGGER: &str = "NEMO_LENS_LOGS_LOGGER";
pub(super) const LOGS_FILTER: &str = "NEMO_LENS_LOGS_FILTER";
pub(super) const LOGS_RANKS: &str = "NEMO_LENS_LOGS_RANKS";
pub(super) const REDACT: &str = "NEMO_LENS_REDACT";
pub(super) const LOCAL: &str = "NEMO_LENS_LOCAL";
pub(super) const EXPORTER: &str = "NEMO_LENS_EXPORTER";
pub(super) const SPAN_GROUPS: &str = "NEMO_LENS_SPAN_GROUPS";
pub(super) const SHUTDOWN_TIMEOUT: &str = "NEMO_LENS_SHUTDOWN_TIMEOUT";
pub(super) const LOGS_QUEUE_BYTES: &str = "NEMO_LENS_LOGS_QUEUE_BYTES";
pub(super) const WAIT_WHEN_FULL: &str = "NEMO_LENS_WAIT_WHEN_FULL";

/// The limits of attributes, in general and of log records.
pub(super) const ATTRIBUTE_COUNT: &str = "OTEL_ATTRIBUTE_COUNT_LIMIT";
pub(super) const ATTRIBUTE_LENGTH: &str = "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT";
pub(super) const LOG_ATTRIBUTE_COUNT: &str = "OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT";
pub(super) const LOG_ATTRIBUTE_LENGTH: &str = "OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT";

/// Rank and world size as launchers tell them: torchrun, SLURM, Open MPI, PMI.
pub(super) const LAUNCHERS: [(&str, &str); 4] = [
    ("RANK", "WORLD_SIZE"),
    ("SLURM_PROCID", "SLURM_NTASKS"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
];

/// The variable that chooses the exporter of one signal.
pub(super) fn exporter(signal: Signal) -> &'static str {
    match signal {
        Signal::Logs => "OTEL_LOGS_EXPORTER",
        Signal::Traces => "OTEL_TRACES_EXPORTER",
    }
}

/// The variables of a signal's batch processor.
pub(super) struct Batch {
    pub(super) max_queue_size: &'static str,
    pub(super) max_export_batch_size: &'static str,
    pub(super) schedule_delay: &'static str,
    pub(super) export_timeout: &'static str,
}

pub(super) fn batch(signal: Signal) -> Batch {
    match signal {
        Signal::Logs => Batch {
            max_queue_size: "OTEL_BLRP_MAX_QUEUE_SIZE",
            max_export_batch_size: "OTEL_BLRP_MAX_EXPORT_BATCH_SIZE",
            schedule_delay: "OTEL_BLRP_SCHEDULE_DELAY",
            export_timeout: "OTEL_BLRP_EXPORT_TIMEOUT",
        },
        Signal::Traces => Batch {
            max_queue_size: "OTEL_BSP_MAX_QUEUE_SIZE",
            max_export_batch_size: "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
            schedule_delay: "OTEL_BSP_SCHEDULE_DELAY",
            export_timeout: "OTEL_BSP_EXPORT_TIMEOUT",
        },
    }
}

/// An OTLP option, of one signal and for all of them; the first one set wins.
pub(super) struct Otlp {
    pub(super) of_signal: &'static str,
    pub(super) of_all: &'static str,
}

macro_rules! otlp {
    ($($function:ident => $option:literal),* $(,)?) => {$(
        pub(super) fn $function(signal: Signal) -> Otlp {
            Otlp {
                of_signal: match signal {
                    Signal::Logs => concat!("OTEL_EXPORTER_OTLP_LOGS_", $option),
                    Signal::Traces => concat!("OTEL_EXPORTER_OTLP_TRACES_", $option),
                },
                of_all: concat!("OTEL_EXPORTER_OTLP_", $option),
            }
        }
    )*};
}

otlp! {
    endpoint => "ENDPOINT",
    protocol => "PROTOCOL",
    headers => "HEADERS",
    compression => "COMPRESSION",
    timeout => "TIMEOUT",
}
