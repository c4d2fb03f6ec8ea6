//! Whether the program explains its settings when it starts.

use std::fmt;

use super::read::{Reader, code_or};
use super::vars;

/// How settings are explained at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Explain {
    No,
    Text,
    Json,
}

impl fmt::Display for Explain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::No => "false",
            Self::Text => "true",
            Self::Json => "json",
        })
    }
}

/// Settles it.
pub(super) fn explain(read: &mut Reader<'_>) -> Explain {
    let parse = |text: &str| match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" | "text" => Some(Explain::Text),
        "0" | "false" | "no" | "off" => Some(Explain::No),
        "json" => Some(Explain::Json),
        _ => None,
    };
    let or = code_or(None, Explain::No);
    read.setting(vars::EXPLAIN, "true, false or json", parse, or)
}
