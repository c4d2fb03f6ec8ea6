//! Every exit delivers, and stays the exit it was.

use std::collections::HashSet;
use std::time::Duration;

use lens_testkit::{Receiver, Reply, Span};

use super::{PROTOCOLS, bodies, program, sync, without_digits};

/// Without lens a program with nothing to deliver takes next to no time.
const AT_ONCE: Duration = Duration::from_secs(3);

#[test]
fn a_return_delivers() {
    let receiver = Receiver::start();
    let run = sync("span", &receiver).run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    assert_eq!(bodies(&receiver.logs().to_vec()), ["inside the step"]);
    assert_eq!(receiver.spans().to_vec()[0].name(), "step");
}

// https://github.com/yuhr/fncmd/pull/12 (MAC-02), https://github.com/bug-ops/zeph/issues/6696 (SHU-02)
#[test]
fn an_err_is_a_record_and_keeps_its_exit_code() {
    let receiver = Receiver::start();
    let run = sync("err", &receiver).run();
    assert_eq!(run.code(), 1);
    assert_eq!(run.stderr, "Error: \"the disk is full\"\n");
    let logs = receiver.logs().to_vec();
    assert_eq!(bodies(&logs), ["inside the step", "the disk is full"]);
    assert_eq!(logs[1].severity().1, "ERROR");
    assert_eq!(
        logs[1].attr("exception.message"),
        Some(&"the disk is full".into())
    );
    assert_eq!(logs[1].target(), "sync");
}

// https://github.com/pydantic/logfire-rust/issues/39 (SHU-03)
#[test]
fn a_panic_in_main_is_one_fatal_record_and_looks_as_ever() {
    let receiver = Receiver::start();
    let run = sync("panic", &receiver).run();
    let without = program!("without_lens", "panic").run();
    assert_eq!(run.code(), 101);
    assert_eq!(
        without_digits(&run.own_stderr()),
        without_digits(&without.stderr)
    );
    let logs = receiver.logs().to_vec();
    assert_eq!(logs.len(), 2, "{logs:#?}");
    assert_eq!(logs[0].body_str(), "before the panic");
    assert_eq!((logs[1].severity().0, logs[1].severity().1), (21, "FATAL"));
    assert!(logs[1].body_str().starts_with("index out of bounds"));
    assert_eq!(logs[1].attr("exception.type"), Some(&"panic".into()));
    let spans = receiver.spans().to_vec();
    assert_eq!(spans[0].name(), "doomed");
    assert_eq!(spans[0].error(), Some("panicked"));
    assert_eq!(logs[1].span_id(), Some(spans[0].span_id()));
}

#[cfg(unix)]
#[test]
#[ignore = "judges programs built with panic = \"abort\", in `LENS_TESTKIT_BINS`"]
fn a_panic_that_aborts_is_delivered_before_it_does() {
    for (mode, span) in [
        ("panic", "doomed"),
        ("thread panic", "doomed"),
        ("caught", ""),
    ] {
        for protocol in PROTOCOLS {
            let receiver = Receiver::start();
            let run = program!("sync", mode).sending_to(&receiver, protocol).run();
            let without = program!("without_lens", mode).run();
            assert_eq!(run.signal(), Some(libc::SIGABRT), "{mode}: {run:?}");
            assert_eq!(run.signal(), without.signal(), "{mode}");
            assert_eq!(
                without_digits(&run.stderr),
                without_digits(&without.stderr),
                "{mode}"
            );
            let logs = receiver.logs().to_vec();
            let last = logs.last().expect("the panic");
            assert_eq!(last.severity().1, "FATAL", "{mode}");
            assert_eq!(last.attr("exception.type"), Some(&"panic".into()));
            let spans = receiver.spans().to_vec();
            let names: Vec<_> = spans.iter().map(Span::name).collect();
            assert_eq!(names.join(" "), span, "{mode}");
        }
    }
}

#[test]
fn a_panic_that_main_survives_is_an_error_in_its_place() {
    let receiver = Receiver::start();
    assert_eq!(sync("caught", &receiver).run().code(), 0);
    let logs = receiver.logs().to_vec();
    assert_eq!(bodies(&logs), ["caught later", "after the panic"]);
    assert_eq!(logs[0].severity().1, "ERROR");
    assert!(logs[0].time() <= logs[1].time());

    let receiver = Receiver::start();
    assert_eq!(sync("caught at the end", &receiver).run().code(), 0);
    assert_eq!(receiver.logs().to_vec()[0].severity().1, "ERROR");
}

#[test]
fn open_spans_are_ended_and_marked() {
    let receiver = Receiver::start();
    assert_eq!(sync("leave spans open", &receiver).run().code(), 0);
    let mut spans = receiver.spans().to_vec();
    spans.sort_by(|a, b| a.name().cmp(b.name()));
    let names: Vec<_> = spans.iter().map(|span| span.name()).collect();
    assert_eq!(names, ["lens span", "raw span"]);
    for span in &spans {
        assert_eq!(span.attr("nemo.span.truncated"), Some(&true.into()));
        assert!(!span.duration().is_zero(), "{}", span.name());
    }
    assert_eq!(spans[0].attr("n"), Some(&1.into()));
}

// https://github.com/open-telemetry/opentelemetry-go-contrib/issues/7509 (SHU-08)
#[test]
fn flushing_the_logger_delivers_before_it_returns() {
    let receiver = Receiver::start();
    let run = sync("flush and exit", &receiver).run();
    assert_eq!((run.code(), run.stdout.as_str()), (1, "flushed\n"));
    assert_eq!(bodies(&receiver.logs().to_vec()), ["last words"]);

    let run = program!("handed_over", "flush and exit").run();
    assert_eq!(
        run.stdout, "flushed\nflushed\n",
        "the wrapped logger is flushed too"
    );
}

