//! Every setting in one table: for the page about them, and to know a variable by its name.

use super::near::nearest;
use super::read::{Reader, Settled};
use super::vars;
use crate::env::Env;
use crate::stats::Signal;

/// A setting.
#[cfg_attr(not(test), expect(dead_code, reason = "the page is made by a test"))]
pub(super) struct Row {
    /// The variable; of OTLP options that for all signals.
    pub(super) var: &'static str,
    /// What sets it in code, and is an argument of `#[lens::main]`, too, where that has one of
    /// that name.
    pub(super) code: &'static str,
    pub(super) default: &'static str,
    pub(super) meaning: &'static str,
    /// There is a variable for each signal, too.
    is_of_signals: bool,
}

const fn row(
    var: &'static str,
    code: &'static str,
    default: &'static str,
    meaning: &'static str,
) -> Row {
    Row {
        var,
        code,
        default,
        meaning,
        is_of_signals: false,
    }
}

const fn otlp(
    option: vars::Otlp,
    code: &'static str,
    default: &'static str,
    meaning: &'static str,
) -> Row {
    Row {
        is_of_signals: true,
        ..row(option.of_all, code, default, meaning)
    }
}

impl Row {
    /// Its variables: one, or one for all signals and one for each.
    pub(super) fn variables(&self) -> Vec<String> {
        let mut variables = vec![self.var.to_owned()];
        if let Some(option) = self
            .var
            .strip_prefix(vars::OTLP)
            .filter(|_| self.is_of_signals)
        {
            let each = Signal::ALL.map(|signal| signal.path().to_ascii_uppercase());
            variables.extend(each.map(|signal| format!("{}{signal}_{option}", vars::OTLP)));
        }
        variables
    }
}

