//! A word's neighbours in a lexicon: Coltheart's N, OLD20 and the nearest words.
//!
//! All of a lexicon's words are looked at, but few closely: words whose length or whose letters differ by more than the
//! farthest of the twenty found so far cannot be nearer, and need no table.

use std::collections::BTreeMap;

use super::levenshtein::Pattern;
use crate::lexicon::{END, Lexicon, Symbol, WordId, letters};

/// Words that OLD20 is the mean of.
const NEAREST: usize = 20;

/// A lexicon's words, arranged for comparison.
#[derive(Debug)]
pub struct Neighbours<'a> {
    lexicon: &'a Lexicon,
    /// By length, shortest first.
    groups: Vec<Group>,
}

/// The words of one length.
#[derive(Debug)]
struct Group {
    length: usize,
    ids: Vec<WordId>,
    /// Which letters they have.
    bags: Vec<Bag>,
    /// Their letters, `length` for each word.
    letters: Vec<Symbol>,
}

/// A word of the lexicon and its distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Neighbour {
    /// Levenshtein distance, in letters.
    pub distance: usize,
    /// The word.
    pub word: WordId,
}

/// What there is around a word. The word itself is not among its neighbours.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbourhood {
    /// The word itself, if it is in the lexicon.
    pub word: Option<WordId>,
    /// Coltheart's N: words of the same length that differ in one letter.
    pub substitutions: usize,
    /// The twenty nearest words, or all there are: by rising distance, the more frequent first among equals.
    pub nearest: Vec<Neighbour>,
}

impl Neighbourhood {
    /// OLD20, the mean distance to the twenty nearest words; none if the lexicon has fewer.
    pub fn old20(&self) -> Option<f64> {
        let sum: usize = self.nearest.iter().map(|neighbour| neighbour.distance).sum();
        (self.nearest.len() == NEAREST).then(|| sum as f64 / NEAREST as f64)
    }

    /// Keeps a word if it is among the nearest so far.
    fn add(&mut self, neighbour: Neighbour) {
        let at = self.nearest.partition_point(|other| *other < neighbour);
        if at < NEAREST {
            self.nearest.truncate(NEAREST - 1);
            self.nearest.insert(at, neighbour);
        }
    }

    /// The largest distance that is still of interest.
    fn bound(&self) -> usize {
        if self.nearest.len() < NEAREST { usize::MAX } else { self.nearest[NEAREST - 1].distance }
    }
}

impl<'a> Neighbours<'a> {
    /// Arranges the words that occur in a lexicon.
    pub fn of(lexicon: &'a Lexicon) -> Self {
        let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
        for word in lexicon.words() {
            let letters = &word.symbols[..word.symbols.len() - 1];
            let group = groups.entry(letters.len()).or_insert_with(|| Group {
                length: letters.len(),
                ids: Vec::new(),
                bags: Vec::new(),
                letters: Vec::new(),
            });
            group.ids.push(word.id);
            group.bags.push(Bag::of(letters));
            group.letters.extend_from_slice(letters);
        }
        Self { lexicon, groups: groups.into_values().collect() }
    }

    /// The lexicon.
    pub fn lexicon(&self) -> &'a Lexicon {
        self.lexicon
    }

    /// The letters of a word, which is brought to normal form C. A letter that the lexicon lacks becomes [`END`], which no
    /// word has among its letters.
    pub fn letters(&self, word: &str) -> Vec<Symbol> {
        let word = letters::normalise(word, false);
        letters::letters(&word).map(|letter| self.lexicon.alphabet().symbol(letter).unwrap_or(END)).collect()
    }

    /// What there is around a word of these letters.
    pub fn around(&self, letters: &[Symbol]) -> Neighbourhood {
        let pattern = Pattern::new(letters, self.lexicon.alphabet().symbol_count());
        let bag = Bag::of(letters);
        let mut found = Neighbourhood { word: None, substitutions: 0, nearest: Vec::new() };
        let mut groups: Vec<&Group> = self.groups.iter().collect();
        groups.sort_by_key(|group| group.length.abs_diff(letters.len()));
        for group in groups {
            if group.length.abs_diff(letters.len()) > found.bound() {
                break;
            }
            group.visit(&pattern, bag, letters.len(), &mut found);
        }
        found
    }
}

