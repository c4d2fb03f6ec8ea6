//! Levels and logger names as people write them.

use log::LevelFilter;

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

/// What stands between the parts of a name in normal form.
pub(super) const SEPARATOR: u8 = b'.';

/// Appends the normal form of a name: `.` for `::` and `_` for `-`.
pub(super) fn normalise(name: &str, into: &mut Vec<u8>) {
    let mut bytes = name.bytes().peekable();
    while let Some(byte) = bytes.next() {
        into.push(match byte {
            b':' if bytes.next_if_eq(&b':').is_some() => SEPARATOR,
            b'-' => b'_',
            byte => byte,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
