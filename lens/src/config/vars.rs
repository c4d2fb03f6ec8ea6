//! The names of the variables lens reads, spelled once. What they mean is in `settings.rs`.

use crate::stats::Signal;

/// With what the standard's variables begin, and of these the options of OTLP.
pub(super) const STANDARD: &str = "OTEL_";
pub(super) const OTLP: &str = "OTEL_EXPORTER_OTLP_";

/// With what lens's own variables begin; a program may put a prefix of its own before it.
pub(super) const PREFIX: &str = "NEMO_LENS_";

pub(super) const SDK_DISABLED: &str = "OTEL_SDK_DISABLED";
pub(super) const SDK_LOG_LEVEL: &str = "OTEL_LOG_LEVEL";
pub(super) const SERVICE_NAME: &str = "OTEL_SERVICE_NAME";
pub(super) const RESOURCE_ATTRIBUTES: &str = "OTEL_RESOURCE_ATTRIBUTES";
pub(super) const PROPAGATORS: &str = "OTEL_PROPAGATORS";
pub(super) const SAMPLER: &str = "OTEL_TRACES_SAMPLER";
pub(super) const SAMPLER_ARG: &str = "OTEL_TRACES_SAMPLER_ARG";

/// <https://no-color.org>
pub(super) const NO_COLOR: &str = "NO_COLOR";

pub(super) const ENABLED: &str = "NEMO_LENS_ENABLED";
pub(super) const TRACES_ENABLED: &str = "NEMO_LENS_TRACES_ENABLED";
pub(super) const METRICS_ENABLED: &str = "NEMO_LENS_METRICS_ENABLED";
pub(super) const LOGS_ENABLED: &str = "NEMO_LENS_LOGS_ENABLED";
pub(super) const LOGS_LEVEL: &str = "NEMO_LENS_LOGS_LEVEL";
pub(super) const LOGS_LOGGER: &str = "NEMO_LENS_LOGS_LOGGER";
pub(super) const LOGS_FILTER: &str = "NEMO_LENS_LOGS_FILTER";
pub(super) const LOGS_RANKS: &str = "NEMO_LENS_LOGS_RANKS";
pub(super) const REDACT: &str = "NEMO_LENS_REDACT";
pub(super) const SPAN_FIELDS: &str = "NEMO_LENS_SPAN_FIELDS";
pub(super) const LOCAL: &str = "NEMO_LENS_LOCAL";
pub(super) const EXPORTER: &str = "NEMO_LENS_EXPORTER";
pub(super) const SPAN_GROUPS: &str = "NEMO_LENS_SPAN_GROUPS";
pub(super) const SHUTDOWN_TIMEOUT: &str = "NEMO_LENS_SHUTDOWN_TIMEOUT";
pub(super) const LOGS_QUEUE_BYTES: &str = "NEMO_LENS_LOGS_QUEUE_BYTES";
pub(super) const WAIT_WHEN_FULL: &str = "NEMO_LENS_WAIT_WHEN_FULL";
pub(super) const EXPORT_STRATEGY: &str = "NEMO_LENS_EXPORT_STRATEGY";
pub(super) const EXPORT_RANK: &str = "NEMO_LENS_EXPORT_RANK";
pub(super) const EXPORT_SAMPLE_RATE: &str = "NEMO_LENS_EXPORT_SAMPLE_RATE";
pub(super) const SAMPLER_ENABLED: &str = "NEMO_LENS_SAMPLER_ENABLED";
pub(super) const RUN_ID: &str = "NEMO_LENS_RUN_ID";
pub(super) const USER_ID: &str = "NEMO_LENS_USER_ID";
pub(super) const FLUSH_ON_SIGNAL: &str = "NEMO_LENS_FLUSH_ON_SIGNAL";
pub(super) const METRIC_VIEWS: &str = "NEMO_LENS_METRIC_VIEWS";
pub(super) const INHERIT_CONTEXT: &str = "NEMO_LENS_INHERIT_CONTEXT";
pub(super) const STRICT: &str = "NEMO_LENS_STRICT";
pub(super) const EXPLAIN: &str = "NEMO_LENS_EXPLAIN";

/// The limits of attributes in general, of log records, and of spans.
pub(super) const ATTRIBUTE_COUNT: &str = "OTEL_ATTRIBUTE_COUNT_LIMIT";
pub(super) const ATTRIBUTE_LENGTH: &str = "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT";
pub(super) const LOG_ATTRIBUTE_COUNT: &str = "OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT";
pub(super) const LOG_ATTRIBUTE_LENGTH: &str = "OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT";
pub(super) const SPAN_ATTRIBUTE_COUNT: &str = "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT";
pub(super) const SPAN_ATTRIBUTE_LENGTH: &str = "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT";
pub(super) const SPAN_EVENT_COUNT: &str = "OTEL_SPAN_EVENT_COUNT_LIMIT";
pub(super) const SPAN_LINK_COUNT: &str = "OTEL_SPAN_LINK_COUNT_LIMIT";
pub(super) const EVENT_ATTRIBUTE_COUNT: &str = "OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT";
pub(super) const LINK_ATTRIBUTE_COUNT: &str = "OTEL_LINK_ATTRIBUTE_COUNT_LIMIT";

pub(super) const METRIC_INTERVAL: &str = "OTEL_METRIC_EXPORT_INTERVAL";
pub(super) const METRIC_TIMEOUT: &str = "OTEL_METRIC_EXPORT_TIMEOUT";
pub(super) const TEMPORALITY: &str = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE";
pub(super) const HISTOGRAM: &str = "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION";

