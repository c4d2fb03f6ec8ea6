//! Cuts text into the words it knows. A library that instruments itself: an application with
//! lens sees its spans, logs and metrics, one with an SDK of its own its spans and metrics, and
//! one with neither pays a load or a look for each.

use std::collections::HashMap;

/// The words a text is cut into, with their numbers.
#[derive(Debug, Default)]
pub struct Vocabulary(HashMap<String, u32>);

#[lens::trace(skip(len, is_empty))]
impl Vocabulary {
    /// Learns every word that occurs at least `least` times.
    pub fn learn(text: &str, least: usize) -> Self {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for word in text.split_whitespace() {
            match counts.iter_mut().find(|(known, _)| *known == word) {
                Some((_, count)) => *count += 1,
                None => counts.push((word, 1)),
            }
        }
        counts.retain(|(_, count)| *count >= least);
        let words = (0..)
            .zip(counts)
            .map(|(number, (word, _))| (word.to_owned(), number));
        let vocabulary = Self(words.collect());
        lens::record!(words = vocabulary.len());
        log::info!(words = vocabulary.len(); "learned a vocabulary");
        vocabulary
    }

    /// Returns the numbers of the words of `text`.
    ///
    /// # Errors
    ///
    /// When it has a word that is not in the vocabulary, which is returned.
    // Called for each line: only on where somebody asks for this group.
    #[lens::trace(group = "tokenize", fields(bytes = text.len()))]
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, String> {
        let number = |word: &str| self.0.get(word).copied().ok_or_else(|| unknown(word));
        let numbers: Vec<_> = text
            .split_whitespace()
            .map(number)
            .collect::<Result<_, _>>()?;
        lens::counter!("tokenizer.words", numbers.len(), unit = "{word}");
        Ok(numbers)
    }

    /// Returns how many words it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn unknown(word: &str) -> String {
    log::warn!(word; "not in the vocabulary");
    format!("unknown word {word:?}")
}
