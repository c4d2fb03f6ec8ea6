use std::sync::atomic::AtomicBool;
use std::thread;

use opentelemetry_proto::tonic::common::v1::AnyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value::IntValue;
use opentelemetry_proto::tonic::logs::v1::{LogRecord, ScopeLogs};
use prost::Message as _;

use super::*;
use crate::export::Item;

/// Where at most so many bytes wait.
fn front(bytes: usize) -> Front {
    Front::new(&Batching {
        bytes,
        ..Batching::default()
    })
}

/// Writes a record with `number` as its body.
fn push(front: &Front, target: &'static str, number: i64) -> Result<bool, Reason> {
    let record = LogRecord {
        body: Some(AnyValue {
            value: Some(IntValue(number)),
        }),
        ..LogRecord::default()
    };
    front.push(&Scope::Target(target, Some(target)), |out| {
        prost::encoding::message::encode(2, &record, out);
    })
}

fn release(front: &Front, runs: Vec<Run>) {
    let items: Vec<_> = runs.into_iter().map(Item::Run).collect();
    front.release(&Units::of(&items));
}

/// The target and number of each record, in the order of the runs.
fn records(runs: &[Run]) -> Vec<(String, i64)> {
    let decode = |run: &Run| {
        let decoded = ScopeLogs::decode(run.records.as_slice()).unwrap();
        assert_eq!(run.count, decoded.log_records.len() as u64);
        let target = run.scope.target.to_string();
        let numbers = decoded.log_records.into_iter().map(number);
        numbers
            .map(|number| (target.clone(), number))
            .collect::<Vec<_>>()
    };
    runs.iter().flat_map(decode).collect()
}

fn number(record: LogRecord) -> i64 {
    match record.body.unwrap().value.unwrap() {
        IntValue(number) => number,
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_record_is_collected_once_while_threads_come_and_go() {
    const THREADS: i64 = 8;
    const EACH: i64 = 2_000;
    let front = front(usize::MAX);
    let is_done = AtomicBool::new(false);
    let mut all = thread::scope(|scope| {
        let collector = scope.spawn(|| {
            let mut all = Vec::new();
            loop {
                let last = is_done.load(Relaxed);
                all.extend(records(&front.collect(last).runs));
                if last {
                    return all;
                }
            }
        });
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                let front = &front;
                scope.spawn(move || {
                    for number in 0..EACH {
                        let target = ["a", "b", "c"][usize::try_from(number % 3).unwrap()];
                        push(front, target, thread * EACH + number).unwrap();
                    }
                })
            })
            .collect();
        threads
            .into_iter()
            .for_each(|thread| thread.join().unwrap());
        is_done.store(true, Relaxed);
        collector.join().unwrap()
    });
    all.sort_by_key(|(_, number)| *number);
    let expected: Vec<_> = (0..THREADS * EACH)
        .map(|number| {
            let of_thread = usize::try_from(number % EACH % 3).unwrap();
            (["a", "b", "c"][of_thread].to_owned(), number)
        })
        .collect();
    assert_eq!(all, expected);
    assert!(front.is_empty());
    assert!(
        lock(&front.buffers).all.is_empty(),
        "threads that are gone leave nothing"
    );
}

#[test]
fn records_of_a_thread_and_target_keep_their_order() {
    let front = front(usize::MAX);
    let numbers: Vec<i64> = (0..20_000).collect();
    for number in &numbers {
        push(&front, "a", *number).unwrap();
    }
    let collected = records(&front.collect(false).runs);
    let collected: Vec<_> = collected.into_iter().map(|(_, number)| number).collect();
    assert_eq!(collected, numbers);
}

#[test]
fn what_is_collected_takes_room_until_it_is_released() {
    let front = front(1_000);
    let mut taken = 0;
    let refused = loop {
        match push(&front, "a", 1) {
            Ok(_) => taken += 1,
            Err(reason) => break reason,
        }
    };
    assert!(matches!(refused, Reason::QueueFull) && taken > 1);
    let runs = front.collect(false).runs;
    assert_eq!(records(&runs).len(), taken);
    assert!(matches!(push(&front, "a", 1), Err(Reason::QueueFull)));
    release(&front, runs);
    push(&front, "a", 1).unwrap();
}

