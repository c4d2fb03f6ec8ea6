//! A program that uses `tracing`, with a subscriber of lens's, of its own, or without lens.

use lens::Builder;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt;
use tracing_subscriber::prelude::*;

#[tracing::instrument(fields(kind = "daily", late = tracing::field::Empty))]
fn job(number: u64) {
    // A question that no record follows must not decide about the next event.
    let _ = log::log_enabled!(target: "store::disk", log::Level::Debug);
    tracing::info!(done = 0.5, "half of it");
    log::info!("a record of log");
    log::debug!(target: "store::disk", "a detail of log");
    tracing::debug!("a detail");
    tracing::error!("it failed");
    if std::env::args().nth(1).as_deref() == Some("exit inside") {
        tracing::Span::current().record("late", 8_u64);
        std::process::exit(3);
    }
}

/// What the console of a program's own looks like.
fn console<S>() -> impl tracing_subscriber::Layer<S>
where
    S: tracing::Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>,
{
    fmt::layer()
        .without_time()
        .with_ansi(false)
        .with_file(true)
        .with_filter(LevelFilter::WARN)
}

fn main() {
    let mode = std::env::args().nth(1).unwrap_or_default();
    let lens = || Builder::new().logs(true).level("debug");
    let _guard = match mode.as_str() {
        "without lens" => {
            fmt::init();
            None
        }
        "with lens" | "exit inside" => Some(lens().tracing(true).start()),
        "silent" => Some(lens().tracing(true).local("off").start()),
        "handed over" => {
            let subscriber = tracing_subscriber::registry().with(console());
            Some(lens().tracing(subscriber).start())
        }
        // The slot of `log` goes to the forwarder that comes with `init`.
        "its own" => {
            let guard = lens().tracing(true).local("none").start();
            let subscriber = tracing_subscriber::registry().with(console());
            subscriber.with(lens::layer()).init();
            Some(guard)
        }
        "its own without the layer" => {
            fmt().without_time().with_ansi(false).init();
            Some(lens().tracing(true).start())
        }
        "twice" => {
            drop(lens().tracing(true).start());
            Some(lens().tracing(true).start())
        }
        "clash" => {
            let _guard = lens().tracing(true).start();
            fmt::init();
            None
        }
        "clash of log" => {
            let _guard = lens().start();
            fmt::init();
            None
        }
        other => panic!("no mode {other:?}"),
    };
    log::warn!(target: "store::disk", path = "/var", free = 3, share:% = 0.25; "nearly full");
    job(7);
}
