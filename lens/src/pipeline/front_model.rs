//! The protocol of the buffers, in many orders of the steps of its threads.
//!
//! `RUSTFLAGS="--cfg lens_model" cargo test -p lens --lib model --target-dir target/model`

use std::sync::Arc;

use shuttle::sync::Condvar;
use shuttle::sync::atomic::AtomicUsize;
use shuttle::thread;

use super::*;

/// How many orders are tried.
const ORDERS: usize = 20_000;
const THREADS: u8 = 2;
const EACH: u8 = 2;

fn front(bytes: usize, records: Option<usize>) -> Arc<Front> {
    Arc::new(Front::new(&Batching {
        bytes,
        most_waiting: records,
        ..Batching::default()
    }))
}

/// A record of one byte.
fn push(front: &Front, number: u8) -> Result<bool, Reason> {
    front.push(&Scope::Target("a", Some("a")), |out| out.push(number))
}

/// Threads that push, and what happens with each record.
fn pushing(
    front: &Arc<Front>,
    pushed: impl Fn(Result<bool, Reason>) + Clone + Send + 'static,
) -> Vec<thread::JoinHandle<()>> {
    let start = |thread| {
        let (front, pushed) = (Arc::clone(front), pushed.clone());
        thread::spawn(move || {
            for number in 0..EACH {
                pushed(push(&front, thread * EACH + number));
            }
        })
    };
    (0..THREADS).map(start).collect()
}

/// Takes the records, and makes room.
fn collect(front: &Front, close: bool, into: &mut Vec<u8>) -> u64 {
    let collected = front.collect(close);
    for run in collected.runs {
        into.extend(&run.records);
        front.release(&Units {
            count: run.count,
            buffered: run.size(),
        });
    }
    collected.uncounted
}

fn is_all_free(front: &Front) -> bool {
    let rooms = front.records.iter().chain([&front.bytes]);
    rooms
        .into_iter()
        .all(|room| room.waiting.load(Relaxed) == 0 && room.fresh.load(Relaxed) == 0)
}

#[test]
fn a_sender_that_sleeps_until_it_hears_of_news_gets_every_record_once() {
    let check = || {
        let front = front(usize::MAX, None);
        let news = Arc::new((Mutex::new(false), Condvar::new()));
        let tell = Arc::clone(&news);
        let threads = pushing(&front, move |pushed| {
            if pushed.is_ok_and(|is_news| is_news) {
                *lock(&tell.0) = true;
                tell.1.notify_one();
            }
        });
        let mut records = Vec::new();
        loop {
            while !front.is_empty() {
                collect(&front, false, &mut records);
            }
            if records.len() == usize::from(THREADS * EACH) {
                break;
            }
            // For ever, if nobody tells: that would be a deadlock, which the model finds.
            let heard = lock(&news.0);
            let waited = news.1.wait_while(heard, |heard| !*heard);
            *waited.unwrap_or_else(PoisonError::into_inner) = false;
        }
        threads
            .into_iter()
            .for_each(|thread| thread.join().unwrap());
        records.sort_unstable();
        assert_eq!(records, (0..THREADS * EACH).collect::<Vec<_>>());
        assert!(is_all_free(&front));
    };
    shuttle::check_random(check, ORDERS);
    shuttle::check_pct(check, ORDERS, 3);
}

#[test]
fn what_is_accepted_is_collected_and_counted_whenever_it_is_closed_or_full() {
    for records in [None, Some(3)] {
        let check = move || {
            // Room for the run of one thread and a little, so that the other may be refused.
            let front = front(size_of::<Run>() + 8, records);
            let accepted = Arc::new(AtomicUsize::new(0));
            let counted = Arc::clone(&accepted);
            let threads = pushing(&front, move |pushed| {
                if pushed.is_ok() {
                    counted.fetch_add(1, Relaxed);
                }
            });
            let mut records = Vec::new();
            let mut count = collect(&front, false, &mut records);
            front.count(|records| count += records);
            count += collect(&front, true, &mut records);
            threads
                .into_iter()
                .for_each(|thread| thread.join().unwrap());
            assert!(front.is_empty());
            assert_eq!(records.len(), accepted.load(Relaxed));
            assert_eq!(count, records.len() as u64);
            assert!(is_all_free(&front));
        };
        shuttle::check_random(check, ORDERS);
        shuttle::check_pct(check, ORDERS, 3);
    }
}
