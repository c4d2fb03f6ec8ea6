//! The one thread lens runs on: a tokio runtime of its own, permanently suppressed.
//!
//! So a sync main, any tokio flavour and no tokio at all behave the same, and what the
//! export stack logs never comes back as telemetry.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use opentelemetry::Context;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio::time::timeout_at;

use super::{Lane, Sink, sender};
use crate::stats::{Counters, FOR_EVER};
use crate::{diag, os};

/// What is done each second meanwhile.
pub(crate) type Tick = Box<dyn Fn() + Send>;

/// What is done at each interval, where it may block.
pub(crate) struct Every {
    pub(crate) interval: Duration,
    pub(crate) errand: Box<dyn Fn() -> Option<Errand> + Send>,
    /// What is said where it takes longer than that.
    pub(crate) late: &'static str,
}

/// Something that runs code of the program's, which may take its time.
pub(crate) type Errand = Box<dyn FnOnce() + Send>;

/// What is late by less than this is not told of.
const TOLERANCE: Duration = Duration::from_secs(30);

/// What a caller waits beyond the deadline for the worker to notice it.
const GRACE: Duration = Duration::from_millis(250);

/// The lanes, and the thread that empties them.
pub(crate) struct Worker {
    lanes: Vec<Arc<Lane>>,
    commands: mpsc::UnboundedSender<Command>,
    ended: Arc<Ended>,
}

enum Command {
    Run(Errand),
    Stop(Stop),
}

/// How everything stops.
pub(crate) struct Stop {
    pub(crate) deadline: Instant,
    /// Emits what is still to be emitted.
    pub(crate) last_words: Errand,
    /// Collects metrics for the last time.
    pub(crate) collect: Option<Errand>,
    /// What takes the metrics that are collected then; the others need not wait for it.
    pub(crate) collecting: Vec<Arc<Lane>>,
    /// Ends what is the program's own, each beside the others.
    pub(crate) endings: Vec<Errand>,
}

/// Whether the thread has ended, for those who wait for that: they may be anywhere.
#[derive(Default)]
struct Ended {
    is_over: Mutex<bool>,
    told: Condvar,
}

impl Ended {
    fn wait(&self, deadline: Instant) -> bool {
        let mut is_over = self.is_over.lock().unwrap_or_else(PoisonError::into_inner);
        while !*is_over {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let waited = self.told.wait_timeout(is_over, left);
            (is_over, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        true
    }
}

/// Tells of the end however it came.
impl Drop for Ending {
    fn drop(&mut self) {
        let Ended { is_over, told } = &*self.0;
        *is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        told.notify_all();
    }
}

struct Ending(Arc<Ended>);

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker")
            .field("lanes", &self.lanes.len())
            .finish_non_exhaustive()
    }
}

impl Worker {
    /// Starts the thread; `None`, with a notice, when the system does not give one.
    #[expect(
        clippy::disallowed_methods,
        reason = "the worker is the one thread of lens"
    )]
    pub(crate) fn start(
        lanes: Vec<(Arc<Lane>, Sink)>,
        counters: Arc<Counters>,
        tick: Option<Tick>,
        every: Option<Every>,
    ) -> Option<Self> {
        let (commands, received) = mpsc::unbounded_channel();
        let kept = lanes.iter().map(|(lane, _)| Arc::clone(lane)).collect();
        let ended = Arc::new(Ended::default());
        let ending = Ending(Arc::clone(&ended));
        let thread = std::thread::Builder::new().name("lens".to_owned());
        let work = move || {
            let _ending = ending;
            run(lanes, &counters, (tick, every), received);
        };
        if let Err(error) = thread.spawn(work) {
            diag::say(format_args!(
                "cannot start a thread ({error}); nothing is exported"
            ));
            return None;
        }
        Some(Self {
            lanes: kept,
            commands,
            ended,
        })
    }

    /// Has `errand` run where it may block; `false` when it did not end in time.
    pub(crate) fn run(&self, errand: Errand, deadline: Instant) -> bool {
        let (done, ended) = std::sync::mpsc::channel();
        let errand = Command::Run(Box::new(move || {
            errand();
            let _ = done.send(());
        }));
        let left = deadline.saturating_duration_since(Instant::now());
        self.commands.send(errand).is_ok() && ended.recv_timeout(left).is_ok()
    }

    /// Asks for everything queued to be exported, and does not wait.
    pub(crate) fn ask_flush(&self) {
        for lane in &self.lanes {
            lane.ask_flush();
        }
    }

    /// Has everything queued exported; `false` when some of it was not in time.
    pub(crate) fn flush(&self, deadline: Instant) -> bool {
        // Asked of all lanes before waiting for any.
        let waits: Vec<_> = self
            .lanes
            .iter()
            .map(|lane| (lane, lane.ask_flush()))
            .collect();
        (waits.into_iter()).fold(true, |all, (lane, asked)| {
            lane.flushed(asked, deadline) && all
        })
    }

    /// Emits the last words, exports what is queued and ends the thread; `false` when the
    /// deadline came first.
    ///
    /// Waits on condition variables only, so it works inside a runtime and in `atexit`.
    pub(crate) fn stop(&self, stop: Stop) -> bool {
        let deadline = stop.deadline;
        let _ = self.commands.send(Command::Stop(stop));
        self.ended.wait(deadline + GRACE) && Instant::now() <= deadline
    }
}

