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
    /// `true` or `false`, or an expression for what this says.
    FlagOrExpr(&'static str),
    /// `true` or `false`.
    Switch,
    /// An integer, or an expression that gives one.
    Number,
    /// An integer as it stands.
    Count,
    /// One of these words, as a string; behind a colon is what may be anything.
    Word(&'static [&'static str]),
    /// A string with commas, or a list of strings.
    Names,
    /// Some of these words with commas between them, as a string.
    Words(&'static [&'static str]),
    /// One of these words, or an expression for what this says.
    WordOrExpr(&'static [&'static str], &'static str),
    /// Milliseconds, or an expression that gives a `Duration`.
    Timeout,
    /// A path.
    Path,
    /// Any expression.
    Expr,
    /// `name(key = value, …)`.
    Fields,
    /// `name(function, …)`.
    Idents,
    /// The name alone.
    Bare,
    /// A number from 0 to 1.
    Part,
}

const LEVELS: &[&str] = &["off", "error", "warn", "warning", "info", "debug", "trace"];
const EXPORTERS: &[&str] = &["otlp", "console", "pretty", "file:PATH", "none"];
const PROTOCOLS: &[&str] = &["http/protobuf", "http/json", "grpc"];
const STRATEGIES: &[&str] = &["all_ranks", "single_rank", "sampled", "first_rank_per_node"];
const FLAVORS: &[&str] = &["current_thread", "multi_thread"];
const SAMPLERS: &[&str] = &["always_on", "always_off"];
const IDS: &[&str] = &["random", "counting"];
const ISOLATIONS: &[&str] = &["context", "process"];
const KINDS: &[&str] = &["internal", "server", "client", "producer", "consumer"];
const LOCALS: &[&str] = &["stderr", "stdout", "off", "none"];

pub(crate) const MAIN: &[Key] = &[
    key("enabled", Kind::Flag, "enabled = true"),
    key("service", Kind::Text, "service = \"trainer\""),
    key("version", Kind::Text, "version = \"1.2.0\""),
    key("traces", Kind::Flag, "traces = true"),
    key("metrics", Kind::Flag, "metrics = true"),
    key("logs", Kind::Flag, "logs = true"),
    key("level", Kind::Word(LEVELS), "level = \"info\""),
    key("logger", Kind::Names, "logger = \"megatron.training\""),
    key(
        "filter",
        Kind::Text,
        "filter = \"warn,megatron.training=debug\"",
    ),
    key("log_ranks", Kind::Text, "log_ranks = \"0\""),
    key("redact", Kind::Text, "redact = \"+session\""),
    key("span_fields", Kind::Names, "span_fields = \"request_id\""),
    key(
        "local",
        Kind::WordOrExpr(LOCALS, "a logger"),
        "local = \"stderr\"",
    ),
    key(
        "tracing",
        Kind::FlagOrExpr("a subscriber"),
        "tracing = true",
    ),
    key("exporter", Kind::Words(EXPORTERS), "exporter = \"otlp\""),
    key(
        "endpoint",
        Kind::Text,
        "endpoint = \"http://localhost:4318\"",
    ),
    key("protocol", Kind::Word(PROTOCOLS), "protocol = \"grpc\""),
    key("headers", Kind::Text, "headers = \"x-tenant=team\""),
    key("groups", Kind::Names, "groups = \"per_step\""),
    key("root_span", Kind::Text, "root_span = \"job\""),
    key("inherit_context", Kind::Flag, "inherit_context = false"),
    key("resource", Kind::Fields, "resource(team = \"core\")"),
    key(
        "strategy",
        Kind::WordOrExpr(STRATEGIES, "a function"),
        "strategy = \"single_rank\"",
    ),
    key("rank", Kind::Number, "rank = 0"),
    key("world_size", Kind::Number, "world_size = 8"),
    key("env_prefix", Kind::Text, "env_prefix = \"MEGATRON_OTEL\""),
    key("signals", Kind::Flag, "signals = true"),
    key("strict", Kind::Flag, "strict = true"),
    key("shutdown_timeout", Kind::Timeout, "shutdown_timeout = 5000"),
    CRATE,
];

pub(crate) const TRACE: &[Key] = &[
    key("name", Kind::Text, "name = \"train.step\""),
    GROUP,
    KIND,
    PARENT,
    LINKS,
    key("err", Kind::Switch, "err = false"),
    key("fields", Kind::Fields, "fields(iteration = i)"),
    key("skip", Kind::Idents, "skip(new, len)"),
    CRATE,
];

pub(crate) const BRIDGE: &[Key] = &[
    key("level", Kind::Word(LEVELS), "level = \"debug\""),
    key("off", Kind::Bare, "off"),
    key("max_per_second", Kind::Count, "max_per_second = 100"),
    key("sample", Kind::Part, "sample = 0.01"),
    CRATE,
];

/// What `span!` takes beside a name and fields.
pub(super) const SPAN: &[Key] = &[GROUP, KIND, PARENT, LINKS];

/// What `counter!` and its like take beside a name, a value and fields.
pub(super) const METRIC: &[Key] = &[UNIT, DESCRIPTION];

/// What `histogram!` takes.
pub(super) const HISTOGRAM: &[Key] = &[
    UNIT,
    DESCRIPTION,
    key("buckets", Kind::Expr, "buckets = [0.1, 1.0, 10.0]"),
];

pub(crate) const TEST: &[Key] = &[
    key("flavor", Kind::Word(FLAVORS), "flavor = \"multi_thread\""),
    key("worker_threads", Kind::Number, "worker_threads = 4"),
    key("start_paused", Kind::Flag, "start_paused = true"),
    key("level", Kind::Word(LEVELS), "level = \"debug\""),
    key("logger", Kind::Names, "logger = \"shop\""),
    key("filter", Kind::Text, "filter = \"warn,shop=debug\""),
    key("groups", Kind::Names, "groups = \"step\""),
    key("resource", Kind::Fields, "resource(team = \"core\")"),
    key("env", Kind::Fields, "env(OTEL_SERVICE_NAME = \"billing\")"),
    key("sampler", Kind::Word(SAMPLERS), "sampler = \"always_off\""),
    key("ids", Kind::Word(IDS), "ids = \"counting\""),
    key("strict", Kind::Flag, "strict = false"),
    key(
        "isolation",
        Kind::Word(ISOLATIONS),
        "isolation = \"process\"",
    ),
    CRATE,
];

const GROUP: Key = key("group", Kind::Text, "group = \"step\"");
const KIND: Key = key("kind", Kind::Word(KINDS), "kind = \"server\"");
const PARENT: Key = key("parent", Kind::Expr, "parent = lens::extract(&headers)");
const LINKS: Key = key("links", Kind::Expr, "links = [context]");
const UNIT: Key = key("unit", Kind::Text, "unit = \"{token}\"");
const DESCRIPTION: Key = key("description", Kind::Text, "description = \"Tokens seen.\"");
const CRATE: Key = key("crate", Kind::Path, "crate = my_lens");

const fn key(name: &'static str, kind: Kind, example: &'static str) -> Key {
    Key {
        name,
        kind,
        example,
    }
}
