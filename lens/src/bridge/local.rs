//! The console side of the logger in the slot.

use log::{LevelFilter, Log, Metadata, Record};

use crate::config::LocalKind;

/// A logger and the most verbose level it wants.
pub(super) struct LocalLogger {
    level: LevelFilter,
    logger: Option<Box<dyn Log>>,
}

impl LocalLogger {
    /// Makes the logger of a kind; `None` when lens must not take the slot.
    pub(super) fn new(kind: LocalKind) -> Option<Self> {
        match kind {
            LocalKind::None => None,
            LocalKind::Off | LocalKind::Unknown(_) => Some(Self::nothing()),
            LocalKind::Logger(level, logger) => Some(Self {
                level,
                logger: Some(logger),
            }),
            LocalKind::Stderr => Some(env_logger(false)),
            LocalKind::Stdout => Some(env_logger(true)),
        }
    }

    pub(super) fn level(&self) -> LevelFilter {
        self.level
    }

    #[inline]
    pub(super) fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= self.level
            && (self.logger.as_ref()).is_some_and(|logger| logger.enabled(metadata))
    }

    /// Whether it gets a record like this: without lens the level gate would have kept others
    /// from the logger.
    #[inline]
    pub(super) fn wants(&self, record: &Record<'_>) -> bool {
        record.level() <= self.level
    }

    #[inline]
    pub(super) fn log(&self, record: &Record<'_>) {
        if self.wants(record)
            && let Some(logger) = &self.logger
        {
            logger.log(record);
        }
    }

    pub(super) fn flush(&self) {
        if let Some(logger) = &self.logger {
            logger.flush();
        }
    }

    fn nothing() -> Self {
        Self {
            level: LevelFilter::Off,
            logger: None,
        }
    }
}

/// What `env_logger::init()` would install, by its own rules and its own reading of
/// `RUST_LOG`.
#[cfg(feature = "env_logger")]
fn env_logger(stdout: bool) -> LocalLogger {
    let mut builder = env_logger::Builder::from_default_env();
    if stdout {
        builder.target(env_logger::Target::Stdout);
    }
    let logger = builder.build();
    LocalLogger {
        level: logger.filter(),
        logger: Some(Box::new(logger)),
    }
}

#[cfg(not(feature = "env_logger"))]
fn env_logger(_: bool) -> LocalLogger {
    LocalLogger::nothing()
}
