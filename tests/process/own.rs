//! Processors and exporters of the program's own.

use lens_testkit::Receiver;

use super::program;

#[test]
fn processors_and_exporters_of_the_programs_own_see_everything() {
    let receiver = Receiver::start();
    let run = program!("own_exporters", "")
        .sending_to(&receiver, "http/protobuf")
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    for line in [
        "printer log one line",
        "printer span one span",
        "metric renamed.steps",
        "logs are shut down",
        "processor ended",
    ] {
        assert!(
            run.stdout.lines().any(|printed| printed == line),
            "{line}: {}",
            run.stdout
        );
    }
    assert!(
        run.stdout.contains("emitted: 2, exported: 2"),
        "{}",
        run.stdout
    );
    assert_eq!(receiver.logs().one().attr("marked"), Some(&true.into()));
    assert_eq!(receiver.spans().one().attr("marked"), Some(&true.into()));
    assert_eq!(receiver.metrics().one().name, "renamed.steps");
}

#[test]
fn an_exporter_of_the_programs_own_that_fails_costs_a_line_and_is_counted() {
    for (mode, told) in [
        ("failure", "no paper"),
        ("panic in the exporter", "it panicked"),
    ] {
        let run = program!("own_exporters", mode)
            .env("NEMO_LENS_EXPORTER", "none")
            .run();
        assert_eq!(run.code(), 0);
        let notices = run.notices();
        assert!(
            notices
                .iter()
                .any(|notice| notice.contains("exporter") && notice.contains(told)),
            "{mode}: {}",
            run.stderr
        );
        assert!(run.stdout.contains("failed: 1"), "{}", run.stdout);
    }
}

#[test]
fn a_flush_reaches_what_is_the_programs_own() {
    let run = program!("own_exporters", "flush")
        .env("NEMO_LENS_EXPORTER", "none")
        .run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    let (before, _) = run
        .stdout
        .split_once("\nflushed\n")
        .expect("it was flushed");
    for line in [
        "processor flushed",
        "printer log one line",
        "metric renamed.steps",
    ] {
        assert!(
            before.lines().any(|printed| printed == line),
            "{line}: {before}"
        );
    }
}

#[test]
fn a_processor_that_does_not_end_costs_the_deadline_and_no_record() {
    let receiver = Receiver::start();
    let run = program!("own_exporters", "a processor that hangs")
        .sending_to(&receiver, "grpc")
        .env("NEMO_LENS_SHUTDOWN_TIMEOUT", "500")
        .run();
    assert_eq!(run.code(), 0);
    assert!(
        run.stderr
            .contains("a processor of the program's own did not end in time")
    );
    assert_eq!((receiver.logs().count(), receiver.spans().count()), (1, 1));
    assert_eq!(receiver.metrics().count(), 1);
}
