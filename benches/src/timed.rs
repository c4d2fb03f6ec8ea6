//! CPU time, which other programs on the machine do not take.

use std::thread;

use cpu_time::ThreadTime;

/// Nanoseconds of CPU time of one call, on this thread.
pub fn time_here(calls: u32, call: impl Fn(u32)) -> f64 {
    let began = ThreadTime::now();
    (0..calls).for_each(call);
    began.elapsed().as_secs_f64() * 1e9 / f64::from(calls)
}

/// The same of each of so many threads on average.
pub fn time(threads: usize, calls: u32, call: impl Fn(u32) + Copy + Send + 'static) -> f64 {
    let run = move || time_here(calls, call);
    let all: Vec<_> = (0..threads).map(|_| thread::spawn(run)).collect();
    let times = all
        .into_iter()
        .map(|thread| thread.join().expect("no panic"));
    times.sum::<f64>() / threads as f64
}
