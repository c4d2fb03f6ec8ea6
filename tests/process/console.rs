//! The console is the application's: the same bytes as without lens.

use lens_testkit::Receiver;
use lens_testkit::Run;

use super::{program, timeless};

fn same_console(with: &Run, without: &Run, case: &str) {
    assert_eq!(with.code(), without.code(), "{case}");
    assert_eq!(with.stdout, without.stdout, "{case}");
    assert_eq!(
        timeless(&with.own_stderr()),
        timeless(&without.stderr),
        "{case}"
    );
}

const RUST_LOGS: [Option<&str>; 6] = [
    None,
    Some("off"),
    Some("warn"),
    Some("trace"),
    Some("error,app=debug,app::inner=trace"),
    Some("nonsense=nothing"),
];

// https://github.com/open-telemetry/opentelemetry-python/issues/2594 (CFG-01)
// https://github.com/rust-lang/log/issues/680 (FIL-02)
#[test]
fn the_console_is_what_it_is_without_lens() {
    let (up, down) = (Receiver::start(), Receiver::start_down());
    for rust_log in RUST_LOGS {
        let mut without = program!("without_lens", "console");
        if let Some(rust_log) = rust_log {
            without = without.env("RUST_LOG", rust_log);
        }
        let without = without.run();
        for level in ["off", "error", "trace"] {
            for (collector, variable, value) in [
                ("up", "OTEL_EXPORTER_OTLP_ENDPOINT", up.endpoint()),
                ("down", "OTEL_EXPORTER_OTLP_ENDPOINT", down.endpoint()),
                ("off", "OTEL_SDK_DISABLED", "true".to_owned()),
            ] {
                let mut with = program!("sync", "console")
                    .env(variable, &value)
                    .env("NEMO_LENS_LOGS_LEVEL", level);
                if let Some(rust_log) = rust_log {
                    with = with.env("RUST_LOG", rust_log);
                }
                let case = format!("RUST_LOG={rust_log:?} level={level} collector {collector}");
                same_console(&with.run(), &without, &case);
            }
        }
    }
}

#[test]
fn colour_is_decided_as_without_lens() {
    for style in ["always", "never", "auto"] {
        let style = |program: lens_testkit::Program| {
            program
                .env("RUST_LOG", "info")
                .env("RUST_LOG_STYLE", style)
                .run()
        };
        let with = style(program!("sync", "console").env("NEMO_LENS_EXPORTER", "none"));
        let without = style(program!("without_lens", "console"));
        same_console(&with, &without, "colour");
    }
}

#[test]
fn the_console_can_be_moved_and_turned_off() {
    let lines = |local: &str| {
        let run = program!("sync", "log")
            .env("RUST_LOG", "info")
            .env("NEMO_LENS_LOCAL", local)
            .env("NEMO_LENS_EXPORTER", "none")
            .run();
        (run.stdout.lines().count(), run.stderr.lines().count())
    };
    assert_eq!(lines("stderr"), (0, 1));
    assert_eq!(lines("stdout"), (1, 0));
    assert_eq!(lines("off"), (0, 0));
}

#[test]
fn a_logger_that_is_handed_over_keeps_its_level_whatever_is_bridged() {
    for level in ["off", "error", "trace"] {
        let receiver = Receiver::start();
        let run = program!("handed_over", "levels")
            .exporting(&receiver.endpoint(), "grpc")
            .env("NEMO_LENS_LOGS_LEVEL", level)
            .run();
        let gate = if level == "trace" { "TRACE" } else { "WARN" };
        assert_eq!(
            run.stdout,
            format!("ERROR error\nWARN warn\nmax level: {gate}\n")
        );
        let bridged = match level {
            "off" => 0,
            "error" => 1,
            _ => 5,
        };
        assert_eq!(receiver.logs().count(), bridged, "{level}");
    }
}

#[test]
fn when_lens_is_off_the_gate_is_what_the_console_needs() {
    let run = program!("sync", "levels")
        .env("NEMO_LENS_ENABLED", "0")
        .run();
    assert_eq!(run.stdout, "max level: ERROR\n");
}