#[test]
fn flushing_works_inside_a_runtime_and_without_a_collector() {
    let receiver = Receiver::start();
    for program in [
        program!("current_thread", "flush in a task"),
        program!("one_worker", "flush in a task"),
    ] {
        let run = program.exporting(&receiver.endpoint(), "grpc").run();
        assert_eq!((run.code(), run.stdout.as_str()), (0, "flushed\n"));
    }
    assert_eq!(receiver.logs().count(), 2);
    let down = Receiver::start_down();
    let run = sync("flush and exit", &down).run();
    assert_eq!((run.code(), run.stdout.as_str()), (1, "flushed\n"));
    assert!(run.elapsed < AT_ONCE, "{:?}", run.elapsed);
}

// https://github.com/open-telemetry/opentelemetry-rust/issues/1660 (SHU-06)
#[test]
fn a_thread_that_logs_through_the_end_changes_nothing() {
    for (mode, code) in [("beside a thread", 0), ("beside a thread, and exit", 3)] {
        let receiver = Receiver::start();
        let run = sync(mode, &receiver).run();
        assert_eq!(
            (run.code(), run.own_stderr().as_str()),
            (code, ""),
            "{mode}"
        );
        // One that was made while lens stopped, perhaps.
        let notices = run.notices();
        let is_late = |notice: &&str| notice.contains("dropped, after shutdown");
        assert!(
            notices.len() <= 1 && notices.iter().all(is_late),
            "{notices:?}"
        );
        let logs = receiver.logs().to_vec();
        let arrived: HashSet<_> = bodies(&logs).into_iter().collect();
        assert_eq!(arrived.len(), logs.len(), "{mode}: once each");
        for line in (0..100).map(|i| format!("line {i}")) {
            assert!(arrived.contains(line.as_str()), "{mode}: {line}");
        }
        assert!(arrived.contains("last words"), "{mode}");
    }
}

#[test]
fn an_exit_during_a_shutdown_waits_for_it() {
    let receiver = Receiver::start();
    receiver.always(&Reply::ok().after(Duration::from_millis(300)));
    let run = sync("two stops", &receiver).run();
    assert_eq!((run.code(), run.stderr.as_str()), (4, ""));
    assert_eq!(bodies(&receiver.logs().to_vec()), ["one line"]);
}

// https://github.com/open-telemetry/opentelemetry-rust/issues/3589 (SHU-05)
#[test]
fn a_collector_that_was_never_there_costs_nothing_at_exit() {
    for protocol in super::PROTOCOLS {
        let down = Receiver::start_down();
        let run = program!("sync", "span")
            .exporting(&down.endpoint(), protocol)
            .run();
        assert_eq!(run.code(), 0);
        assert!(run.elapsed < AT_ONCE, "{protocol}: {:?}", run.elapsed);
        // A program that is slow enough hears of the first attempt as well.
        let notices = run.notices();
        assert!((1..=2).contains(&notices.len()), "{protocol}: {notices:?}");
        assert_eq!(
            notices.last(),
            Some(
                &"1 of 1 log records were not exported (1 failed); \
                  1 of 1 spans were not exported (1 failed)"
            ),
            "{protocol}"
        );
    }
}

// https://github.com/open-telemetry/opentelemetry-rust/issues/2583 (SHU-01)
#[test]
fn a_collector_that_hangs_costs_the_one_deadline() {
    for protocol in super::PROTOCOLS {
        let receiver = Receiver::start();
        receiver.always(&Reply::hang());
        for program in [
            program!("sync", "one of each"),
            program!("current_thread", "one of each"),
        ] {
            let run = program
                .exporting(&receiver.endpoint(), protocol)
                .env("NEMO_LENS_SHUTDOWN_TIMEOUT", "1000")
                .run();
            assert_eq!(run.code(), 0);
            assert!(
                run.elapsed >= Duration::from_secs(1),
                "{protocol}: {:?}",
                run.elapsed
            );
            assert!(
                run.elapsed < Duration::from_secs(4),
                "{protocol}: {:?}",
                run.elapsed
            );
            let notices = run.notices();
            assert_eq!(
                notices.last(),
                Some(
                    &"1 of 1 log records were not exported (1 sent without an answer); \
                      1 of 1 spans were not exported (1 sent without an answer); \
                      1 of 1 data points were not exported (1 sent without an answer)"
                ),
                "{protocol}"
            );
        }
    }
}

#[test]
fn a_panic_that_ends_main_is_fatal_though_something_logs_as_it_unwinds() {
    let receiver = Receiver::start();
    assert_eq!(sync("unwinding", &receiver).run().code(), 101);
    let logs = receiver.logs().to_vec();
    assert_eq!(bodies(&logs), ["the last one", "dropped"]);
    assert_eq!(logs[0].severity(), (21, "FATAL"));
}

#[test]
fn a_panic_that_leaves_late_has_the_ids_of_its_own_time() {
    let receiver = Receiver::start();
    assert_eq!(sync("behind a panic", &receiver).run().code(), 0);
    receiver.logs().body("caught outside").uncorrelated().one();
    let later = receiver.spans().name("later").one();
    receiver.logs().body("inside").one().in_span(&later);
}

#[test]
fn a_record_leaves_though_the_console_panics() {
    let receiver = Receiver::start();
    let program = program!("broken_console", "").exporting(&receiver.endpoint(), "grpc");
    assert_eq!(program.run().code(), 101);
    assert_eq!(
        bodies(&receiver.logs().to_vec()),
        ["printed by nobody", "the console is broken"]
    );
}
