//! Which records are bridged: by level and by logger name.
//!
//! In: a record's level and target. Out: yes or no, without allocating.

use log::{LevelFilter, Metadata};

/// The records that leave: those of some loggers, at some level.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    level: LevelFilter,
    /// In normal form; empty means every logger.
    loggers: Vec<String>,
}

impl Filter {
    pub(crate) fn new(level: LevelFilter, loggers: &[String]) -> Self {
        Self {
            level,
            loggers: loggers
                .iter()
                .map(|logger| String::from_utf8_lossy(&normal(logger).collect::<Vec<_>>()).into())
                .collect(),
        }
    }

    /// Whether a record is bridged.
    pub(crate) fn admits(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= self.level
            && (self.loggers.is_empty()
                || (self.loggers.iter()).any(|logger| covers(logger, metadata.target())))
    }

    /// The most verbose level that can pass.
    pub(crate) fn max_level(&self) -> LevelFilter {
        self.level
    }
}

/// Parses a level, in any case; `warning` is `warn`.
pub(crate) fn parse_level(text: &str) -> Option<LevelFilter> {
    match text.to_ascii_lowercase().as_str() {
        "warning" => Some(LevelFilter::Warn),
        level => level.parse().ok(),
    }
}

/// Splits a list of logger names; a leading `crate` becomes `root`, if there is one.
pub(crate) fn parse_names(text: &str, root: &str) -> Vec<String> {
    text.split(',')
        .map(|name| name.trim().trim_end_matches([':', '.']))
        .filter(|name| !name.is_empty())
        .map(|name| match name.strip_prefix("crate") {
            Some(rest) if names_crate(name) && !root.is_empty() => format!("{root}{rest}"),
            _ => name.to_owned(),
        })
        .collect()
}

/// Whether a logger's name begins with `crate`.
pub(crate) fn names_crate(name: &str) -> bool {
    let rest = name.strip_prefix("crate");
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '.']))
}

/// Whether `target` is `logger` (in normal form) or one of its children.
fn covers(logger: &str, target: &str) -> bool {
    let mut target = normal(target);
    logger.bytes().all(|byte| target.next() == Some(byte))
        && matches!(target.next(), None | Some(SEPARATOR))
}

const SEPARATOR: u8 = b'.';

/// A name with `.` for `::` and `_` for `-`.
fn normal(name: &str) -> impl Iterator<Item = u8> {
    let mut bytes = name.bytes().peekable();
    std::iter::from_fn(move || match bytes.next()? {
        b':' if bytes.next_if_eq(&b':').is_some() => Some(SEPARATOR),
        b'-' => Some(b'_'),
        byte => Some(byte),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(loggers: &[&str], target: &str) -> bool {
        let loggers: Vec<_> = loggers.iter().map(|&logger| logger.to_owned()).collect();
        let metadata = Metadata::builder()
            .target(target)
            .level(log::Level::Info)
            .build();
        Filter::new(LevelFilter::Info, &loggers).admits(&metadata)
    }

    // https://github.com/tokio-rs/tracing/issues/3539 (FIL-01)
    #[test]
    fn a_logger_covers_itself_and_its_children_only() {
        for (target, expected) in [
            ("megatron::training", true),
            ("megatron::training::loop_", true),
            ("megatron.training", true),
            ("megatron.training.optim", true),
            ("megatron::training_utils", false),
            ("megatron::trainingx", false),
            ("megatron", false),
            ("", false),
        ] {
            assert_eq!(admits(&["megatron.training"], target), expected, "{target}");
            assert_eq!(
                admits(&["megatron::training"], target),
                expected,
                "{target}"
            );
        }
    }

    #[test]
    fn dashes_and_underscores_are_the_same() {
        assert!(admits(&["data-loader"], "data_loader::io"));
        assert!(admits(&["data_loader"], "data-loader"));
    }

    #[test]
    fn no_logger_means_every_logger() {
        assert!(admits(&[], "anything"));
    }

    #[test]
    fn a_list_covers_each_of_its_names() {
        assert!(admits(&["a", "b::c"], "b::c::d"));
        assert!(!admits(&["a", "b::c"], "b"));
    }

    #[test]
    fn crate_stands_for_the_annotated_crate() {
        assert_eq!(
            parse_names("crate::a, crate,crates, crate.b", "shop"),
            ["shop::a", "shop", "crates", "shop.b"]
        );
        assert_eq!(
            parse_names("crate::a,megatron::", ""),
            ["crate::a", "megatron"]
        );
    }

    #[test]
    fn levels_are_read_in_any_case() {
        assert_eq!(parse_level("WARNING"), Some(LevelFilter::Warn));
        assert_eq!(parse_level("Off"), Some(LevelFilter::Off));
        assert_eq!(parse_level("verbose"), None);
    }
}
