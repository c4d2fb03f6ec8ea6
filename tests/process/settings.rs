//! Settings that only a whole program shows: who exports, to whom, as whom, and what it says of it.

use lens_testkit::{LogRecord, Receiver};

use super::{program, sync};

#[test]
fn a_record_tells_who_sent_it() {
    let receiver = Receiver::start();
    let run = program!("settings", "log")
        .sending_to(&receiver, "http/protobuf")
        .env("RANK", "3")
        .env("WORLD_SIZE", "8")
        .env("LOCAL_RANK", "1")
        .env("SLURM_JOB_ID", "42")
        .env("SLURM_NNODES", "2")
        .env("NEMO_LENS_USER_ID", "ml")
        .env("WANDB_PROJECT", "llm")
        .env("ENVIRONMENT", "staging")
        .env("CUDA_VISIBLE_DEVICES", "0,1")
        .env("OTEL_RESOURCE_ATTRIBUTES", "team=env,a=b%2Cc")
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    let record = receiver.logs().one();
    for (key, value) in [
        ("service.name", "settings"),
        ("service.instance.id", "42-rank3"),
        ("nemo.run.id", "42"),
        ("nemo.user.id", "ml"),
        ("slurm.job.id", "42"),
        ("wandb.project", "llm"),
        ("deployment.environment.name", "staging"),
        ("telemetry.sdk.name", "opentelemetry"),
        ("telemetry.distro.name", "lens"),
        ("process.executable.name", "settings"),
        ("os.type", "linux"),
        ("team", "env"),
        ("a", "b,c"),
    ] {
        assert_eq!(record.resource(key), Some(&value.into()), "{key}");
    }
    for (key, value) in [
        ("dl.rank", 3),
        ("dl.world_size", 8),
        ("dl.local_rank", 1),
        ("slurm.nnodes", 2),
        ("host.gpu.count", 2),
        ("nodes", 2),
    ] {
        assert_eq!(record.resource(key), Some(&value.into()), "{key}");
    }
    for key in ["process.pid", "host.name", "host.arch"] {
        assert!(record.resource(key).is_some(), "{key}");
    }
}

#[test]
fn two_processes_alone_are_two_instances() {
    let receiver = Receiver::start();
    for _ in 0..2 {
        assert_eq!(sync("log", &receiver).run().code(), 0);
    }
    let logs = receiver.logs().to_vec();
    let instance = |log: &LogRecord| log.resource("service.instance.id").cloned();
    assert!(instance(&logs[0]).is_some() && instance(&logs[0]) != instance(&logs[1]));
}

#[test]
fn a_process_that_does_not_export_keeps_its_console_and_opens_nothing() {
    let receiver = Receiver::start();
    let run = |rank: &str, strategy: &str| {
        let run = program!("settings", "log")
            .sending_to(&receiver, "grpc")
            .env("RUST_LOG", "info")
            .env("RANK", rank)
            .env("WORLD_SIZE", "14")
            .env("NEMO_LENS_EXPORT_STRATEGY", strategy)
            .run();
        assert_eq!(run.code(), 0);
        assert!(run.stderr.contains("one line"), "{}", run.stderr);
        receiver.connections()
    };
    assert_eq!(run("0", "single_rank"), 0);
    // Of the program's own strategy.
    assert_eq!(run("13", ""), 0);
    assert_eq!(run("13", "single_rank"), 1);
    assert_eq!(receiver.logs().one().resource("dl.rank"), Some(&13.into()));
}

#[test]
fn a_strict_program_does_not_begin_and_names_every_fault() {
    let receiver = Receiver::start();
    let run = program!("settings", "console")
        .sending_to(&receiver, "http/protobuf")
        .env("MEGATRON_OTEL_STRICT", "1")
        .env("MEGATRON_OTEL_LOGS_LEVEL", "loud")
        .env("NEMO_LENS_EXPROTER", "console")
        .env("OTEL_TRACES_SAMPLER", "xray")
        .run();
    assert_eq!((run.code(), run.stdout.as_str()), (1, ""));
    let notices = run.notices();
    assert_eq!(notices.len(), 4, "{notices:?}");
    for fault in [
        "MEGATRON_OTEL_LOGS_LEVEL",
        "NEMO_LENS_EXPROTER",
        "OTEL_TRACES_SAMPLER",
        "strict",
    ] {
        assert!(
            notices.iter().any(|notice| notice.contains(fault)),
            "{fault}"
        );
    }
    assert_eq!(receiver.connections(), 0);
    // What is off has nothing to be strict about.
    let run = program!("settings", "quiet")
        .env("NEMO_LENS_STRICT", "1")
        .env("OTEL_SDK_DISABLED", "true")
        .env("OTEL_TRACES_SAMPLER", "xray")
        .run();
    assert_eq!(run.code(), 0);
}

#[test]
fn a_signal_goes_to_every_exporter_that_is_named() {
    let receiver = Receiver::start();
    let run = sync("span", &receiver)
        .env("OTEL_LOGS_EXPORTER", "otlp,console")
        .env("OTEL_TRACES_EXPORTER", "console")
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    let record = receiver.logs().body("inside the step").one();
    assert!(
        run.stdout.contains(r#""body":"inside the step""#),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains(r#""type":"span","name":"step""#),
        "{}",
        run.stdout
    );
    assert_eq!(receiver.spans().count(), 0);
    let trace = record.trace_id().expect("it was in a span");
    assert_eq!(run.stdout.matches(&trace.to_string()).count(), 2);
}

#[test]
fn the_accounting_holds_with_several_exporters_and_a_tree_among_them() {
    let receiver = Receiver::start();
    let run = sync("report", &receiver)
        .env("OTEL_TRACES_EXPORTER", "pretty,otlp,console")
        .env("OTEL_LOGS_EXPORTER", "otlp,pretty")
        .run();
    assert_eq!(run.code(), 0);
    let counts = |count: &str| format!("emitted: {count}, exported: {count}, dropped");
    // Each once for each exporter: 8 log records for two, a span for three.
    assert!(run.stdout.contains(&counts("16")), "{}", run.stdout);
    assert!(run.stdout.contains(&counts("3")), "{}", run.stdout);
    assert_eq!((receiver.logs().count(), receiver.spans().count()), (8, 1));
}

#[test]
fn what_a_span_may_hold_is_bounded_and_a_key_is_there_once() {
    let receiver = Receiver::start();
    let run = sync("crowded span", &receiver)
        .env("OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "3")
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    let span = receiver.spans().name("crowded").one();
    assert_eq!(span.attr("k"), Some(&"gęś".into()));
    assert_eq!(span.attr("second"), Some(&"jaź".into()));
    let run = sync("crowded span", &receiver)
        .env("OTEL_ATTRIBUTE_COUNT_LIMIT", "1")
        .run();
    assert_eq!(run.code(), 0);
    let spans = receiver.spans().name("crowded").to_vec();
    assert!(spans.iter().any(|span| span.attr("second").is_none()));
}

// https://github.com/Azure/azure-functions-dotnet-worker/issues/3378 (COR-05)
#[test]
fn a_sampler_keeps_spans_here_and_their_ids_on_records() {
    let receiver = Receiver::start();
    let run = sync("span", &receiver)
        .env("OTEL_TRACES_SAMPLER", "always_off")
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    assert_eq!(receiver.spans().count(), 0);
    assert!(receiver.logs().one().trace_id().is_some());
}
