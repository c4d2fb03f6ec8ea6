//! The loggers people use, each as its own documentation sets it up, without a clock.

use log::{LevelFilter, Log};

/// The names of all of them.
pub const ALL: [&str; 5] = ["env_logger", "fern", "flexi_logger", "log4rs", "simplelog"];

/// The logger whose name is the first argument of the process, and its level.
pub fn chosen() -> (LevelFilter, Box<dyn Log>) {
    match crate::scenario::mode().as_str() {
        "env_logger" => {
            let mut builder = env_logger::Builder::new();
            let logger = builder
                .filter_level(LevelFilter::Info)
                .filter_module("quiet", LevelFilter::Error)
                .format_timestamp(None)
                .build();
            (logger.filter(), Box::new(logger))
        }
        "fern" => fern::Dispatch::new()
            .format(|out, message, record| {
                out.finish(format_args!(
                    "{} {}: {message}",
                    record.level(),
                    record.target()
                ));
            })
            .level(LevelFilter::Debug)
            .level_for("quiet", LevelFilter::Warn)
            .chain(std::io::stdout())
            .into_log(),
        "flexi_logger" => {
            let logger = flexi_logger::Logger::try_with_str("warn, quiet = off").expect("a spec");
            let (logger, handle) = logger.log_to_stdout().build().expect("a logger");
            let level = handle.current_max_level().expect("a level");
            // The logger ends with its handle.
            std::mem::forget(handle);
            (level, logger)
        }
        "log4rs" => {
            let pattern = log4rs::encode::pattern::PatternEncoder::new("{l} {t} - {m}{n}");
            let console = log4rs::append::console::ConsoleAppender::builder();
            let console = console.encoder(Box::new(pattern)).build();
            let config = log4rs::Config::builder()
                .appender(log4rs::config::Appender::builder().build("out", Box::new(console)))
                .logger(log4rs::config::Logger::builder().build("quiet", LevelFilter::Off))
                .build(
                    log4rs::config::Root::builder()
                        .appender("out")
                        .build(LevelFilter::Trace),
                );
            let logger = log4rs::Logger::new(config.expect("a configuration"));
            (logger.max_log_level(), Box::new(logger))
        }
        "simplelog" => {
            let config = simplelog::ConfigBuilder::new()
                .set_time_level(LevelFilter::Off)
                .add_filter_ignore_str("quiet")
                .build();
            let buffered = std::io::LineWriter::new(std::io::stdout());
            let logger = simplelog::WriteLogger::new(LevelFilter::Info, config, buffered);
            (LevelFilter::Info, logger)
        }
        other => panic!("no logger is called {other}"),
    }
}

/// Logs at every level from several targets, and flushes.
pub fn speak() {
    log::error!("error {}", 1);
    log::warn!(target: "quiet", "from the quiet target");
    log::warn!("warn\nin two lines");
    log::info!(key = 7, text = "words"; "with key-values");
    log::debug!("debug {:?}", Some("x"));
    log::trace!("trace");
    let _ = std::thread::spawn(|| log::warn!("from a thread")).join();
    log::logger().flush();
}
