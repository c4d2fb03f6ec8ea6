//! What the test programs do, by the word they are given.

use std::fmt;
use std::time::Duration;

use crate::load;

use lens::opentelemetry::trace::{TraceContextExt, Tracer};
use lens::opentelemetry::{Context, KeyValue, global};

/// The first argument of the process.
pub fn mode() -> String {
    std::env::args()
        .nth(1)
        .expect("the first argument is the mode")
}

/// Does what `mode` says, in a program without a runtime.
pub fn run(mode: &str) -> Result<(), String> {
    match mode {
        "quiet" => {}
        "ending threads" => crate::ending::run(),
        "unwinding" => crate::ending::unwinding(),
        "beside a thread" => crate::ending::beside_a_thread(),
        "beside a thread, and exit" => {
            crate::ending::beside_a_thread();
            std::process::exit(3);
        }
        "behind a panic" => crate::ending::behind_a_panic(),
        "log" => log::info!("one line"),
        "span" => step(1),
        "err" => {
            step(1);
            return Err("the disk is full".to_owned());
        }
        "panic" => panicking(),
        "caught" => {
            let _ = std::panic::catch_unwind(|| panic!("caught later"));
            log::info!("after the panic");
        }
        "caught at the end" => {
            let _ = std::panic::catch_unwind(|| panic!("caught later"));
        }
        "thread panic" => {
            let thread = std::thread::spawn(panicking);
            let _ = thread.join();
        }
        "exit" => exiting(),
        "exit from a thread" => {
            let _ = std::thread::spawn(exiting).join();
        }
        "exit in a nested runtime" => {
            let runtime = tokio::runtime::Builder::new_current_thread().build();
            let runtime = runtime.expect("a runtime");
            let nested = std::thread::spawn(move || runtime.block_on(async { exiting() }));
            let _ = nested.join();
        }
        "flush and exit" => {
            log::info!("last words");
            log::logger().flush();
            println!("flushed");
            std::process::exit(1);
        }
        "leave spans open" => {
            let span = lens::span!("lens span", n = 1);
            std::mem::forget(span);
            let span = global::tracer("raw").start("raw span");
            std::mem::forget(span);
            log::info!("inside");
            std::process::exit(0);
        }
        "large" => log::info!("{}", "x".repeat(64 << 20)),
        "one large among small" => {
            log::info!("before");
            log::info!("{}", "x".repeat(100_000));
            log::info!("after");
        }
        "burst around the end" => {
            (0..10_000).for_each(|i| log::info!("line {i} of a burst"));
            lens::handle().shutdown(Duration::from_secs(20));
            (0..1_000).for_each(|i| log::info!("line {i} after the end"));
        }
        "burst until told" => {
            (0..10_000).for_each(|i| log::info!("line {i} of a burst"));
            let _ = std::io::stdin().read_line(&mut String::new());
        }
        "burst and wait" => {
            (0..10_000).for_each(|i| log::info!("line {i} of a burst"));
            eprintln!("ready");
            while lens::handle().is_exporting() {
                std::thread::yield_now();
            }
            eprintln!("lens is stopping");
            loop {
                std::thread::park();
            }
        }
        "not a number" => log::info!(loss = f64::NAN, rate = f64::NEG_INFINITY; "diverged"),
        "burst" => (0..10_000).for_each(|i| log::info!("line {i} of a burst")),
        "console" => console(),
        "hostile" => hostile(),
        "values" => values(),
        "spans" => correlated(),
        "threads" => threads(),
        "loggers" => loggers(),
        "levels" => levels(),
        "init in a helper" => init_in_a_helper(),
        "start again" => {
            let second = lens::Builder::new().logs(true).start();
            log::info!("one line");
            drop(second);
        }
        "start again in a span" => {
            let _span = lens::span!("of the first start");
            let _second = lens::Builder::new().root_span("ignored").start();
            log::info!("after the second start");
        }
        "stop and start" => {
            log::info!("of the first");
            lens::handle().shutdown(Duration::from_secs(5));
            log::info!("between");
            let _second = lens::Builder::new().service("second").logs(true).start();
            log::info!("of the second");
            step(2);
        }
        "report" => report(),
        "more than there is room for" => load::overfull(),
        "steps" => load::steps(),
        "steps of spans" => load::spans(),
        "storm" => load::storm(false),
        "storm cut short" => load::storm(true),
        "chaos" => {
            let seconds = std::env::args().nth(2).and_then(|text| text.parse().ok());
            load::chaos(seconds.expect("the second argument is for how many seconds"));
        }
        "until told" => {
            log::info!("one line");
            for line in std::io::stdin().lines().map_while(Result::ok) {
                log::info!("{line}");
            }
            log::info!("the end");
        }
        "secrets" => {
            step(1);
            log::error!("an error");
            println!(
                "{:?} {:?}",
                lens::handle(),
                lens::Builder::new()
                    .headers("a=SECRETCANARY")
                    .endpoint("http://u:SECRETCANARY@h")
            );
            panic!("after all");
        }
        "one of each" => {
            step(1);
            crate::measured::one();
        }
        "metrics" => crate::measured::metrics(),
        "metrics twice" => crate::measured::twice(),
        "metrics meanwhile" => crate::measured::meanwhile(),
        "metrics by macros" => crate::measured::by_macros(),
        "metrics that hang" => crate::measured::hanging(),
        "metrics entangled" => crate::measured::entangled(),
        "metrics of two starts" => crate::measured::started_twice(),
        "metrics that panic" => crate::measured::panicking(),
        "propagate" => crate::passed_on::run(),
        "family" => crate::passed_on::family(),
        "orphan" => crate::passed_on::orphan(),
        "pass on" => crate::passed_on::pass_on(),
        "messages" => crate::passed_on::messages(),
        "crowded span" => crowded(),
        "explain" => println!("{}", lens::explain()),
        "traced" => {
            log::info!("one line");
            tracing::info!("through the other facade");
        }
        "reentrant" => crate::misbehaving::nested(),
        "failing values" => crate::misbehaving::values(),
        "panicking value" => crate::misbehaving::panicking(),
        "rounds" => (0..3).for_each(|round| {
            step(round);
            log::logger().flush();
        }),
        "two stops" => {
            log::info!("one line");
            lens::thread::spawn(|| lens::handle().shutdown(Duration::from_secs(20)));
            while lens::handle().is_exporting() {
                std::thread::yield_now();
            }
            std::process::exit(4);
        }
        "thread local" => crate::ending::in_thread_locals(),
        other => panic!("unknown mode {other}"),
    }
    Ok(())
}

