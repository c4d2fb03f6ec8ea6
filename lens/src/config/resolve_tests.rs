use super::*;
use crate::config::{Export, Protocol, Target};

fn settled(builder: Builder, env: &[(&str, &str)]) -> (Config, LocalKind, Vec<String>) {
    let mut builder = builder;
    resolve(&mut builder, &Env::from_iter(env.iter().copied()))
}

fn otlp(routes: Option<Vec<Route>>) -> Target {
    match routes.as_deref() {
        Some([Route::Otlp(target)]) => (**target).clone(),
        other => panic!("expected OTLP, got {other:?}"),
    }
}

fn admits(config: &Config, level: log::Level, target: &str) -> bool {
    level <= config.filter.table().decide(target, Some(target)).level
}

#[test]
fn what_code_says_of_one_signal_is_above_what_it_says_of_all_and_below_variables() {
    let code = || {
        Builder::new()
            .logs(true)
            .endpoint("http://all:1")
            .headers("a=1")
            .export(Export::new().compression("gzip").timeout(Duration::ZERO))
            .log_export(Export::new().endpoint("http://logs:2/x").headers("b=2"))
            .span_export(Export::new().exporter("console,pretty"))
    };
    let (config, _, notices) = settled(code(), &[]);
    assert_eq!(notices, [""; 0]);
    assert!(matches!(
        config.routes(Signal::Traces),
        Some([Route::Console, Route::Pretty])
    ));
    let (logs, metrics) = (otlp(config.logs), otlp(config.metrics));
    assert_eq!(logs.uri, "http://logs:2/x");
    assert_eq!(metrics.uri, "http://all:1/v1/metrics");
    assert!(logs.headers.contains_key("b") && !logs.headers.contains_key("a"));
    assert!(logs.gzip && logs.timeout.is_none());
    let variable = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://env:3");
    let (config, ..) = settled(code(), &[variable]);
    assert_eq!(otlp(config.logs).uri, "http://env:3/v1/logs");
}

#[test]
fn the_programs_own_prefix_is_read_before_that_of_lens() {
    let own = || Builder::new().env_prefix("MEGATRON_OTEL").logs(true);
    let env = [
        ("MEGATRON_OTEL_LOGS_LEVEL", "debug"),
        ("NEMO_LENS_LOGS_LEVEL", "error"),
        ("NEMO_LENS_EXPORTER", "console"),
    ];
    let (config, _, notices) = settled(own(), &env);
    assert_eq!(notices, [""; 0]);
    assert!(admits(&config, log::Level::Debug, "a"));
    assert!(matches!(
        config.routes(Signal::Logs),
        Some([Route::Console])
    ));
    let (_, _, notices) = settled(own(), &[("MEGATRON_OTEL_LOGS_LEVEL", "loud")]);
    assert!(
        notices[0].contains("MEGATRON_OTEL_LOGS_LEVEL"),
        "{notices:?}"
    );
}

#[test]
fn a_process_that_does_not_export_has_nothing_to_export_to() {
    let env = [
        ("RANK", "0"),
        ("WORLD_SIZE", "2"),
        ("NEMO_LENS_EXPORT_STRATEGY", "single_rank"),
    ];
    let (config, ..) = settled(Builder::new().logs(true), &env);
    assert!(!config.enabled && config.logs.is_none() && config.traces.is_none());
}

#[test]
fn certificates_that_cannot_be_used_turn_their_signal_off_in_one_line() {
    let off = |env: &[(&str, &str)]| {
        let https = ("OTEL_EXPORTER_OTLP_ENDPOINT", "https://c");
        let (config, _, notices) = settled(Builder::new(), &[&[https], env].concat());
        assert!(matches!(config.routes(Signal::Traces), Some([])));
        notices
    };
    let missing = "/no/such/file.pem";
    let notices = off(&[("OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE", missing)]);
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(notices[0].contains(missing) && notices[0].contains("TRACES_CERTIFICATE"));
    let half = off(&[("OTEL_EXPORTER_OTLP_CLIENT_KEY", missing)]);
    assert!(
        half[0].contains("CLIENT_KEY needs the other half"),
        "{half:?}"
    );
    let none = off(&[("OTEL_EXPORTER_OTLP_CERTIFICATE", "Cargo.toml")]);
    assert!(none[0].contains("in PEM format"), "{none:?}");
}

