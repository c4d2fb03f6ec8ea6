//! The accounting against what a receiver counted.

use lens_testkit::{Receiver, Reply, Signal};

use super::sync;

#[test]
fn what_was_emitted_is_what_was_exported() {
    let receiver = Receiver::start();
    let run = sync("report", &receiver).run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    assert_eq!((receiver.logs().count(), receiver.spans().count()), (8, 1));
    assert!(
        run.stdout.contains("emitted: 8, exported: 8,"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("emitted: 1, exported: 1,"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.ends_with("false\n"), "it no longer exports");
}

#[test]
fn what_was_refused_is_in_the_report() {
    let receiver = Receiver::start();
    receiver.script(Signal::Logs, [Reply::partial(3, "")]);
    receiver.script(Signal::Traces, [Reply::status(400)]);
    let run = sync("report", &receiver).run();
    let lines: Vec<_> = run.stdout.lines().collect();
    assert!(
        lines[0].contains("exported: 5,") && lines[0].contains("rejected: 3,"),
        "{lines:?}"
    );
    assert!(
        lines[1].contains("exported: 0,") && lines[1].contains("failed: 1,"),
        "{lines:?}"
    );
    let last = run.notices().last().copied().unwrap_or_default().to_owned();
    assert_eq!(
        last,
        "3 of 8 log records were not exported (3 rejected); \
         1 of 1 spans were not exported (1 failed)"
    );
}
