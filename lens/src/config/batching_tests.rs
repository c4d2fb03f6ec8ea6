use super::*;
use crate::env::Env;
use crate::stats::Signal;

fn settled(signal: Signal, code: &Batch, env: &[(&str, &str)]) -> (Batching, Vec<String>) {
    let env = Env::from_iter(env.iter().copied());
    let mut read = Reader::new(&env);
    let batching = match signal {
        Signal::Logs => log_batching(code, &mut read),
        _ => span_batching(code, &mut read),
    };
    (batching, read.notices)
}

#[test]
fn nothing_asked_bounds_log_records_by_bytes_and_spans_by_number() {
    let (batching, notices) = settled(Signal::Logs, &Batch::new(), &[]);
    assert_eq!((batching, notices.len()), (Batching::default(), 0));
    assert_eq!((batching.queue(), batching.batch()), (65_536, 512));
}

#[test]
fn each_signal_has_its_variables_and_they_win_over_code() {
    let env = [
        ("OTEL_BLRP_MAX_QUEUE_SIZE", "100"),
        ("OTEL_BLRP_MAX_EXPORT_BATCH_SIZE", "10"),
        ("OTEL_BLRP_SCHEDULE_DELAY", "20"),
        ("OTEL_BLRP_EXPORT_TIMEOUT", "0"),
        ("OTEL_BSP_MAX_QUEUE_SIZE", "200"),
        ("NEMO_LENS_LOGS_QUEUE_BYTES", "4096"),
        ("NEMO_LENS_WAIT_WHEN_FULL", "30"),
    ];
    let code = Batch::new()
        .max_queue_size(1)
        .max_export_batch_size(1)
        .schedule_delay(Duration::from_secs(7))
        .wait_when_full(Duration::from_secs(7));
    let (logs, notices) = settled(Signal::Logs, &code, &env);
    let expected = Batching {
        most_waiting: Some(100),
        bytes: 4096,
        most_at_once: Some(10),
        delay: Duration::from_millis(20),
        timeout: None,
        patience: Duration::from_millis(30),
    };
    assert_eq!((logs, notices.len()), (expected, 0));
    let (spans, _) = settled(Signal::Traces, &code, &env);
    assert_eq!((spans.queue(), spans.batch()), (200, 1));
    assert_eq!(spans.delay, Duration::from_secs(7));
}

#[test]
fn what_is_no_number_above_zero_is_told_and_as_good_as_unset() {
    for bad in [
        "0",
        "abc",
        "-1",
        "1.5",
        "0x10",
        "2147483648",
        "99999999999999999999",
    ] {
        let (batching, notices) = settled(
            Signal::Logs,
            &Batch::new(),
            &[("OTEL_BLRP_MAX_QUEUE_SIZE", bad)],
        );
        assert_eq!(batching, Batching::default(), "{bad}");
        assert_eq!(
            notices,
            [format!(
                "invalid value {bad:?} for OTEL_BLRP_MAX_QUEUE_SIZE, expected a whole number \
                 from 1 to 2147483647; it is as good as unset"
            )]
        );
    }
}

#[test]
fn what_cannot_be_is_moved_to_what_can_and_told() {
    let env = [
        ("OTEL_BLRP_MAX_QUEUE_SIZE", "2048"),
        ("OTEL_BLRP_MAX_EXPORT_BATCH_SIZE", "4096"),
        ("OTEL_BLRP_SCHEDULE_DELAY", "0"),
    ];
    let (batching, notices) = settled(Signal::Logs, &Batch::new(), &env);
    assert_eq!((batching.queue(), batching.batch()), (2048, 2048));
    assert_eq!(batching.delay, Duration::from_millis(1));
    assert_eq!(notices.len(), 2, "{notices:?}");
    let batch = Batch::new().max_export_batch_size(100_000);
    let (spans, notices) = settled(Signal::Traces, &batch, &[]);
    assert_eq!((spans.queue(), spans.batch()), (65_536, 65_536));
    assert_eq!(notices.len(), 1, "{notices:?}");
    let batch = Batch::new()
        .schedule_delay(Duration::MAX)
        .wait_when_full(Duration::MAX);
    let (logs, _) = settled(Signal::Logs, &batch, &[("OTEL_BLRP_EXPORT_TIMEOUT", "1")]);
    assert_eq!((logs.delay, logs.patience), (FOR_EVER, FOR_EVER));
}
