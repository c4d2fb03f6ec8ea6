//! The word somebody probably meant.

/// Returns the word of `known` that is nearest to `word`, if one is near at all.
pub(crate) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = 1.max(word.len() / 3);
    known
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= near)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbour.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<_>, Vec<_>) = (from.chars().collect(), to.chars().collect());
    // Rows of the table, for the last two letters of `from` and the current one.
    let mut rows = [
        vec![0; to.len() + 1],
        vec![0; to.len() + 1],
        (0..=to.len()).collect(),
    ];
    for (i, a) in from.iter().enumerate() {
        rows.rotate_left(1);
        let [before_last, last, row] = &mut rows;
        row.clear();
        row.push(i + 1);
        for (j, b) in to.iter().enumerate() {
            let at = |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX);
            let replaced = at(last, j) + usize::from(a != b);
            let mut cost = replaced.min(at(last, j + 1) + 1).min(at(row, j) + 1);
            let swapped = i > 0 && j > 0 && from.get(i - 1) == Some(b) && to.get(j - 1) == Some(a);
            if swapped {
                cost = cost.min(at(before_last, j - 1) + 1);
            }
            row.push(cost);
        }
    }
    let [_, _, row] = &rows;
    row.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_near_and_another_word_is_not() {
        let near = |word| nearest(word, ["logs", "level", "logger", "service"].into_iter());
        assert_eq!(near("lgos"), Some("logs"));
        assert_eq!(near("servce"), Some("service"));
        assert_eq!(near("loger"), Some("logger"));
        assert_eq!(near("resource"), None);
    }
}