/// Does what `mode` says, inside a tokio runtime.
pub async fn run_async(mode: &str) -> Result<(), String> {
    match mode {
        "tasks" => crate::tasks::many().await,
        "spawned" => crate::tasks::spawned().await,
        "exit in a task" => {
            let _ = tokio::spawn(async { exiting() }).await;
        }
        "task panic" => {
            let _ = tokio::spawn(async { panicking() }).await;
            log::info!("after the panic");
        }
        "flush in a task" => {
            let flushing = async {
                log::info!("last words");
                log::logger().flush();
                println!("flushed");
            };
            let _ = tokio::spawn(flushing).await;
        }
        other => return run(other),
    }
    Ok(())
}

#[lens::trace(name = "step", fields(iteration = i))]
fn step(i: u64) {
    log::info!("inside the step");
}

fn crowded() {
    let tracer = global::tracer("raw");
    let attributes = [("k", "żółć"), ("k", "gęśl"), ("second", "jaźń")];
    let attributes = attributes.map(|(key, value)| KeyValue::new(key, value));
    let span = tracer.span_builder("crowded").with_attributes(attributes);
    span.start(&tracer);
}

fn panicking() {
    let _span = lens::span!("doomed");
    log::info!("before the panic");
    let empty: [u8; 0] = [];
    let index = std::env::args().count();
    let _ = empty[index];
}

fn exiting() {
    let _span = lens::span!("cut off");
    log::info!("last words");
    std::process::exit(3);
}

fn console() {
    for target in ["app", "app::inner", "other"] {
        log::error!(target: target, "an error");
        log::warn!(target: target, "a warning");
        log::info!(target: target, key = 1; "some information");
        log::debug!(target: target, "two\nlines of debugging");
        log::trace!(target: target, "a trace");
    }
    println!("on stdout");
    eprintln!("on stderr");
    log::logger().flush();
}

fn hostile() {
    let _span = lens::span!("\x1b[2Jspan\nINFO of nobody", key = "\x07\r\n");
    log::info!(key = "\x1b]0;title\x07\r"; "said\r\n2026-01-01T00:00:00Z INFO forged\x1b[2J");
    log::error!(target: "\x1b[2J\n", "of a strange target");
}

fn values() {
    let error = std::io::Error::new(std::io::ErrorKind::NotFound, Chained);
    log::warn!(
        text = "words", integer = -7, big = u64::MAX, float = 0.25, flag = true,
        nothing = None::<u8>, err:err = error;
        "values of {} kinds", 7
    );
}

#[derive(Debug)]
struct Chained;

impl fmt::Display for Chained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such dataset")
    }
}

impl std::error::Error for Chained {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&fmt::Error)
    }
}

fn correlated() {
    log::info!("outside");
    outer();
    {
        let _span = lens::span!("guarded");
        log::info!("in guarded");
    }
    let span = global::tracer("raw").start("raw");
    let attached = Context::current_with_span(span).attach();
    log::info!("in raw");
    drop(attached);
    log::info!("outside");
}

#[lens::trace(name = "outer")]
fn outer() {
    log::info!("in outer");
    middle();
    log::info!("in outer");
}

#[lens::trace(name = "middle")]
fn middle() {
    log::info!("in middle");
    inner();
    log::info!("in middle");
}

#[lens::trace(name = "inner")]
fn inner() {
    log::info!("in inner");
}

fn threads() {
    let _span = lens::span!("parent");
    let _ = lens::thread::spawn(|| log::info!("with the helper")).join();
    let _ = std::thread::spawn(|| log::info!("without")).join();
}

fn loggers() {
    for target in [
        "megatron::training",
        "megatron::training::loop_",
        "megatron.training",
        "megatron::training_utils",
        "megatron::trainingx",
        "megatron",
        "hyper::proto",
        "rustls",
        "mio::poll",
    ] {
        log::info!(target: target, "{target}");
        log::debug!(target: target, "{}", Counted);
    }
    println!(
        "formatted: {}",
        COUNT.load(std::sync::atomic::Ordering::Relaxed)
    );
}

static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

/// Counts how often it is formatted.
struct Counted;

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        f.write_str("counted")
    }
}

fn levels() {
    log::error!("error");
    log::warn!("warn");
    log::info!("info");
    log::debug!("debug");
    log::trace!("trace");
    println!("max level: {}", log::max_level());
}

fn init_in_a_helper() {
    log::info!("before");
    env_logger::init();
}

fn report() {
    (0..7).for_each(|i| log::info!("line {i}"));
    step(1);
    assert!(!lens::handle().flush(Duration::MAX).timed_out);
    let report = lens::handle().shutdown(Duration::from_secs(5));
    log::info!("after the shutdown");
    println!("{:?}", report.stats.logs);
    println!("{:?}", report.stats.spans);
    println!("{}", lens::handle().is_exporting());
}