/// Standard variables that lens does not obey, and what to say of each.
pub(super) const UNSUPPORTED: [(&str, &str); 11] = [
    ("OTEL_CONFIG_FILE", "a configuration file is not read yet"),
    (
        "OTEL_EXPERIMENTAL_CONFIG_FILE",
        "a configuration file is not read yet",
    ),
    ("OTEL_ENTITIES", "entities are not supported"),
    (
        "OTEL_METRICS_EXEMPLAR_FILTER",
        "the Rust SDK makes no exemplars",
    ),
    (
        "OTEL_EXPORTER_PROMETHEUS_HOST",
        "there is no Prometheus exporter",
    ),
    (
        "OTEL_EXPORTER_PROMETHEUS_PORT",
        "there is no Prometheus exporter",
    ),
    (
        "OTEL_EXPORTER_ZIPKIN_ENDPOINT",
        "there is no Zipkin exporter",
    ),
    (
        "OTEL_EXPORTER_ZIPKIN_TIMEOUT",
        "there is no Zipkin exporter",
    ),
    (
        "OTEL_BSP_MAX_CONCURRENT_EXPORTS",
        "it is not in the specification; lens has up to four requests open",
    ),
    (
        "OTEL_SEMCONV_STABILITY_OPT_IN",
        "lens has only the stable conventions",
    ),
    (
        "OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN",
        "lens tells exceptions as log records",
    ),
];

/// Obsolete names, still read.
pub(super) const SPAN_INSECURE: &str = "OTEL_EXPORTER_OTLP_SPAN_INSECURE";
pub(super) const METRIC_INSECURE: &str = "OTEL_EXPORTER_OTLP_METRIC_INSECURE";

/// What launchers tell a process of its job.
pub(super) struct Launcher {
    pub(super) rank: &'static str,
    pub(super) world_size: &'static str,
    pub(super) local_rank: &'static str,
}

/// What names a run to all of its processes: SLURM, torchrun.
pub(super) const RUN_IDS: [&str; 2] = ["SLURM_JOB_ID", "TORCHELASTIC_RUN_ID"];

/// torchrun, SLURM, Open MPI, PMI.
pub(super) const LAUNCHERS: [Launcher; 4] = [
    Launcher {
        rank: "RANK",
        world_size: "WORLD_SIZE",
        local_rank: "LOCAL_RANK",
    },
    Launcher {
        rank: "SLURM_PROCID",
        world_size: "SLURM_NTASKS",
        local_rank: "SLURM_LOCALID",
    },
    Launcher {
        rank: "OMPI_COMM_WORLD_RANK",
        world_size: "OMPI_COMM_WORLD_SIZE",
        local_rank: "OMPI_COMM_WORLD_LOCAL_RANK",
    },
    Launcher {
        rank: "PMI_RANK",
        world_size: "PMI_SIZE",
        local_rank: "MPI_LOCALRANKID",
    },
];

/// The variable that chooses the exporters of one signal.
pub(super) const fn exporter(signal: Signal) -> &'static str {
    match signal {
        Signal::Logs => "OTEL_LOGS_EXPORTER",
        Signal::Traces => "OTEL_TRACES_EXPORTER",
        Signal::Metrics => "OTEL_METRICS_EXPORTER",
    }
}

/// The variables of a batch processor.
pub(super) struct Batch {
    pub(super) max_queue_size: &'static str,
    pub(super) max_export_batch_size: &'static str,
    pub(super) schedule_delay: &'static str,
    pub(super) export_timeout: &'static str,
}

pub(super) const LOG_BATCH: Batch = Batch {
    max_queue_size: "OTEL_BLRP_MAX_QUEUE_SIZE",
    max_export_batch_size: "OTEL_BLRP_MAX_EXPORT_BATCH_SIZE",
    schedule_delay: "OTEL_BLRP_SCHEDULE_DELAY",
    export_timeout: "OTEL_BLRP_EXPORT_TIMEOUT",
};

pub(super) const SPAN_BATCH: Batch = Batch {
    max_queue_size: "OTEL_BSP_MAX_QUEUE_SIZE",
    max_export_batch_size: "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
    schedule_delay: "OTEL_BSP_SCHEDULE_DELAY",
    export_timeout: "OTEL_BSP_EXPORT_TIMEOUT",
};

/// An OTLP option, of one signal and for all of them; the first one set wins.
#[derive(Clone, Copy)]
pub(super) struct Otlp {
    pub(super) of_signal: &'static str,
    pub(super) of_all: &'static str,
}

macro_rules! otlp {
    ($($function:ident => $option:literal),* $(,)?) => {$(
        pub(super) const fn $function(signal: Signal) -> Otlp {
            Otlp {
                of_signal: match signal {
                    Signal::Logs => concat!("OTEL_EXPORTER_OTLP_LOGS_", $option),
                    Signal::Traces => concat!("OTEL_EXPORTER_OTLP_TRACES_", $option),
                    Signal::Metrics => concat!("OTEL_EXPORTER_OTLP_METRICS_", $option),
                },
                of_all: concat!("OTEL_EXPORTER_OTLP_", $option),
            }
        }
    )*};
}

otlp! {
    endpoint => "ENDPOINT",
    insecure => "INSECURE",
    certificate => "CERTIFICATE",
    client_key => "CLIENT_KEY",
    client_certificate => "CLIENT_CERTIFICATE",
    headers => "HEADERS",
    compression => "COMPRESSION",
    timeout => "TIMEOUT",
    protocol => "PROTOCOL",
}