/// The settings, in parts of the page about them.
#[rustfmt::skip]
pub(super) const SETTINGS: [(&str, &[Row]); 8] = [
    ("The whole", &[
        row(vars::ENABLED, "Builder::enabled", "`true`", "off: no thread, no socket, no provider; the console stays"),
        row(vars::SDK_DISABLED, "Builder::enabled", "`false`", "the same, by the standard's name"),
        row(vars::SDK_LOG_LEVEL, "Builder::silent", "`info`", "`off` silences lens's own lines"),
        row(vars::STRICT, "Builder::strict", "`false`", "a bad setting ends the program at its start, with all errors listed"),
        row(vars::EXPLAIN, "explain", "`false`", "says at the start what is in effect and why, and asks each receiver; `json` for one line of JSON"),
        row(vars::SHUTDOWN_TIMEOUT, "Builder::shutdown_timeout", "5000 ms", "one deadline for all that happens at exit"),
        row(vars::FLUSH_ON_SIGNAL, "Builder::signals", "`false`", "deliver what is buffered before SIGTERM or SIGINT ends the program"),
        row(vars::PROPAGATORS, "Builder::propagators", "`tracecontext,baggage`", "the headers in which the active span goes on: also `b3`, `b3multi`, `none`"),
        row(vars::INHERIT_CONTEXT, "Builder::inherit_context", "`true`", "go on with the trace in `TRACEPARENT`, `TRACESTATE` and `BAGGAGE`"),
        row(vars::NO_COLOR, "", "none", "set to anything: no colour on a terminal"),
    ]),
    ("Who sends", &[
        row(vars::SERVICE_NAME, "Builder::service", "the binary's name", "`service.name`"),
        row(vars::RESOURCE_ATTRIBUTES, "Builder::resource", "none", "`key=value,key2=value2`, percent-encoded; above what code sets and what is detected"),
        row(vars::RUN_ID, "Builder::run_id", "`SLURM_JOB_ID`, `TORCHELASTIC_RUN_ID`", "`nemo.run.id`, the same for all processes of a job"),
        row(vars::USER_ID, "Builder::user_id", "none", "`nemo.user.id`"),
    ]),
    ("Which processes of a job export", &[
        row(vars::EXPORT_STRATEGY, "Builder::strategy", "`all_ranks`", "also `single_rank`, `sampled`, `first_rank_per_node`; in code a function, too"),
        row(vars::EXPORT_RANK, "Builder::export_rank", "-1, the last", "the one of `single_rank`"),
        row(vars::EXPORT_SAMPLE_RATE, "Builder::export_sample_rate", "1", "the part of `sampled`, and of the sampler by rank"),
        row(vars::LOGS_RANKS, "Builder::log_ranks", "`all`", "which of them bridge log records: `0`, `0,8-11`, `first`, `last`"),
    ]),
    ("Log records", &[
        row(vars::LOGS_ENABLED, "Builder::logs", "`false`; `level`, `logger` and `filter` in code imply `true`", "bridge log records"),
        row(vars::LOGS_LEVEL, "Builder::level", "`info`", "the least severity that is bridged"),
        row(vars::LOGS_LOGGER, "Builder::logger", "all", "only these loggers and their children: `app,hyper`"),
        row(vars::LOGS_FILTER, "Builder::filter", "none", "directives on top: `warn,app.db=debug,hyper=off`"),
        row(vars::REDACT, "Builder::redact", "passwords, tokens and the like", "attributes, of spans too, whose values do not leave: keys, `+` and keys, `off`"),
        row(vars::SPAN_FIELDS, "Builder::span_fields", "none", "fields of the spans around a record that it has, too: `request_id,tenant`"),
        row(vars::LOCAL, "Builder::local", "`stderr`", "the console: `stderr`, `stdout`, `off`; in code also `none` and a logger"),
    ]),
    ("Spans", &[
        row(vars::TRACES_ENABLED, "Builder::traces", "`true`", "make spans"),
        row(vars::SPAN_GROUPS, "Builder::groups", "`default`", "span groups: names, `default`, `per_step`, `all`, `none`"),
        row(vars::SAMPLER, "Builder::sampler", "`parentbased_always_on`", "`[parentbased_]always_on`, `…always_off`, `…traceidratio`; in code any"),
        row(vars::SAMPLER_ARG, "Builder::sampler", "1", "the part of `…traceidratio`, from 0 to 1"),
        row(vars::SAMPLER_ENABLED, "Builder::rank_sampler", "`false`", "begin traces only on the part of the ranks that the sample rate says"),
    ]),
    ("Metrics", &[
        row(vars::METRICS_ENABLED, "Builder::metrics", "`true`", "collect metrics"),
        row(vars::METRIC_INTERVAL, "Builder::metric_interval", "60000 ms", "between two collections"),
        row(vars::METRIC_TIMEOUT, "Builder::metric_timeout", "30000 ms", "how long one collection is tried to be exported; 0 is for ever"),
        row(vars::METRIC_VIEWS, "Builder::metric_views", "", "what becomes of metrics: `NAME=off`, `NAME=keys KEY…`, `NAME=limit COUNT`, `NAME=buckets BOUND…`, with commas between them; `*` in a name is for any characters"),
        row(vars::TEMPORALITY, "Builder::temporality", "`cumulative`", "also `delta`, `lowmemory`"),
        row(vars::HISTOGRAM, "Builder::exponential_histograms", "`explicit_bucket_histogram`", "also `base2_exponential_bucket_histogram`"),
    ]),
    ("Where it goes", &[
        row(vars::EXPORTER, "Builder::exporter", "`otlp`", "`otlp`, `console`, `pretty`, `file:PATH`, `none`, or several with commas"),
        row(vars::exporter(Signal::Logs), "Export::exporter", "as for all", "the same for log records"),
        row(vars::exporter(Signal::Traces), "Export::exporter", "as for all", "the same for spans"),
        row(vars::exporter(Signal::Metrics), "Export::exporter", "as for all", "the same for metrics"),
        otlp(vars::endpoint(Signal::Logs), "Builder::endpoint", "`http://localhost:4318`, or `:4317` for gRPC", "a base to which `v1/logs` and so on are added; that of one signal is used as it is"),
        otlp(vars::protocol(Signal::Logs), "Builder::protocol", "`http/protobuf`; `grpc` where the port is 4317", "also `http/json`"),
        otlp(vars::headers(Signal::Logs), "Builder::headers", "none", "`key=value,key2=value2`, values percent-encoded"),
        otlp(vars::compression(Signal::Logs), "Export::compression", "`none`", "or `gzip`"),
        otlp(vars::timeout(Signal::Logs), "Export::timeout", "10000 ms", "of one attempt; 0 is without a limit"),
        otlp(vars::certificate(Signal::Logs), "Export::certificate", "those of the system", "a PEM file with the certificates to trust"),
        otlp(vars::client_certificate(Signal::Logs), "Export::client_certificate", "none", "a PEM file with the certificate to show"),
        otlp(vars::client_key(Signal::Logs), "Export::client_key", "none", "a PEM file with its key"),
        otlp(vars::insecure(Signal::Logs), "Export::insecure", "`false`", "plain text over gRPC, where the endpoint has no scheme"),
        row(vars::SPAN_INSECURE, "", "none", "the obsolete name of `…_TRACES_INSECURE`"),
        row(vars::METRIC_INSECURE, "", "none", "the obsolete name of `…_METRICS_INSECURE`"),
    ]),
    ("How much waits, and how much there may be", &[
        row(vars::LOG_BATCH.schedule_delay, "Batch::schedule_delay", "1000 ms", "how long a log record waits for company"),
        row(vars::SPAN_BATCH.schedule_delay, "Batch::schedule_delay", "1000 ms", "how long a span does"),
        row(vars::LOG_BATCH.export_timeout, "Batch::export_timeout", "60000 ms", "how long a request of log records is tried again; 0 is for ever"),
        row(vars::SPAN_BATCH.export_timeout, "Batch::export_timeout", "60000 ms", "how long one of spans is"),
        row(vars::LOG_BATCH.max_queue_size, "Batch::max_queue_size", "none", "how many log records wait; newer ones are dropped and counted"),
        row(vars::SPAN_BATCH.max_queue_size, "Batch::max_queue_size", "65536", "how many spans do"),
        row(vars::LOG_BATCH.max_export_batch_size, "Batch::max_export_batch_size", "none; 512 where the queue is bounded", "how many log records a request has, of about 100 KiB at most"),
        row(vars::SPAN_BATCH.max_export_batch_size, "Batch::max_export_batch_size", "512", "how many spans one has"),
        row(vars::LOGS_QUEUE_BYTES, "Batch::max_queue_bytes", "67108864", "how many bytes of log records wait"),
        row(vars::WAIT_WHEN_FULL, "Batch::wait_when_full", "0 ms", "how long a call waits for room before its item is dropped and counted"),
        row(vars::ATTRIBUTE_COUNT, "Limits::attribute_count", "128", "attributes of a log record or span"),
        row(vars::LOG_ATTRIBUTE_COUNT, "Limits::attribute_count", "128", "of a log record"),
        row(vars::SPAN_ATTRIBUTE_COUNT, "Limits::attribute_count", "128", "of a span"),
        row(vars::ATTRIBUTE_LENGTH, "Limits::attribute_value_length", "none", "characters of a text in an attribute"),
        row(vars::LOG_ATTRIBUTE_LENGTH, "Limits::attribute_value_length", "none", "of a log record's"),
        row(vars::SPAN_ATTRIBUTE_LENGTH, "Limits::attribute_value_length", "none", "of a span's"),
        row(vars::SPAN_EVENT_COUNT, "Limits::event_count", "128", "events of a span"),
        row(vars::SPAN_LINK_COUNT, "Limits::link_count", "128", "links of a span"),
        row(vars::EVENT_ATTRIBUTE_COUNT, "Limits::event_attribute_count", "128", "attributes of an event"),
        row(vars::LINK_ATTRIBUTE_COUNT, "Limits::link_attribute_count", "128", "attributes of a link"),
    ]),
];