#[test]
fn nothing_asked_means_spans_to_the_default_endpoint() {
    let (config, local, notices) = settled(Builder::new(), &[]);
    assert!(config.enabled && config.logs.is_none());
    assert!(matches!(local, LocalKind::Stderr));
    assert_eq!(notices, [""; 0]);
    let target = otlp(config.traces);
    assert_eq!(target.uri, "http://localhost:4318/v1/traces");
    assert_eq!(target.protocol, Protocol::HttpProtobuf);
    assert_eq!(config.shutdown_timeout, Duration::from_secs(5));
}

#[test]
fn the_environment_wins_over_code() {
    let code = Builder::new()
        .service("code")
        .level("warn")
        .exporter("console");
    let (config, _, notices) = settled(
        code,
        &[
            ("OTEL_SERVICE_NAME", "env"),
            ("NEMO_LENS_LOGS_LEVEL", " DEBUG "),
            ("NEMO_LENS_EXPORTER", "pretty"),
            ("OTEL_LOGS_EXPORTER", "None"),
        ],
    );
    assert_eq!(config.identity.service, "env");
    assert!(admits(&config, log::Level::Debug, "a"));
    assert!(matches!(
        config.routes(Signal::Traces),
        Some([Route::Pretty])
    ));
    assert!(matches!(config.routes(Signal::Logs), Some([])));
    assert_eq!(notices, [""; 0]);
}

#[test]
fn the_kill_switches_win_over_everything() {
    for (var, value) in [
        ("OTEL_SDK_DISABLED", "TRUE"),
        ("OTEL_SDK_DISABLED", "tRuE"),
        ("NEMO_LENS_ENABLED", "off"),
    ] {
        let (config, ..) = settled(Builder::new().enabled(true).logs(true), &[(var, value)]);
        assert!(!config.enabled && config.logs.is_none() && config.traces.is_none());
    }
}

#[test]
fn only_true_disables_the_sdk() {
    for value in ["1", "yes", "on"] {
        let (config, _, notices) = settled(Builder::new(), &[("OTEL_SDK_DISABLED", value)]);
        assert!(config.enabled);
        assert_eq!(notices.len(), 1, "{value}");
    }
    let (config, _, notices) = settled(Builder::new(), &[("OTEL_SDK_DISABLED", "false")]);
    assert!(config.enabled && notices.is_empty());
}

#[test]
fn level_and_logger_in_code_turn_logs_on() {
    assert!(settled(Builder::new().level("info"), &[]).0.logs.is_some());
    assert!(settled(Builder::new().logger("a"), &[]).0.logs.is_some());
    assert!(
        settled(Builder::new(), &[("NEMO_LENS_LOGS_LEVEL", "info")])
            .0
            .logs
            .is_none()
    );
    let (config, ..) = settled(
        Builder::new().level("info"),
        &[("NEMO_LENS_LOGS_ENABLED", "0")],
    );
    assert!(config.logs.is_none());
}

// https://github.com/open-telemetry/opentelemetry-go-contrib/issues/7755 (FIL-03)
#[test]
fn a_bad_value_is_one_notice_with_what_is_used_instead() {
    let (config, _, notices) = settled(
        Builder::new().level("warn"),
        &[("NEMO_LENS_LOGS_LEVEL", "garbage")],
    );
    assert!(!admits(&config, log::Level::Info, "a"));
    assert_eq!(
        notices,
        [
            "invalid value \"garbage\" for NEMO_LENS_LOGS_LEVEL, expected off, error, warn, info, \
          debug or trace; using warn"
        ]
    );
}

