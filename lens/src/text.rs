//! A user's `Display`, which may fail or panic, as text.

use std::fmt::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[cfg(feature = "sdk")]
use arrayvec::ArrayString;

/// Formats, whatever comes of it.
pub(crate) fn text(args: fmt::Arguments<'_>) -> String {
    let mut text = String::new();
    write(&mut text, args);
    text
}

/// Formats into `text`; when a `Display` fails or panics, what was written until then and a mark
/// that says so, and `false`.
#[inline]
pub(crate) fn write(text: &mut impl Write, args: fmt::Arguments<'_>) -> bool {
    let mark = match catch_unwind(AssertUnwindSafe(|| text.write_fmt(args))) {
        Ok(Ok(())) => return true,
        Ok(Err(_)) => "<format error>",
        Err(_) => "<panic while formatting>",
    };
    let _ = text.write_str(mark);
    false
}

/// The beginning of a text of more than so many characters.
#[cfg(feature = "sdk")]
pub(crate) fn shortened(text: &str, length: usize) -> Option<&str> {
    if text.len() <= length {
        return None;
    }
    let (end, _) = text.char_indices().nth(length)?;
    text.get(..end)
}

/// A text that takes no memory of the heap where it is as short as most.
#[cfg(feature = "sdk")]
#[derive(Default)]
pub(crate) struct Scratch {
    short: ArrayString<128>,
    /// All of a text that is longer.
    long: String,
}

#[cfg(feature = "sdk")]
impl Scratch {
    #[inline]
    pub(crate) fn as_str(&self) -> &str {
        if self.long.is_empty() {
            &self.short
        } else {
            &self.long
        }
    }
}

#[cfg(feature = "sdk")]
impl Write for Scratch {
    #[inline]
    fn write_str(&mut self, part: &str) -> fmt::Result {
        if self.long.is_empty() {
            if self.short.try_push_str(part).is_ok() {
                return Ok(());
            }
            self.long.push_str(&self.short);
        }
        self.long.push_str(part);
        Ok(())
    }
}

#[cfg(all(test, feature = "sdk"))]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_whole_however_long_it_is() {
        for length in [0, 1, 127, 128, 129, 500] {
            let mut scratch = Scratch::default();
            let expected = "ab".repeat(length);
            for part in ["a", "b"].repeat(length) {
                assert!(write(&mut scratch, format_args!("{part}")));
            }
            assert_eq!(scratch.as_str(), expected);
        }
    }
}