/// The names of all variables lens obeys.
pub(super) fn known() -> impl Iterator<Item = String> {
    let rows = SETTINGS.iter().flat_map(|(_, rows)| rows.iter());
    rows.flat_map(Row::variables)
}

/// What is settled, in the order of the table.
pub(super) fn in_order(mut settled: Vec<Settled>) -> Vec<Settled> {
    let known: Vec<_> = known().collect();
    settled.sort_by_key(|settled| known.iter().position(|known| known == settled.name));
    settled
}

/// The variables that are set and mean nothing to lens, with what there is to say of them. Those
/// that are most likely a mistake are told.
pub(super) fn unknown(env: &Env, read: &mut Reader<'_>) -> Vec<(String, String)> {
    let known: Vec<_> = known().collect();
    let mut unknown = Vec::new();
    for name in env.names() {
        let prefix = read.prefixes().find(|prefix| name.starts_with(prefix));
        let is_standard = name.starts_with(vars::STANDARD);
        let standing = prefix.and_then(|prefix| name.strip_prefix(prefix));
        let standing = standing.map(|key| format!("{}{key}", vars::PREFIX));
        let standing = standing.as_deref().unwrap_or(name);
        if (prefix.is_none() && !is_standard) || known.iter().any(|known| known == standing) {
            continue;
        }
        let unsupported = vars::UNSUPPORTED.iter().find(|(known, _)| *known == name);
        if let Some((_, reason)) = unsupported {
            read.advise(format!("{name} is set and has no effect: {reason}"));
            unknown.push((name.to_owned(), (*reason).to_owned()));
            continue;
        }
        let near = nearest(standing, known.iter().map(String::as_str));
        let near = near.map(|near| match prefix {
            Some(prefix) => near.replacen(vars::PREFIX, prefix, 1),
            None => near.to_owned(),
        });
        let said = match near {
            Some(near) => format!("did you mean {near}?"),
            None => "lens knows no such variable".to_owned(),
        };
        // Other languages' have names of their own.
        if prefix.is_some() || said.starts_with("did") {
            read.say(format!("unknown variable {name}; {said}"));
        }
        unknown.push((name.to_owned(), said));
    }
    unknown
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
