//! A word's neighbours in a lexicon: Coltheart's N, OLD20 and the nearest words.

use super::word_index::{Found, Search, WordIndex};
use crate::lexicon::{Lexicon, Symbol, WordId};

/// Words that OLD20 is the mean of.
const NEAREST: usize = 20;
/// Nearest words that are named.
const NAMED: usize = 5;

/// What there is around a word. The word itself is not among its neighbours.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Neighbourhood {
    /// The word itself, if it is in the lexicon.
    pub word: Option<WordId>,
    /// Coltheart's N: words of the same length that differ in one letter.
    pub substitutions: usize,
    /// Mean Levenshtein distance to the twenty nearest words; none if the lexicon has fewer.
    pub old20: Option<f64>,
    /// Distance of the nearest words; none if there is no other word.
    pub distance: Option<usize>,
    /// Up to five words at that distance, the most frequent first.
    pub nearest: Vec<WordId>,
}

impl WordIndex {
    /// Arranges the words that occur in a lexicon.
    pub(crate) fn of_lexicon(lexicon: &Lexicon) -> Self {
        Self::of(lexicon.words().map(|word| (word.id, &word.symbols[..word.symbols.len() - 1])))
    }

    /// What there is around a word of these letters. A letter that the lexicon lacks is [`END`](crate::lexicon::END), which no word has among its
    /// letters.
    pub(crate) fn around(&self, letters: &[Symbol]) -> Neighbourhood {
        let mut nearest = Nearest {
            length: letters.len(),
            bound: usize::MAX,
            counts: Vec::new(),
            found: Neighbourhood::default(),
        };
        self.search(letters, &mut nearest);
        let Nearest { counts, mut found, .. } = nearest;
        let mut distances =
            (0..).zip(counts).flat_map(|(distance, count)| std::iter::repeat_n(distance, count));
        let twenty: Vec<u32> = distances.by_ref().take(NEAREST).collect();
        found.old20 =
            (twenty.len() == NEAREST).then(|| f64::from(twenty.iter().sum::<u32>()) / NEAREST as f64);
        // Of equals the more frequent come first.
        found.nearest.sort_unstable();
        found.nearest.truncate(NAMED);
        found
    }
}

/// A search for the nearest words and the distances of twenty.
struct Nearest {
    length: usize,
    bound: usize,
    /// How many neighbours there are at each distance, as far as it matters.
    counts: Vec<usize>,
    found: Neighbourhood,
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
        let smallest = self.found.distance.get_or_insert(distance);
        if distance < *smallest {
            *smallest = distance;
            self.found.nearest.clear();
        }
        if distance == *smallest {
            self.found.nearest.extend(found.ids().take(NAMED));
        }
        let smallest = *smallest;
        if self.counts.len() <= distance {
            self.counts.resize(distance + 1, 0);
        }
        self.counts[distance] += count;
        let mut sum = 0;
        let last = self.counts.iter().position(|count| {
            sum += count;
            sum >= NEAREST
        });
        // There are twenty: more at the distance of the last change nothing, unless they are the nearest.
        self.bound = last.map_or(self.bound, |last| smallest.max(last - 1));
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
        let own = |word: WordId| lexicon.vocabulary().symbols(word).split_last().unwrap().1;
        let mut all: Vec<(usize, WordId)> =
            lexicon.words().map(|word| (textbook(letters, own(word.id)), word.id)).collect();
        all.sort_unstable();
        let word = all.first().filter(|first| first.0 == 0).map(|first| first.1);
        all.retain(|(distance, _)| *distance > 0);
        let differ = |(_, word): &&(usize, WordId)| {
            own(*word).len() == letters.len()
                && own(*word).iter().zip(letters).filter(|(a, b)| a != b).count() == 1
        };
        let distance = all.first().map(|first| first.0);
        let sum: usize = all.iter().take(NEAREST).map(|(distance, _)| distance).sum();
        Neighbourhood {
            word,
            substitutions: all.iter().filter(differ).count(),
            old20: (all.len() >= NEAREST).then(|| sum as f64 / NEAREST as f64),
            distance,
            nearest: all
                .iter()
                .take_while(|near| Some(near.0) == distance)
                .take(NAMED)
                .map(|near| near.1)
                .collect(),
        }
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
        assert_eq!((cat.word.is_some(), cat.substitutions, cat.old20), (true, 2, None));
        let text = |word: &WordId| lexicon.vocabulary().text(*word).to_string();
        assert_eq!(cat.nearest.iter().map(text).collect::<Vec<_>>(), ["at", "coat", "cot", "cut"]);
        assert_eq!(around("xat").substitutions, 1);
        assert_eq!(around("").distance, Some(2));
        // More neighbours than OLD20 takes.
        let many: Vec<String> = ('a'..='z').map(|letter| format!("b{letter}d")).collect();
        let lexicon = Lexicon::from_counts(many.iter().map(|word| (word, 1))).unwrap();
        let neighbours = WordIndex::of_lexicon(&lexicon);
        let bad = neighbours.around(&spelt(&lexicon, "bad"));
        assert_eq!((bad.substitutions, bad.old20), (25, Some(1.0)));
    }
}
