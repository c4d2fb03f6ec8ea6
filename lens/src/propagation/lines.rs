//! A header that may stand on several lines, which are one list.

use opentelemetry::propagation::Extractor;

/// All lines of a header with commas between them; `None` where there is none, or more of it
/// than `most` bytes.
pub(super) fn joined(extractor: &dyn Extractor, name: &str, most: usize) -> Option<String> {
    let lines = extractor.get_all(name)?;
    let bytes = lines.iter().map(|line| line.len() + 1);
    let fits = !lines.is_empty() && bytes.sum::<usize>() <= most + 1;
    fits.then(|| lines.join(","))
}
