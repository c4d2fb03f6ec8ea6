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
    assert_eq!(receiver.points()[0].name, "renamed.steps");
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
