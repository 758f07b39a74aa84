//! A word's neighbours in a lexicon: Coltheart's N, OLD20 and the nearest words.

use super::word_index::{Found, Search, WordIndex};
use crate::lexicon::{Lexicon, Symbol, WordId};

/// Words that OLD20 is the mean of.
const NEAREST: usize = 20;

/// A word of the lexicon and its distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Neighbour {
    /// Levenshtein distance, in letters.
    pub distance: usize,
    /// The word.
    pub word: WordId,
}

/// What there is around a word. The word itself is not among its neighbours.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Neighbourhood {
    /// The word itself, if it is in the lexicon.
    pub word: Option<WordId>,
    /// Coltheart's N: words of the same length that differ in one letter.
    pub substitutions: usize,
    /// The twenty nearest words, or all there are: by rising distance, the more frequent first among equals.
    pub nearest: Vec<Neighbour>,
}

impl Neighbourhood {
    /// OLD20, the mean distance to the twenty nearest words; none if the lexicon has fewer.
    pub(crate) fn old20(&self) -> Option<f64> {
        let sum: usize = self.nearest.iter().map(|neighbour| neighbour.distance).sum();
        (self.nearest.len() == NEAREST).then(|| sum as f64 / NEAREST as f64)
    }
}

impl WordIndex {
    /// Arranges the words that occur in a lexicon.
    pub(crate) fn of_lexicon(lexicon: &Lexicon) -> Self {
        Self::of(lexicon.words().map(|word| (word.id, &word.symbols[..word.symbols.len() - 1])))
    }

    /// What there is around a word of these letters. A letter that the lexicon lacks is [`END`](crate::lexicon::END), which no word has among its
    /// letters.
    pub(crate) fn around(&self, letters: &[Symbol]) -> Neighbourhood {
        let (length, bound) = (letters.len(), usize::MAX);
        let mut nearest = Nearest { length, bound, counts: Vec::new(), found: Neighbourhood::default() };
        self.search(letters, &mut nearest);
        let mut found = nearest.found;
        found.nearest.sort_unstable();
        found.nearest.truncate(NEAREST);
        found
    }
}

/// A search for the twenty nearest words.
struct Nearest {
    length: usize,
    /// The distance of the twentieth word, once there are so many.
    bound: usize,
    found: Neighbourhood,
    /// Neighbours at each distance.
    counts: Vec<usize>,
}

impl Search for Nearest {
    fn bound(&self) -> usize {
        self.bound
    }

    fn take(&mut self, found: Found<'_>) {
        let distance = found.distance;
        if distance == 0 {
            self.found.word = found.ids().next();
        }
        if distance == 0 || distance > self.bound {
            return;
        }
        let count = found.count();
        if distance == 1 && found.length == self.length {
            self.found.substitutions += count;
        }
        self.counts.resize(self.counts.len().max(distance + 1), 0);
        self.counts[distance] += count;
        let mut sum = 0;
        let enough = self.counts.iter().position(|count| {
            sum += count;
            sum >= NEAREST
        });
        self.bound = enough.unwrap_or(self.bound);
        // Of equals the most frequent come first, here and in the end.
        self.found.nearest.extend(found.ids().take(NEAREST).map(|word| Neighbour { distance, word }));
    }
}

#[cfg(test)]
mod tests {
    use super::super::levenshtein::tests::textbook;
    use super::*;
    use crate::lexicon::{END, letters};
    use proptest::prelude::*;

    fn spelt(lexicon: &Lexicon, word: &str) -> Vec<Symbol> {
        letters::letters(word).map(|letter| lexicon.alphabet().symbol(letter).unwrap_or(END)).collect()
    }

    /// Everything by comparing with every word.
    fn brute_force(lexicon: &Lexicon, letters: &[Symbol]) -> Neighbourhood {
        let mut all: Vec<Neighbour> = lexicon
            .words()
            .map(|word| {
                let own = &word.symbols[..word.symbols.len() - 1];
                Neighbour { distance: textbook(letters, own), word: word.id }
            })
            .collect();
        all.sort_unstable();
        let word = all.first().filter(|first| first.distance == 0).map(|first| first.word);
        all.retain(|neighbour| neighbour.distance > 0);
        let differ = |neighbour: &&Neighbour| {
            let own = lexicon.vocabulary().symbols(neighbour.word);
            own.len() - 1 == letters.len() && own.iter().zip(letters).filter(|(a, b)| a != b).count() == 1
        };
        let substitutions = all.iter().filter(differ).count();
        all.truncate(NEAREST);
        Neighbourhood { word, substitutions, nearest: all }
    }

    proptest! {
        #[test]
        fn nothing_is_overlooked(
            words in proptest::collection::vec(("[abcdж한]{1,7}", 1u64..4), 1..120),
            measured in proptest::collection::vec("[abcdж한x]{0,9}", 1..6),
        ) {
            let lexicon = Lexicon::from_counts(words.clone()).unwrap();
            let neighbours = WordIndex::of_lexicon(&lexicon);
            for word in measured.iter().chain(words.iter().take(5).map(|(word, _)| word)) {
                let letters = spelt(&lexicon, word);
                prop_assert_eq!(neighbours.around(&letters), brute_force(&lexicon, &letters));
            }
        }
    }

    #[test]
    fn definitions_by_hand() {
        let words = ["cat", "cot", "cut", "coat", "at", "dog"];
        let lexicon = Lexicon::from_counts(words.map(|word| (word, 1))).unwrap();
        let neighbours = WordIndex::of_lexicon(&lexicon);
        let around = |word: &str| neighbours.around(&spelt(&lexicon, word));
        let cat = around("cat");
        assert_eq!((cat.word.is_some(), cat.substitutions, cat.old20()), (true, 2, None));
        let text = |neighbour: &Neighbour| lexicon.vocabulary().text(neighbour.word).to_string();
        assert_eq!(cat.nearest.iter().map(text).collect::<Vec<_>>(), ["at", "coat", "cot", "cut", "dog"]);
        assert_eq!(around("xat").substitutions, 1);
        assert_eq!(around("").nearest[0].distance, 2);
        // More neighbours than OLD20 takes.
        let many: Vec<String> = ('a'..='z').map(|letter| format!("b{letter}d")).collect();
        let lexicon = Lexicon::from_counts(many.iter().map(|word| (word, 1))).unwrap();
        let neighbours = WordIndex::of_lexicon(&lexicon);
        let bad = neighbours.around(&spelt(&lexicon, "bad"));
        assert_eq!((bad.substitutions, bad.old20()), (25, Some(1.0)));
    }
}
