//! A library's module with a scope of its own, in a file of its own.

lens::bridge_module!(level = "debug", max_per_second = 3);

/// Logs at every level.
pub fn every_level() {
    log::error!("an error");
    log::warn!("a warning");
    log::info!("an information");
    log::debug!("a detail");
    log::trace!("a trifle");
}

/// Logs so many lines.
pub fn flood(lines: usize) {
    (0..lines).for_each(|line| log::info!("line {line}"));
}