impl Group {
    /// Enters the words that are near enough. Words at distance 1 always are, since at most one word has distance 0.
    fn visit(&self, pattern: &Pattern, bag: Bag, length: usize, found: &mut Neighbourhood) {
        for (index, (&word, &own)) in self.ids.iter().zip(&self.bags).enumerate() {
            let bound = found.bound();
            if bag.least_distance(own) > bound {
                continue;
            }
            let letters = &self.letters[index * self.length..][..self.length];
            match pattern.distance_within(letters, bound) {
                Some(0) => found.word = Some(word),
                Some(distance) => {
                    found.substitutions += usize::from(distance == 1 && self.length == length);
                    found.add(Neighbour { distance, word });
                }
                None => {}
            }
        }
    }
}

/// A word's letters without their order: a bit for each of the first four occurrences of a letter. Letters whose numbers agree
/// modulo 32 are taken for one, so that words may seem nearer than they are, but never farther.
#[derive(Debug, Clone, Copy)]
struct Bag(u128);

impl Bag {
    const CLASSES: usize = 32;
    const OCCURRENCES: usize = 4;

    fn of(letters: &[Symbol]) -> Self {
        let mut seen = [0; Self::CLASSES];
        let mut bits = 0;
        for &letter in letters {
            let class = usize::from(letter) % Self::CLASSES;
            if seen[class] < Self::OCCURRENCES {
                bits |= 1 << (seen[class] * Self::CLASSES + class);
                seen[class] += 1;
            }
        }
        Self(bits)
    }

    /// What the distance cannot be below: an edit brings in one letter at most, and takes away one at most.
    fn least_distance(self, other: Self) -> usize {
        (self.0 & !other.0).count_ones().max((other.0 & !self.0).count_ones()) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Everything by comparing with every word.
    fn brute_force(lexicon: &Lexicon, letters: &[Symbol]) -> Neighbourhood {
        let pattern = Pattern::new(letters, lexicon.alphabet().symbol_count());
        let mut all: Vec<Neighbour> = lexicon
            .words()
            .map(|word| {
                let own = &word.symbols[..word.symbols.len() - 1];
                Neighbour { distance: pattern.distance(own), word: word.id }
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
            let neighbours = Neighbours::of(&lexicon);
            for word in measured.iter().chain(words.iter().take(5).map(|(word, _)| word)) {
                let letters = neighbours.letters(word);
                prop_assert_eq!(neighbours.around(&letters), brute_force(&lexicon, &letters));
            }
        }
    }

    #[test]
    fn definitions_by_hand() {
        let words = ["cat", "cot", "cut", "coat", "at", "dog"];
        let lexicon = Lexicon::from_counts(words.map(|word| (word, 1))).unwrap();
        let neighbours = Neighbours::of(&lexicon);
        let around = |word: &str| neighbours.around(&neighbours.letters(word));
        let cat = around("cat");
        assert_eq!((cat.word.is_some(), cat.substitutions, cat.old20()), (true, 2, None));
        let text = |neighbour: &Neighbour| lexicon.vocabulary().text(neighbour.word).to_string();
        assert_eq!(cat.nearest.iter().map(text).collect::<Vec<_>>(), ["at", "coat", "cot", "cut", "dog"]);
        assert_eq!(around("xat").substitutions, 1);
        assert_eq!(around("").nearest[0].distance, 2);
        // More neighbours than OLD20 takes.
        let many: Vec<String> = ('a'..='z').map(|letter| format!("b{letter}d")).collect();
        let lexicon = Lexicon::from_counts(many.iter().map(|word| (word, 1))).unwrap();
        let neighbours = Neighbours::of(&lexicon);
        let bad = neighbours.around(&neighbours.letters("bad"));
        assert_eq!((bad.substitutions, bad.old20()), (25, Some(1.0)));
    }
}
