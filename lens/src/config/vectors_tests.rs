//! What each variable comes to: a table of environments and of what is settled by them.

use super::*;

/// Some variables, a setting, what it comes to, and how many notices there are.
type Vector<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str, usize);

const TRACES_URL: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const PROTOCOL: &str = "OTEL_EXPORTER_OTLP_PROTOCOL";
const TRACES_PROTOCOL: &str = "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL";
const QUEUE: &str = "OTEL_BLRP_MAX_QUEUE_SIZE";
const SAMPLER: &str = "OTEL_TRACES_SAMPLER";
const ARG: &str = "OTEL_TRACES_SAMPLER_ARG";
const OFF: &str = "none, since it is invalid";

/// How the specification, and otherwise common sense, has it.
#[rustfmt::skip]
const VECTORS: &[Vector<'_>] = &[
    // https://opentelemetry.io/docs/specs/otel/configuration/common/
    (&[("OTEL_SDK_DISABLED", "TRUE")], "OTEL_SDK_DISABLED", "true", 0),
    (&[("OTEL_SDK_DISABLED", "tRuE")], "OTEL_SDK_DISABLED", "true", 0),
    (&[("OTEL_SDK_DISABLED", "1")], "OTEL_SDK_DISABLED", "false", 1),
    (&[("OTEL_SDK_DISABLED", "yes")], "OTEL_SDK_DISABLED", "false", 1),
    (&[("OTEL_SDK_DISABLED", "on")], "OTEL_SDK_DISABLED", "false", 1),
    (&[("OTEL_SDK_DISABLED", "false")], "OTEL_SDK_DISABLED", "false", 0),
    (&[("OTEL_SDK_DISABLED", "")], "OTEL_SDK_DISABLED", "false", 0),
    (&[], "OTEL_SDK_DISABLED", "false", 0),
    (&[("NEMO_LENS_ENABLED", "maybe")], "NEMO_LENS_ENABLED", "true", 1),
    (&[("NEMO_LENS_ENABLED", "No")], "NEMO_LENS_ENABLED", "false", 0),
    (&[("NEMO_LENS_LOGS_ENABLED", "yes")], "NEMO_LENS_LOGS_ENABLED", "true", 0),
    // batches
    (&[(QUEUE, "abc")], QUEUE, "none", 1),
    (&[(QUEUE, "-1")], QUEUE, "none", 1),
    (&[(QUEUE, "1.5")], QUEUE, "none", 1),
    (&[(QUEUE, "0x10")], QUEUE, "none", 1),
    (&[(QUEUE, "2147483648")], QUEUE, "none", 1),
    (&[(QUEUE, "99999999999999999999")], QUEUE, "none", 1),
    (&[(QUEUE, "0")], QUEUE, "none", 1),
    (&[(QUEUE, " 5000 ")], QUEUE, "5000", 0),
    (&[(QUEUE, "2048"), ("OTEL_BLRP_MAX_EXPORT_BATCH_SIZE", "4096")], "OTEL_BLRP_MAX_EXPORT_BATCH_SIZE", "2048", 1),
    (&[], "OTEL_BSP_MAX_QUEUE_SIZE", "65536", 0),
    (&[], "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "512", 0),
    (&[("OTEL_BSP_EXPORT_TIMEOUT", "0")], "OTEL_BSP_EXPORT_TIMEOUT", "0 ms", 0),
    (&[("OTEL_BLRP_SCHEDULE_DELAY", "-5")], "OTEL_BLRP_SCHEDULE_DELAY", "1000 ms", 1),
    (&[("OTEL_BLRP_SCHEDULE_DELAY", "0")], "OTEL_BLRP_SCHEDULE_DELAY", "1 ms", 1),
    (&[("OTEL_BSP_SCHEDULE_DELAY", "0")], "OTEL_BSP_SCHEDULE_DELAY", "1 ms", 1),
    (&[("OTEL_BSP_MAX_QUEUE_SIZE", "0")], "OTEL_BSP_MAX_QUEUE_SIZE", "65536", 1),
    (&[("OTEL_BSP_MAX_QUEUE_SIZE", "100")], "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "100", 0),
    (&[("OTEL_BSP_MAX_QUEUE_SIZE", "2048"), ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "4096")], "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "2048", 1),
    // limits
    (&[("OTEL_ATTRIBUTE_COUNT_LIMIT", "5")], "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "5", 0),
    (&[("OTEL_ATTRIBUTE_COUNT_LIMIT", "5"), ("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "7")], "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "7", 0),
    (&[("OTEL_SPAN_EVENT_COUNT_LIMIT", "0")], "OTEL_SPAN_EVENT_COUNT_LIMIT", "0", 0),
    (&[("OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT", "x")], "OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT", "128", 1),
    (&[("OTEL_LINK_ATTRIBUTE_COUNT_LIMIT", "3")], "OTEL_LINK_ATTRIBUTE_COUNT_LIMIT", "3", 0),
    // exporters
    (&[("OTEL_TRACES_EXPORTER", "otlp,console")], "OTEL_TRACES_EXPORTER", "otlp,console", 0),
    (&[("OTEL_TRACES_EXPORTER", "console, console ,CONSOLE")], "OTEL_TRACES_EXPORTER", "console", 0),
    (&[("NEMO_LENS_LOGS_ENABLED", "1"), ("OTEL_LOGS_EXPORTER", "None")], "OTEL_LOGS_EXPORTER", "none", 0),
    (&[("OTEL_TRACES_EXPORTER", "None")], "OTEL_TRACES_EXPORTER", "none", 0),
    (&[("OTEL_TRACES_EXPORTER", "none,otlp")], "OTEL_TRACES_EXPORTER", "none", 1),
    (&[("OTEL_TRACES_EXPORTER", "zipkin,console")], "OTEL_TRACES_EXPORTER", "console", 1),
    (&[("OTEL_METRICS_EXPORTER", "prometheus")], "OTEL_METRICS_EXPORTER", "otlp", 1),
    (&[("NEMO_LENS_EXPORTER", "console"), ("OTEL_METRICS_EXPORTER", "none")], "OTEL_METRICS_EXPORTER", "none", 0),
    (&[("NEMO_LENS_EXPORTER", "console")], "OTEL_METRICS_EXPORTER", "console", 0),
    // https://opentelemetry.io/docs/specs/otel/protocol/exporter/#endpoint-urls-for-otlphttp
    (&[], TRACES_URL, "http://localhost:4318/v1/traces", 0),
    (&[(ENDPOINT, "http://c:4318")], TRACES_URL, "http://c:4318/v1/traces", 0),
    (&[(ENDPOINT, "http://c:4318/")], TRACES_URL, "http://c:4318/v1/traces", 0),
    (&[(ENDPOINT, "http://c:4318/my/")], TRACES_URL, "http://c:4318/my/v1/traces", 0),
    (&[(ENDPOINT, "http://c:4318/my")], TRACES_URL, "http://c:4318/my/v1/traces", 0),
    (&[(ENDPOINT, "http://c/")], TRACES_URL, "http://c/v1/traces", 0),
    (&[(ENDPOINT, "https://c")], TRACES_URL, "https://c/v1/traces", 0),
    (&[(TRACES_URL, "http://c:4318")], TRACES_URL, "http://c:4318/", 0),
    (&[(TRACES_URL, "http://c:4318/x/")], TRACES_URL, "http://c:4318/x/", 0),
    (&[(TRACES_URL, ""), (ENDPOINT, "http://c:4318")], TRACES_URL, "http://c:4318/v1/traces", 0),
    (&[(ENDPOINT, "http://[::1]:4318")], TRACES_URL, "http://[::1]:4318/v1/traces", 0),
    (&[(ENDPOINT, "http://c:4318?k=v")], TRACES_URL, "http://c:4318/v1/traces", 1),
    (&[(ENDPOINT, "http://c:4318/v1/traces")], TRACES_URL, "http://c:4318/v1/traces/v1/traces", 1),
    (&[(ENDPOINT, "c:4318")], TRACES_URL, OFF, 1),
    (&[(ENDPOINT, "ftp://c")], TRACES_URL, OFF, 1),
    // https://opentelemetry.io/docs/specs/otel/protocol/exporter/#configuration-options
    (&[(PROTOCOL, "grpc")], TRACES_URL, "http://localhost:4317", 0),
    (&[(PROTOCOL, "GRPC"), (ENDPOINT, "https://c:4317/path")], TRACES_URL, "https://c:4317", 1),
    (&[(PROTOCOL, "grpc"), (ENDPOINT, "c:4317")], TRACES_URL, "https://c:4317", 0),
    (&[(PROTOCOL, "grpc"), (ENDPOINT, "c:4317"), ("OTEL_EXPORTER_OTLP_INSECURE", "true")], TRACES_URL, "http://c:4317", 0),
    (&[(ENDPOINT, "c:4317"), ("OTEL_EXPORTER_OTLP_SPAN_INSECURE", "true")], TRACES_URL, "http://c:4317", 0),
    (&[(PROTOCOL, "grpc"), (ENDPOINT, "https://c:4317"), ("OTEL_EXPORTER_OTLP_INSECURE", "true")], TRACES_URL, "https://c:4317", 0),
    (&[("OTEL_EXPORTER_OTLP_INSECURE", "yes")], "OTEL_EXPORTER_OTLP_TRACES_INSECURE", "false", 1),
    (&[(ENDPOINT, "unix:///run/otel.sock")], TRACES_URL, "unix:///run/otel.sock", 0),
    (&[(ENDPOINT, "unix:///run/otel.sock")], TRACES_PROTOCOL, "grpc", 0),
    (&[(ENDPOINT, "unix:///run/otel.sock"), (PROTOCOL, "http/protobuf")], TRACES_URL, OFF, 1),
    (&[(PROTOCOL, "grpc"), (ENDPOINT, "http://c:4318")], TRACES_PROTOCOL, "grpc", 1),
    (&[(PROTOCOL, "http/protobuf"), (ENDPOINT, "http://c:4317")], TRACES_PROTOCOL, "http/protobuf", 1),
    (&[(ENDPOINT, "http://c:4317")], TRACES_PROTOCOL, "grpc", 0),
    (&[(PROTOCOL, "HTTP/Json")], TRACES_PROTOCOL, "http/json", 0),
    (&[(PROTOCOL, "http/xml")], TRACES_PROTOCOL, "http/protobuf", 1),
    (&[(PROTOCOL, "grpc"), (TRACES_PROTOCOL, "http/json")], TRACES_PROTOCOL, "http/json", 0),
    (&[(PROTOCOL, "grpc"), (TRACES_PROTOCOL, "thrift")], TRACES_PROTOCOL, "grpc", 1),
    (&[("OTEL_EXPORTER_OTLP_TIMEOUT", "0")], "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "0 ms", 0),
    (&[("OTEL_EXPORTER_OTLP_TIMEOUT", "3000"), ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "")], "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "3000 ms", 0),
    (&[("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "soon")], "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "10000 ms", 1),
    (&[("OTEL_EXPORTER_OTLP_COMPRESSION", "GZip")], "OTEL_EXPORTER_OTLP_METRICS_COMPRESSION", "gzip", 0),
    (&[("OTEL_EXPORTER_OTLP_COMPRESSION", "zstd")], "OTEL_EXPORTER_OTLP_METRICS_COMPRESSION", "none", 1),
    (&[("OTEL_EXPORTER_OTLP_HEADERS", "a=1"), ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "")], "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=[redacted]", 0),
    (&[("OTEL_EXPORTER_OTLP_HEADERS", "a=1"), ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "b=2")], "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "b=[redacted]", 0),
    (&[("OTEL_EXPORTER_OTLP_HEADERS", "a=1,b=x%20y,c,=d, e = 5 ,f=%zz,ü=1")], "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=[redacted],b=[redacted],e=[redacted]", 4),
    // https://opentelemetry.io/docs/specs/otel/resource/sdk/
    (&[("OTEL_RESOURCE_ATTRIBUTES", "service.name=a"), ("OTEL_SERVICE_NAME", "b")], "OTEL_SERVICE_NAME", "b", 0),
    (&[("OTEL_RESOURCE_ATTRIBUTES", "service.name=a")], "OTEL_SERVICE_NAME", "a", 0),
    (&[("OTEL_RESOURCE_ATTRIBUTES", "a=1,broken,b=2")], "OTEL_RESOURCE_ATTRIBUTES", OFF, 1),
    (&[("OTEL_RESOURCE_ATTRIBUTES", "a=%ff")], "OTEL_RESOURCE_ATTRIBUTES", OFF, 1),
    (&[("OTEL_RESOURCE_ATTRIBUTES", "a=1,api_key=s,k=x%20y")], "OTEL_RESOURCE_ATTRIBUTES", "a=1,api_key=[redacted],k=x y", 0),
    (&[("OTEL_RESOURCE_ATTRIBUTES", "a=b=c")], "OTEL_RESOURCE_ATTRIBUTES", "a=b=c", 1),
    // samplers
    (&[], SAMPLER, "parentbased_always_on", 0),
    (&[(SAMPLER, "ALWAYS_OFF")], SAMPLER, "always_off", 0),
    (&[(SAMPLER, "")], SAMPLER, "parentbased_always_on", 0),
    (&[(SAMPLER, "xray")], SAMPLER, "parentbased_always_on", 1),
    (&[(SAMPLER, "parentbased_jaeger_remote")], SAMPLER, "parentbased_always_on", 1),
    (&[(SAMPLER, "traceidratio")], ARG, "1", 0),
    (&[(SAMPLER, "traceidratio"), (ARG, "0.25")], ARG, "0.25", 0),
    (&[(SAMPLER, "traceidratio"), (ARG, "1.5")], ARG, "1", 1),
    (&[(SAMPLER, "traceidratio"), (ARG, "-0.1")], ARG, "1", 1),
    (&[(SAMPLER, "traceidratio"), (ARG, "NaN")], ARG, "1", 1),
    (&[(SAMPLER, "traceidratio"), (ARG, "inf")], ARG, "1", 1),
    (&[(SAMPLER, "traceidratio"), (ARG, "0,25")], ARG, "1", 1),
    (&[(ARG, "0.25")], SAMPLER, "parentbased_always_on", 1),
    // propagators
    (&[], "OTEL_PROPAGATORS", "tracecontext,baggage", 0),
    (&[("OTEL_PROPAGATORS", "baggage,tracecontext,baggage")], "OTEL_PROPAGATORS", "baggage,tracecontext", 0),
    (&[("OTEL_PROPAGATORS", "B3,b3multi")], "OTEL_PROPAGATORS", "b3,b3multi", 0),
    (&[("OTEL_PROPAGATORS", "none")], "OTEL_PROPAGATORS", "none", 0),
    (&[("OTEL_PROPAGATORS", "none,b3")], "OTEL_PROPAGATORS", "none", 1),
    (&[("OTEL_PROPAGATORS", "foo")], "OTEL_PROPAGATORS", "tracecontext,baggage", 1),
    (&[("OTEL_PROPAGATORS", "xray,baggage")], "OTEL_PROPAGATORS", "baggage", 1),
    // metrics
    (&[("OTEL_METRIC_EXPORT_INTERVAL", "0")], "OTEL_METRIC_EXPORT_INTERVAL", "60000 ms", 1),
    (&[("OTEL_METRIC_EXPORT_TIMEOUT", "100")], "OTEL_METRIC_EXPORT_TIMEOUT", "100 ms", 0),
    (&[("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "Delta")], "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "delta", 0),
    (&[("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "none")], "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "cumulative", 1),
    (&[("OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION", "base2_exponential_bucket_histogram")], "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION", "base2_exponential_bucket_histogram", 0),
    // what is there and does nothing
    (&[("OTEL_METRICS_EXEMPLAR_FILTER", "always_on")], "OTEL_SDK_DISABLED", "false", 1),
    (&[("OTEL_CONFIG_FILE", "x"), ("OTEL_SERVICE_NAME", "b")], "OTEL_SERVICE_NAME", "b", 1),
    // https://github.com/NVIDIA-NeMo/Lens
    (&[], "NEMO_LENS_EXPORT_STRATEGY", "all_ranks", 0),
    (&[("NEMO_LENS_EXPORT_STRATEGY", "every_rank")], "NEMO_LENS_EXPORT_STRATEGY", "all_ranks", 1),
    (&[("NEMO_LENS_EXPORT_RANK", "-2")], "NEMO_LENS_EXPORT_RANK", "-1, the last", 1),
    (&[("NEMO_LENS_EXPORT_SAMPLE_RATE", "nan")], "NEMO_LENS_EXPORT_SAMPLE_RATE", "1", 1),
    (&[("NEMO_LENS_EXPORT_SAMPLE_RATE", "0.5")], "NEMO_LENS_EXPORT_SAMPLE_RATE", "0.5", 0),
    (&[("NEMO_LENS_RUN_ID", "run"), ("SLURM_JOB_ID", "42")], "NEMO_LENS_RUN_ID", "run", 0),
    (&[("SLURM_JOB_ID", "42")], "NEMO_LENS_RUN_ID", "42", 0),
    (&[("NEMO_LENS_EXPLAIN", "json")], "NEMO_LENS_EXPLAIN", "json", 0),
];

#[test]
fn each_variable_comes_to_what_the_specification_says() {
    let mut wrong = Vec::new();
    for (env, setting, expected, notices) in VECTORS {
        let env_of = Env::from_iter(env.iter().copied());
        let (config, _, said) = resolve(&mut Builder::new(), &env_of);
        let mut settled = config.settled.iter();
        let found = settled.find(|settled| settled.name == *setting);
        let value = found.map_or("not settled", |settled| settled.value.as_str());
        if (value, said.len()) != (*expected, *notices) {
            wrong.push(format!(
                "{env:?}: {setting} is {value:?}, expected {expected:?}; {} notices, expected \
                 {notices}: {said:?}",
                said.len()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn target(env: &[(&str, &str)]) -> crate::config::Target {
    let env = Env::from_iter(env.iter().copied());
    let (config, ..) = resolve(&mut Builder::new(), &env);
    match config.routes(Signal::Traces) {
        Some([Route::Otlp(target)]) => (**target).clone(),
        other => panic!("expected OTLP, got {other:?}"),
    }
}

#[test]
fn zero_is_no_limit_and_headers_are_decoded() {
    let timeout = "OTEL_EXPORTER_OTLP_TIMEOUT";
    assert_eq!(target(&[(timeout, "0")]).timeout, None);
    assert_eq!(
        target(&[(timeout, "7")]).timeout,
        Some(Duration::from_millis(7))
    );
    let env = Env::from_iter([
        ("OTEL_BSP_EXPORT_TIMEOUT", "0"),
        ("OTEL_METRIC_EXPORT_TIMEOUT", "0"),
    ]);
    let (config, ..) = resolve(&mut Builder::new(), &env);
    assert_eq!(config.batching(Signal::Traces).timeout, None);
    assert_eq!(config.batching(Signal::Metrics).timeout, None);
    for (given, name, expected) in [
        ("a=1,b=x%20y, e = 5 ", "b", "x y"),
        ("a=1,b=x%20y, e = 5 ", "e", "5"),
        (
            "Authorization=Basic%20dXNlcjpwYXNz%3D%3D",
            "authorization",
            "Basic dXNlcjpwYXNz==",
        ),
        ("authorization=Basic AAA==", "authorization", "Basic AAA=="),
        ("k=a%2Cb,c=d", "k", "a,b"),
    ] {
        let headers = target(&[("OTEL_EXPORTER_OTLP_HEADERS", given)]).headers;
        assert_eq!(headers[name], expected, "{given}");
    }
}

#[test]
fn a_setting_that_is_bad_is_a_fault_and_one_that_is_odd_is_not() {
    let faults = |env: &[(&str, &str)]| {
        let env = Env::from_iter(env.iter().copied());
        let (config, _, notices) = resolve(&mut Builder::new(), &env);
        (config.faults.len(), notices.len())
    };
    assert_eq!(faults(&[("OTEL_TRACES_SAMPLER", "xray")]), (1, 1));
    assert_eq!(faults(&[("NEMO_LENS_EXPROTER", "none")]), (1, 1));
    assert_eq!(faults(&[("OTEL_CONFIG_FILE", "x")]), (0, 1));
    assert_eq!(faults(&[("OTEL_RESOURCE_ATTRIBUTES", "a=b=c")]), (0, 1));
    // A process that does not export sees what is bad as well.
    let other = [
        ("RANK", "0"),
        ("WORLD_SIZE", "2"),
        ("NEMO_LENS_EXPORT_STRATEGY", "single_rank"),
        (ENDPOINT, "nowhere"),
    ];
    assert_eq!(faults(&other), (1, 1));
    assert_eq!(
        faults(&[("OTEL_SDK_DISABLED", "true"), (ENDPOINT, "nowhere")]),
        (0, 0)
    );
}

#[test]
fn a_service_that_code_names_by_an_attribute_is_above_the_package() {
    let mut builder = Builder::new().resource("service.name", "by attribute");
    let (config, ..) = resolve(&mut builder, &Env::default());
    assert_eq!(config.identity.service, "by attribute");
    let env = Env::from_iter([("TORCHELASTIC_RUN_ID", "none")]);
    let (config, ..) = resolve(&mut Builder::new(), &env);
    assert_eq!(config.identity.run_id, None);
}

#[test]
fn what_is_no_unicode_is_told_and_as_good_as_unset() {
    let mut env = Env::default();
    env.set_unreadable("OTEL_SERVICE_NAME");
    let (config, _, notices) = resolve(&mut Builder::new().service("code"), &env);
    assert_eq!(config.identity.service, "code");
    assert_eq!(
        notices,
        ["OTEL_SERVICE_NAME is not valid Unicode and is ignored"]
    );
}

#[test]
fn attributes_are_decoded_and_those_of_the_environment_are_above_code() {
    let env = Env::from_iter([("OTEL_RESOURCE_ATTRIBUTES", "k=a%2Cb,p=%41,team=env")]);
    let mut builder = Builder::new().resource("team", "code").resource("n", 7);
    let (config, _, notices) = resolve(&mut builder, &env);
    assert_eq!(notices, [""; 0]);
    let attributes = config.identity.attributes.iter();
    let shown: Vec<_> = attributes
        .map(|pair| format!("{}={}", pair.key, pair.value))
        .collect();
    assert_eq!(shown, ["team=code", "n=7", "k=a,b", "p=A", "team=env"]);
}
