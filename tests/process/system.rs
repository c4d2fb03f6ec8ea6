//! What the system does not give: a thread, somebody who reads.

use lens_testkit::Receiver;

use super::sync;

#[test]
fn without_a_thread_the_program_runs_and_says_that_nothing_is_exported() {
    let receiver = Receiver::start();
    let run = sync("one of each", &receiver)
        .env("NEMO_LENS_FLUSH_ON_SIGNAL", "true")
        // More than there are addresses.
        .env("RUST_MIN_STACK", (1_u64 << 60).to_string())
        .run();
    assert_eq!((run.code(), run.own_stderr().as_str()), (0, ""));
    let [export, signals] = run.notices()[..] else {
        panic!("{}", run.stderr)
    };
    assert!(export.starts_with("cannot start a thread ("), "{export}");
    assert!(export.ends_with("; nothing is exported"), "{export}");
    assert!(
        signals.starts_with("signals cannot be heard ("),
        "{signals}"
    );
    receiver.attempts().assert_count(0);
}

#[test]
fn outputs_that_nobody_reads_change_nothing() {
    for (mode, code) in [("span", 0), ("err", 1), ("panic", 101), ("exit", 3)] {
        let receiver = Receiver::start();
        assert_eq!(sync(mode, &receiver).unread().run().code(), code, "{mode}");
        assert_eq!(receiver.spans().count(), 1, "{mode}");
        for exporter in ["console", "pretty"] {
            let run = sync(mode, &receiver)
                .env("NEMO_LENS_EXPORTER", exporter)
                .unread()
                .run();
            assert_eq!(run.code(), code, "{mode} {exporter}");
        }
        // Nor does it where lens has something to say.
        receiver.go_down();
        assert_eq!(sync(mode, &receiver).unread().run().code(), code, "{mode}");
    }
}
