//! The name somebody probably meant.

/// How many letters a slip of the pen has at most.
const SLIP: usize = 2;

/// The nearest name, if one is near at all.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|known| (strsim::osa_distance(name, known), known))
        .filter(|(distance, _)| *distance <= SLIP)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}