fn run(
    lanes: Vec<(Arc<Lane>, Sink)>,
    counters: &Arc<Counters>,
    (tick, every): (Option<Tick>, Option<Every>),
    mut commands: mpsc::UnboundedReceiver<Command>,
) {
    let enter = || {
        os::mark_own_thread();
        // For good: the thread is lens's, and its locals end with it.
        std::mem::forget(Context::enter_telemetry_suppressed_scope());
    };
    enter();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .thread_name("lens")
        .on_thread_start(enter)
        // So that no interval needs another thread.
        .thread_keep_alive(FOR_EVER)
        .build();
    let kept: Vec<_> = lanes.iter().map(|(lane, _)| Arc::clone(lane)).collect();
    match runtime {
        Ok(runtime) => {
            runtime.block_on(async {
                let senders: Vec<_> = (lanes.into_iter())
                    .map(|(lane, sink)| tokio::spawn(sender::run(lane, sink, Arc::clone(counters))))
                    .collect();
                if let Some(tick) = tick {
                    tokio::spawn(ticking(tick));
                }
                if let Some(every) = every {
                    tokio::spawn(repeating(every));
                }
                match obey(&mut commands).await {
                    Some(stop) => end(stop, &kept).await,
                    // A start that was given up before anybody saw it.
                    None => kept.iter().for_each(|lane| lane.close(Instant::now())),
                }
                join_all(senders).await;
            });
            // A name that does not resolve keeps a blocking thread; nobody waits for it.
            runtime.shutdown_background();
        }
        Err(error) => diag::say(format_args!(
            "cannot start the export runtime ({error}); nothing is exported"
        )),
    }
    // Whatever happened above, nobody waits for a lane that no sender serves.
    kept.iter().for_each(|lane| lane.end());
}

/// Does what is asked until that is to stop.
async fn obey(commands: &mut mpsc::UnboundedReceiver<Command>) -> Option<Stop> {
    loop {
        match commands.recv().await? {
            Command::Run(errand) => drop(spawn_blocking(move || outside(errand))),
            Command::Stop(stop) => return Some(stop),
        }
    }
}

/// Closes the lanes, after the last words and, for those that take metrics, the last collection.
///
/// What is the program's code runs on threads that may block, so that requests go on meanwhile.
async fn end(stop: Stop, lanes: &[Arc<Lane>]) {
    let deadline = stop.deadline;
    let in_time =
        |errand: Errand| timeout_at(deadline.into(), spawn_blocking(move || outside(errand)));
    for lane in lanes {
        lane.ask_flush();
    }
    if in_time(stop.last_words).await.is_err() {
        diag::say("open spans could not be ended in time; some are missing");
    }
    let collects = |lane: &Arc<Lane>| stop.collecting.iter().any(|late| Arc::ptr_eq(late, lane));
    for lane in lanes.iter().filter(|lane| !collects(lane)) {
        lane.close(deadline);
    }
    let endings = join_all(stop.endings.into_iter().map(in_time));
    let collecting = async {
        if let Some(collect) = stop.collect
            && in_time(collect).await.is_err()
        {
            diag::say("metrics could not be collected in time; the latest ones are missing");
        }
        lanes.iter().for_each(|lane| lane.close(deadline));
    };
    let (endings, ()) = join(endings, collecting).await;
    if endings.iter().any(Result::is_err) {
        diag::say("a processor of the program's own did not end in time");
    }
}

async fn ticking(tick: Tick) {
    let mut seconds = tokio::time::interval(Duration::from_secs(1));
    loop {
        seconds.tick().await;
        outside(&tick);
    }
}

/// One after the other: what takes longer than the interval is not done twice at once.
async fn repeating(every: Every) {
    loop {
        tokio::time::sleep(every.interval).await;
        let Some(errand) = (every.errand)() else {
            continue;
        };
        let mut running = spawn_blocking(move || outside(errand));
        let in_time = every.interval.max(TOLERANCE);
        if tokio::time::timeout(in_time, &mut running).await.is_err() {
            diag::fault(every.late, every.late);
            let _ = running.await;
        }
    }
}

/// Runs `emit` outside the suppression: these are the program's own records and spans.
fn outside(emit: impl FnOnce()) {
    let attached = Context::new().attach();
    if catch_unwind(AssertUnwindSafe(emit)).is_err() {
        diag::say("a panic in an OpenTelemetry processor; some records or open spans are missing");
    }
    drop(attached);
}
