//! Values that misbehave while they are formatted.

use std::fmt;

/// Logs while it is formatted, so many times deep.
struct Logs(u8);

impl fmt::Display for Logs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 > 0 {
            log::info!("nested {}", Logs(self.0 - 1));
        }
        write!(f, "depth {}", self.0)
    }
}

struct Fails;

impl fmt::Display for Fails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("so far")?;
        Err(fmt::Error)
    }
}

struct Panics;

impl fmt::Display for Panics {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("no text for this");
    }
}

/// Logs values that fail and panic, and goes on.
pub fn values() {
    log::info!("body {}", Fails);
    log::info!("body {}", Panics);
    log::info!(value:% = Panics; "value");
    let _ = failing_badly();
    log::info!("still here");
}

#[lens::trace(name = "failing badly")]
fn failing_badly() -> Result<(), Panics> {
    Err(Panics)
}

/// Logs values that log.
pub fn nested() {
    log::info!(value:% = Logs(1); "outer {}", Logs(3));
}

/// Logs a value that panics.
pub fn panicking() {
    log::info!("body {}", Panics);
}
