//! The vocabulary of the attributes: a row for each argument.

/// One argument an attribute knows.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(super) kind: Kind,
    pub(super) example: &'static str,
}

/// What kind of value an argument takes.
pub(super) enum Kind {
    /// A string, or an expression that gives one.
    Text,
    /// `true` or `false`, or an expression that gives one.
    Flag,
    /// One of these words, as a string.
    Word(&'static [&'static str]),
    /// A string with commas, or a list of strings.
    Names,
    /// One of these words, or an expression.
    WordOrExpr(&'static [&'static str]),
    /// Milliseconds, or an expression that gives a `Duration`.
    Timeout,
    /// A path.
    Path,
    /// `name(key = value, …)`.
    Fields,
}

const LEVELS: &[&str] = &["off", "error", "warn", "warning", "info", "debug", "trace"];
const EXPORTERS: &[&str] = &["otlp", "console", "pretty", "none"];
const PROTOCOLS: &[&str] = &["http/protobuf", "grpc"];
const LOCALS: &[&str] = &["stderr", "stdout", "off", "none"];

pub(crate) const MAIN: &[Key] = &[
    key("enabled", Kind::Flag, "enabled = true"),
    key("service", Kind::Text, "service = \"trainer\""),
    key("version", Kind::Text, "version = \"1.2.0\""),
    key("traces", Kind::Flag, "traces = true"),
    key("logs", Kind::Flag, "logs = true"),
    key("level", Kind::Word(LEVELS), "level = \"info\""),
    key("logger", Kind::Names, "logger = \"megatron.training\""),
    key("local", Kind::WordOrExpr(LOCALS), "local = \"stderr\""),
    key("exporter", Kind::Word(EXPORTERS), "exporter = \"otlp\""),
    key(
        "endpoint",
        Kind::Text,
        "endpoint = \"http://localhost:4318\"",
    ),
    key("protocol", Kind::Word(PROTOCOLS), "protocol = \"grpc\""),
    key("headers", Kind::Text, "headers = \"x-tenant=team\""),
    key("shutdown_timeout", Kind::Timeout, "shutdown_timeout = 5000"),
    CRATE,
];

pub(crate) const TRACE: &[Key] = &[
    key("name", Kind::Text, "name = \"train.step\""),
    key("fields", Kind::Fields, "fields(iteration = i)"),
    CRATE,
];

const CRATE: Key = key("crate", Kind::Path, "crate = my_lens");

const fn key(name: &'static str, kind: Kind, example: &'static str) -> Key {
    Key {
        name,
        kind,
        example,
    }
}
