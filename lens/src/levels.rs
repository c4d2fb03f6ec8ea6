//! The levels of `tracing` and those of `log`, which are the same.

use tracing_core::{Level, LevelFilter};

pub(crate) fn to_log(level: Level) -> log::Level {
    match level {
        Level::ERROR => log::Level::Error,
        Level::WARN => log::Level::Warn,
        Level::INFO => log::Level::Info,
        Level::DEBUG => log::Level::Debug,
        Level::TRACE => log::Level::Trace,
    }
}

pub(crate) fn from_log(level: log::Level) -> Level {
    match level {
        log::Level::Error => Level::ERROR,
        log::Level::Warn => Level::WARN,
        log::Level::Info => Level::INFO,
        log::Level::Debug => Level::DEBUG,
        log::Level::Trace => Level::TRACE,
    }
}

pub(crate) fn filter_to_log(filter: LevelFilter) -> log::LevelFilter {
    let level = filter.into_level().map(to_log);
    level.map_or(log::LevelFilter::Off, |level| level.to_level_filter())
}

pub(crate) fn filter_from_log(filter: log::LevelFilter) -> LevelFilter {
    let level = filter.to_level().map(from_log);
    level.map_or(LevelFilter::OFF, LevelFilter::from_level)
}
