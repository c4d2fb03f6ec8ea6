//! Which records are bridged: by logger name and level.
//!
//! In: a record's level and target. Out: yes or no, without allocating.

use log::{LevelFilter, Metadata};

/// The records that leave.
///
/// One list of directives, the first that covers a record's target decides. It begins with the
/// most specific path; at the same path the environment's directives stand before the code's,
/// and those before the base that `level` and `logger` make.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter(Vec<Directive>);

/// A logger and its children, at a level.
#[derive(Clone, Debug)]
struct Directive {
    /// In normal form; empty is the root, which covers everything.
    path: String,
    level: LevelFilter,
}

impl Filter {
    /// The base: these loggers at `level` and the rest off, or everything at `level`.
    pub(crate) fn new(level: LevelFilter, loggers: &[String]) -> Self {
        let mut filter = Self::default();
        if loggers.is_empty() {
            filter.push("", level);
        } else {
            loggers.iter().for_each(|logger| filter.push(logger, level));
            filter.push("", LevelFilter::Off);
        }
        filter
    }

    /// Puts directives, such as `warn,megatron.training=debug,hyper=off`, on top; returns those
    /// that are none.
    pub(crate) fn add<'a>(&mut self, directives: &'a str, root: &str) -> Vec<&'a str> {
        let mut bad = Vec::new();
        let mut added = Self::default();
        let texts = directives.split(',').map(str::trim);
        for text in texts.filter(|text| !text.is_empty()) {
            let (path, level) = match text.split_once('=') {
                Some((path, level)) => (Some(path.trim()), parse_level(level.trim())),
                // A level is for everything; a name alone takes all of it, as in `RUST_LOG`.
                None => match parse_level(text) {
                    Some(level) => (None, Some(level)),
                    None => (Some(text), Some(LevelFilter::Trace)),
                },
            };
            match (path, level) {
                (path, Some(level)) if path != Some("") => {
                    let names = parse_names(path.unwrap_or_default(), root);
                    added.push(names.first().map_or("", String::as_str), level);
                }
                _ => bad.push(text),
            }
        }
        // Of two directives for one path in a text the later one counts.
        added.0.reverse();
        added.0.append(&mut self.0);
        added
            .0
            .sort_by_key(|directive| std::cmp::Reverse(directive.path.len()));
        self.0 = added.0;
        bad
    }

    fn push(&mut self, path: &str, level: LevelFilter) {
        let path = normal(path).collect::<Vec<_>>();
        self.0.push(Directive {
            path: String::from_utf8_lossy(&path).into_owned(),
            level,
        });
    }

    /// Whether a record is bridged.
    pub(crate) fn admits(&self, metadata: &Metadata<'_>) -> bool {
        let target = metadata.target();
        let mut directives = self.0.iter();
        let decides = directives.find(|directive| covers(&directive.path, target));
        decides.is_some_and(|directive| metadata.level() <= directive.level)
    }

    /// The most verbose level that can pass.
    pub(crate) fn max_level(&self) -> LevelFilter {
        let levels = self.0.iter().map(|directive| directive.level);
        levels.max().unwrap_or(LevelFilter::Off)
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
    if logger.is_empty() {
        return true;
    }
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
    fn the_most_specific_directive_decides() {
        let filter = |loggers: &[&str], code: &str, env: &str| {
            let loggers: Vec<_> = loggers.iter().map(|&logger| logger.to_owned()).collect();
            let mut filter = Filter::new(LevelFilter::Info, &loggers);
            assert_eq!(filter.add(code, "shop"), [""; 0]);
            assert_eq!(filter.add(env, "shop"), [""; 0]);
            filter
        };
        let level = |filter: &Filter, target: &str| {
            let admits = |level: &log::Level| {
                let metadata = Metadata::builder().target(target).level(*level).build();
                filter.admits(&metadata)
            };
            log::Level::iter()
                .filter(admits)
                .last()
                .map_or(LevelFilter::Off, |l| l.to_level_filter())
        };
        use LevelFilter::{Debug, Error, Info, Off, Trace, Warn};
        for (loggers, code, env, target, expected) in [
            (&[][..], "", "", "a", Info),
            (&[], "warn", "", "a", Warn),
            (&[], "warn", "debug", "a", Debug),
            (&[], "warn,a.b=debug,hyper=off", "", "a::b::c", Debug),
            (&[], "warn,a.b=debug,hyper=off", "", "a::bc", Warn),
            (&[], "warn,a.b=debug,hyper=off", "", "hyper::proto", Off),
            (&[], "a=debug", "a=error", "a", Error),
            (&[], "a::b=debug", "a=error", "a::b", Debug),
            (&[], "a=debug,a=trace", "", "a", Trace),
            (&["a"], "", "", "b", Off),
            (&["a"], "", "", "a::b", Info),
            (&["a"], "b=warn", "", "b", Warn),
            (&["a"], "a::b=off", "", "a::b", Off),
            (&["a"], "", "warn", "b", Warn),
            (&["a"], "", "warn", "a", Info),
            (&[], "", "data-loader", "data_loader::io", Trace),
            (&[], "crate::pay=debug", "", "shop::pay", Debug),
        ] {
            let filter = filter(loggers, code, env);
            let case = format!("{loggers:?} {code:?} {env:?} {target}");
            assert_eq!(level(&filter, target), expected, "{case}");
            assert!(filter.max_level() >= expected, "{case}");
        }
    }

    #[test]
    fn what_is_no_directive_is_told_and_left_out() {
        let mut filter = Filter::new(LevelFilter::Info, &[]);
        assert_eq!(
            filter.add("a=loud,=debug,b=warn,", ""),
            ["a=loud", "=debug"]
        );
        assert_eq!(filter.max_level(), LevelFilter::Info);
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
