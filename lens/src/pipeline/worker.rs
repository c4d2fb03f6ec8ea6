//! The one thread lens runs on: a tokio runtime of its own, permanently suppressed.
//!
//! So a sync main, any tokio flavour and no tokio at all behave the same, and what the
//! export stack logs never comes back as telemetry.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use opentelemetry::Context;
use tokio::sync::oneshot;

use super::{Lane, Sink, sender};
use crate::stats::Counters;
use crate::{diag, os};

/// What is done each second meanwhile.
pub(crate) type Tick = Box<dyn Fn() + Send>;

/// What is still to be emitted when everything stops.
pub(crate) type LastWords = Box<dyn FnOnce() + Send>;

/// What a caller waits beyond the deadline for the worker to notice it.
const GRACE: Duration = Duration::from_millis(250);

/// The lanes, and the thread that empties them.
pub(crate) struct Worker {
    lanes: Vec<Arc<Lane>>,
    stop: Mutex<Option<oneshot::Sender<Stop>>>,
}

struct Stop {
    deadline: Instant,
    last_words: LastWords,
}

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
    ) -> Option<Self> {
        let (stop, stopped) = oneshot::channel();
        let kept = lanes.iter().map(|(lane, _)| Arc::clone(lane)).collect();
        let thread = std::thread::Builder::new().name("lens".to_owned());
        if let Err(error) = thread.spawn(move || run(lanes, &counters, tick, stopped)) {
            diag::say(format_args!(
                "cannot start a thread ({error}); nothing is exported"
            ));
            return None;
        }
        Some(Self {
            lanes: kept,
            stop: Mutex::new(Some(stop)),
        })
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
    pub(crate) fn stop(&self, deadline: Instant, last_words: LastWords) -> bool {
        let stop = self.stop.lock().ok().and_then(|mut stop| stop.take());
        if let Some(stop) = stop {
            let _ = stop.send(Stop {
                deadline,
                last_words,
            });
        }
        let patience = deadline + GRACE;
        self.lanes.iter().all(|lane| lane.closed(patience)) && Instant::now() <= deadline
    }
}

fn run(
    lanes: Vec<(Arc<Lane>, Sink)>,
    counters: &Arc<Counters>,
    tick: Option<Tick>,
    stop: oneshot::Receiver<Stop>,
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
                // An error is a start that was given up before anybody saw it.
                let deadline = match stop.await {
                    Ok(stop) => {
                        outside(stop.last_words);
                        stop.deadline
                    }
                    Err(_) => Instant::now(),
                };
                kept.iter().for_each(|lane| lane.close(deadline));
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

async fn ticking(tick: Tick) {
    let mut seconds = tokio::time::interval(Duration::from_secs(1));
    loop {
        seconds.tick().await;
        outside(&tick);
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