// https://github.com/tokio-rs/tracing/issues/2817 (MAC-01)
#[test]
fn a_second_logger_panics_with_the_fix_beside_it() {
    let receiver = Receiver::start();
    let run = super::sync("init in a helper", &receiver).run();
    assert_eq!(run.code(), 101);
    let hint = run
        .notices()
        .into_iter()
        .find(|notice| notice.contains("env_logger::init()"));
    assert!(
        hint.is_some_and(|hint| hint.contains("local = my_logger()")),
        "{}",
        run.stderr
    );
    let disabled = program!("sync", "init in a helper")
        .env("OTEL_SDK_DISABLED", "true")
        .run();
    assert_eq!(
        (disabled.code(), disabled.notices().len()),
        (101, 1),
        "the same with lens off"
    );
}

#[test]
fn a_logger_that_was_there_first_is_left_alone() {
    let receiver = Receiver::start();
    let run = program!("foreign_logger", "console")
        .env("RUST_LOG", "info")
        .exporting(&receiver.endpoint(), "grpc")
        .run();
    let without = program!("without_lens", "console")
        .env("RUST_LOG", "info")
        .run();
    same_console(&run, &without, "foreign logger");
    assert_eq!(run.notices().len(), 1);
    assert!(run.notices()[0].starts_with("another logger was installed before lens"));
    assert_eq!(receiver.logs().count(), 0);
}

#[test]
fn a_processor_that_panics_is_one_line_and_the_program_goes_on() {
    let well = lens_testkit::bin!("own_provider").run();
    let run = lens_testkit::bin!("own_provider").arg("panics").run();
    assert_eq!(run.code(), 0);
    assert_eq!(run.notices().len(), 1, "{}", run.stderr);
    assert!(run.notices()[0].starts_with("a log processor panicked"));
    // All but what the processor itself would have logged, for the console.
    assert_eq!(run.stdout.replace("printed 3", "printed 4"), well.stdout);
}

#[test]
fn a_program_with_its_own_provider_keeps_it_and_its_logger() {
    let run = lens_testkit::bin!("own_provider").run();
    assert_eq!(
        run.stdout,
        "invalid console \"stdrr\", expected stderr, stdout, off or a logger\n\
         invalid console \"none\", expected stderr, stdout, off or a logger\n\
         invalid level \"loud\", expected off, error, warn, info, debug or trace\n\
         invalid logger \"crate::a\", expected a name that does not begin with crate\n\
         WARN taken\n\
         flushed\n\
         printed 4\n\
         metric steps\n\
         metric depth\n\
         Err(\"lens is already running in this process; this start is ignored, \
         the first one stays in effect\")\n"
    );
}

// https://github.com/open-telemetry/opentelemetry-python/issues/2594 (CFG-01)
#[test]
fn every_logger_that_is_handed_over_prints_what_it_prints_without_lens() {
    let down = Receiver::start_down();
    for logger in lens_tests::loggers::ALL {
        let up = Receiver::start();
        let without = program!("custom_without", logger).run();
        assert_eq!(without.code(), 0, "{logger}");
        assert!(
            without.stdout.lines().count() + without.stderr.lines().count() > 2,
            "{logger}"
        );
        for endpoint in [up.endpoint(), down.endpoint()] {
            let with = program!("custom_with", logger).exporting(&endpoint, "http/protobuf");
            same_console(&with.run(), &without, logger);
        }
        let off = program!("custom_with", logger).env("NEMO_LENS_ENABLED", "0");
        same_console(&off.run(), &without, logger);
        assert_eq!(up.logs().body("error 1").count(), 1, "{logger}");
    }
}

#[test]
fn a_rank_that_does_not_bridge_keeps_its_console() {
    let run = |rank: &str, ranks: &str| {
        let receiver = Receiver::start();
        let run = program!("sync", "levels")
            .exporting(&receiver.endpoint(), "http/protobuf")
            .env("NEMO_LENS_LOGS_RANKS", ranks)
            .env("SLURM_PROCID", rank)
            .env("SLURM_NTASKS", "4")
            .run();
        (receiver.logs().count(), run.stdout, timeless(&run.stderr))
    };
    let (bridged, gate, console) = run("0", "0,3");
    assert_eq!((bridged, gate.as_str()), (3, "max level: INFO\n"));
    for rank in ["1", "2"] {
        let (bridged, gate, same) = run(rank, "first,last");
        assert_eq!(
            (bridged, gate.as_str(), same),
            (0, "max level: ERROR\n", console.clone())
        );
    }
    assert_eq!(run("3", "last").0, 3);
    let (bridged, _, said) = run("3", "the best");
    assert_eq!(bridged, 3);
    assert!(said.starts_with(
        "lens: invalid value \"the best\" for NEMO_LENS_LOGS_RANKS, expected all, first, last, or \
         ranks as in 0,8-11; using all\n"
    ));
}
