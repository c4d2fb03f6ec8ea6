//! A user's `Display`, which may fail or panic, as text.

use std::fmt::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many bytes most texts have at most.
const USUAL: usize = 120;

/// Formats; `Err`, with what was written until then, when a `Display` fails or panics.
pub(crate) fn format(args: fmt::Arguments<'_>) -> Result<String, String> {
    // Most are no longer, and grow at no cost.
    let mut text = String::with_capacity(USUAL);
    match catch_unwind(AssertUnwindSafe(|| text.write_fmt(args))) {
        Ok(Ok(())) => return Ok(text),
        Ok(Err(_)) => text.push_str("<format error>"),
        Err(_) => text.push_str("<panic while formatting>"),
    }
    Err(text)
}

/// Formats, whatever comes of it.
pub(crate) fn text(args: fmt::Arguments<'_>) -> String {
    format(args).unwrap_or_else(|text| text)
}