#[test]
fn port_4317_means_grpc_unless_a_protocol_is_set() {
    let grpc = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4317");
    let (config, ..) = settled(Builder::new(), &[grpc]);
    assert_eq!(otlp(config.traces).protocol, Protocol::Grpc);
    let (config, ..) = settled(
        Builder::new(),
        &[grpc, ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")],
    );
    assert_eq!(otlp(config.traces).protocol, Protocol::HttpProtobuf);
    let (config, ..) = settled(Builder::new().protocol("GRPC"), &[]);
    assert_eq!(
        otlp(config.traces).uri,
        "http://localhost:4317/opentelemetry.proto.collector.trace.v1.TraceService/Export"
    );
}

#[test]
fn the_variable_of_a_signal_wins_and_an_empty_one_is_unset() {
    let (config, ..) = settled(
        Builder::new().logs(true),
        &[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://all:1"),
            ("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "http://logs:2/x"),
            ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", ""),
            ("OTEL_EXPORTER_OTLP_HEADERS", "a=1"),
            ("OTEL_EXPORTER_OTLP_LOGS_HEADERS", ""),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "3000"),
            ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "0"),
            ("OTEL_EXPORTER_OTLP_COMPRESSION", "GZIP"),
        ],
    );
    let (logs, traces) = (otlp(config.logs), otlp(config.traces));
    assert_eq!(logs.uri, "http://logs:2/x");
    assert_eq!(traces.uri, "http://all:1/v1/traces");
    assert_eq!(logs.headers["a"], "1");
    assert_eq!(logs.timeout, Some(Duration::from_secs(3)));
    assert_eq!(traces.timeout, None);
    assert!(logs.gzip && traces.gzip);
}

#[test]
fn a_malformed_endpoint_turns_its_signal_off_in_one_line_without_its_secrets() {
    for endpoint in ["c:4318", "ftp://user:CANARY@c?t=CANARY", "http://"] {
        let (config, _, notices) =
            settled(Builder::new(), &[("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)]);
        assert!(
            matches!(config.routes(Signal::Traces), Some([])),
            "{endpoint}"
        );
        assert_eq!(notices.len(), 1, "{notices:?}");
        assert!(notices[0].contains("OTEL_EXPORTER_OTLP_ENDPOINT"));
        assert!(!notices[0].contains("CANARY"), "{}", notices[0]);
    }
}

#[test]
fn bad_headers_and_protocols_are_named_once_for_all_signals() {
    let (config, _, notices) = settled(
        Builder::new().logs(true),
        &[
            ("OTEL_EXPORTER_OTLP_HEADERS", "token=%ZZCANARY,ok=1"),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "thrift"),
        ],
    );
    let target = otlp(config.logs);
    assert_eq!(target.protocol, Protocol::HttpProtobuf);
    assert_eq!(target.headers["ok"], "1");
    assert_eq!(notices.len(), 2, "{notices:?}");
    assert!(!notices.concat().contains("CANARY") && !format!("{target:?}").contains("\"1\""));
}

#[test]
fn over_a_logger_handed_in_the_variable_can_only_say_off() {
    struct Mine;
    impl log::Log for Mine {
        fn enabled(&self, _: &log::Metadata<'_>) -> bool {
            true
        }
        fn log(&self, _: &log::Record<'_>) {}
        fn flush(&self) {}
    }
    let local = |word| settled(Builder::new().local(Mine), &[("NEMO_LENS_LOCAL", word)]);
    assert!(matches!(local("off").1, LocalKind::Off));
    let (_, kept, notices) = local("stdout");
    assert!(matches!(kept, LocalKind::Logger(..)));
    assert_eq!(notices.len(), 1);
    let (_, slot, _) = settled(
        Builder::new().local("none"),
        &[("NEMO_LENS_LOCAL", "stderr")],
    );
    assert!(matches!(slot, LocalKind::None));
}