#[test]
fn one_record_that_is_longer_than_all_room_is_taken_alone() {
    let front = front(2);
    push(&front, "a", 1).unwrap();
    assert!(matches!(push(&front, "a", 2), Err(Reason::QueueFull)));
    assert_eq!(records(&front.collect(false).runs), [("a".to_owned(), 1)]);
}

#[test]
fn nothing_is_left_where_nobody_collects() {
    let front = front(usize::MAX);
    push(&front, "a", 1).unwrap();
    assert_eq!(records(&front.collect(true).runs).len(), 1);
    assert!(matches!(push(&front, "a", 2), Err(Reason::AfterShutdown)));
    let by_another = thread::scope(|scope| scope.spawn(|| push(&front, "a", 3)).join());
    assert!(matches!(by_another, Ok(Err(Reason::AfterShutdown))));
    assert!(front.is_empty());
}

#[test]
fn threads_that_are_refused_leave_nothing_behind() {
    let front = front(1);
    push(&front, "a", 0).unwrap();
    for _ in 0..1_000 {
        let refused = thread::scope(|scope| scope.spawn(|| push(&front, "a", 1)).join());
        assert!(matches!(refused, Ok(Err(Reason::QueueFull))));
    }
    assert!(lock(&front.buffers).all.len() <= 2 * RUNS);
    assert_eq!(records(&front.collect(false).runs), [("a".to_owned(), 0)]);
}

#[test]
fn room_that_threads_took_and_did_not_use_is_no_request() {
    let front = front(64 << 20);
    let is_news = |_: &i32| {
        let pushed = thread::scope(|scope| scope.spawn(|| push(&front, "a", 1)).join());
        pushed.is_ok_and(|pushed| pushed.is_ok_and(|is_news| is_news))
    };
    assert_eq!((0..100).filter(is_news).count(), 1, "of the first one");
    assert!(!front.is_empty() && !front.has_enough());
    assert_eq!(front.bytes.waiting.load(Relaxed), 100 * PORTION);
    let runs = front.collect(false).runs;
    assert!(front.is_empty());
    release(&front, runs);
    assert_eq!(front.bytes.waiting.load(Relaxed), 0);
}

#[test]
fn room_that_is_taken_and_not_used_is_collected_when_somebody_finds_none() {
    let front = front(64 * 1024);
    let push = || thread::scope(|scope| scope.spawn(|| push(&front, "a", 1)).join());
    let is_refused = |_: &i32| !push().is_ok_and(|pushed| pushed.is_ok());
    assert!(
        (0..100)
            .find(is_refused)
            .is_some_and(|threads| threads > 50)
    );
    assert!(!front.has_enough(), "it is hardly used");
    assert!(front.runs_short() && !front.runs_short(), "told once");
    assert!(front.has_enough());
    let collected = front.collect(false);
    assert!(collected.is_roomier && !front.has_enough());
    assert!(push().is_ok_and(|pushed| pushed.is_ok()));
}

#[test]
fn many_short_runs_are_bounded_by_what_they_take() {
    let front = front(100_000);
    let targets: Vec<String> = (0..10_000).map(|target| target.to_string()).collect();
    let is_taken = |target: &&String| {
        let scope = Scope::Target(target, None);
        front.push(&scope, |out| out.extend([0x12, 0])).is_ok()
    };
    let taken = targets.iter().filter(is_taken).count();
    assert!(taken * size_of::<Run>() <= 100_000, "{taken}");
    let runs = front.collect(false).runs;
    release(&front, runs);
    assert_eq!(front.bytes.waiting.load(Relaxed), 0);
}

#[test]
fn where_their_number_is_bounded_no_more_records_wait_or_leave_at_once() {
    let front = Front::new(&Batching {
        most_waiting: Some(10),
        most_at_once: Some(4),
        ..Batching::default()
    });
    let news: Vec<_> = (0..10)
        .map(|number| push(&front, "a", number).unwrap())
        .collect();
    let heard: Vec<_> = (0..10).filter(|at| news[*at]).collect();
    assert_eq!(
        heard,
        [0, 3, 7],
        "of the first one and of each batch that is full"
    );
    assert!(matches!(push(&front, "a", 10), Err(Reason::QueueFull)));
    let runs = front.collect(false).runs;
    assert_eq!(
        runs.iter().map(|run| run.count).collect::<Vec<_>>(),
        [4, 4, 2]
    );
    release(&front, runs);
    push(&front, "a", 11).unwrap();
}
