//! A word's neighbours in a lexicon: Coltheart's N, OLD20 and the nearest words.
//!
//! The lexicon is a trie. A walk over it carries, for every number of errors up to some k, which beginnings of the word can be turned into
//! the prefix so far: a bit for each beginning (Wu & Manber 1992). Where none is left, all words below the prefix are farther away
//! than k, and the walk leaves them out. Words have twenty others within one, two or three errors as a rule, so that few of the
//! prefixes are visited; the rest of the words are compared one by one.

use super::levenshtein::Pattern;
use crate::lexicon::{END, Lexicon, Symbol, Trie, WordId, letters};

/// Words that OLD20 is the mean of.
const NEAREST: usize = 20;

/// A lexicon's words, arranged for comparison.
#[derive(Debug)]
pub struct Neighbours<'a> {
    lexicon: &'a Lexicon,
    trie: Trie,
    /// For each node of the trie, the shortest and the longest word below it, in letters.
    spans: Vec<[u32; 2]>,
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

    /// Takes the nearest of some words, among which are all that have one of the smallest distances.
    fn of(mut near: Vec<Neighbour>, lexicon: &Lexicon, length: usize) -> Self {
        near.sort_unstable();
        let word = near.first().filter(|first| first.distance == 0).map(|first| first.word);
        near.retain(|neighbour| neighbour.distance > 0);
        let same_length = |word| lexicon.vocabulary().symbols(word).len() == length + 1;
        let at_one = near.iter().take_while(|neighbour| neighbour.distance == 1);
        let substitutions = at_one.filter(|neighbour| same_length(neighbour.word)).count();
        near.truncate(NEAREST);
        Self { word, substitutions, nearest: near }
    }
}

impl<'a> Neighbours<'a> {
    /// Arranges the words that occur in a lexicon.
    pub fn of(lexicon: &'a Lexicon) -> Self {
        let trie = Trie::of(lexicon);
        let mut spans = vec![[u32::MAX, 0]; trie.len()];
        let mut open: Vec<usize> = Vec::new();
        for node in trie.nodes() {
            open.truncate(node.depth - 1);
            open.push(node.index);
            if node.word.is_some() {
                let length = node.depth as u32 - 1;
                for &index in &open {
                    spans[index] = [spans[index][0].min(length), spans[index][1].max(length)];
                }
            }
        }
        Self { lexicon, trie, spans }
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
        let near = self.near(letters).unwrap_or_else(|| {
            let pattern = Pattern::new(letters, self.lexicon.alphabet().symbol_count());
            let letters = |symbols: &'a [Symbol]| &symbols[..symbols.len() - 1];
            let words = self.lexicon.words();
            words
                .map(|word| Neighbour { distance: pattern.distance(letters(word.symbols)), word: word.id })
                .collect()
        });
        Neighbourhood::of(near, self.lexicon, letters.len())
    }

    /// All words within the smallest number of errors that has enough of them; none if that is too large, or the word too long.
    fn near(&self, letters: &[Symbol]) -> Option<Vec<Neighbour>> {
        let places = Places::of(letters, self.lexicon.alphabet().symbol_count())?;
        let walks = [Self::within::<2>, Self::within::<3>, Self::within::<4>, Self::within::<5>];
        // The word itself does not count.
        let enough = |near: &Vec<Neighbour>| near.iter().filter(|word| word.distance > 0).count() >= NEAREST;
        walks.into_iter().map(|walk| walk(self, &places)).find(enough)
    }

    /// The words with fewer than `N` errors.
    fn within<const N: usize>(&self, places: &Places) -> Vec<Neighbour> {
        let last = places.length;
        let lengths = [(last + 1).saturating_sub(N) as u32, (last + N - 1) as u32];
        let beginnings = u64::MAX >> (63 - last);
        // For each depth and number of errors, the beginnings of the word that can be turned into the prefix. The empty prefix
        // comes from beginnings with as many letters as there are errors.
        let mut rows = vec![[0u64; N]; self.trie.depth() + 1];
        rows[0] = std::array::from_fn(|errors| (1 << (errors + 1)) - 1);
        let (mut found, mut index) = (Vec::new(), 0);
        while index < self.trie.len() {
            let node = self.trie.node(index);
            let before = rows[node.depth - 1];
            if let Some(word) = node.word {
                let distance = before.iter().position(|row| row >> last & 1 == 1);
                found.extend(distance.map(|distance| Neighbour { distance, word }));
                index += 1;
                continue;
            }
            let own = places.bits[usize::from(node.symbol)];
            let mut now = [0; N];
            now[0] = before[0] << 1 & own;
            for errors in 1..N {
                // A letter that matches, one too many, another one, one too few.
                let fewer = before[errors - 1];
                now[errors] = (before[errors] << 1 & own) | fewer | (fewer | now[errors - 1]) << 1;
            }
            let [shortest, longest] = self.spans[index];
            let alive = now[N - 1] & beginnings != 0 && shortest <= lengths[1] && longest >= lengths[0];
            rows[node.depth] = now;
            index = if alive { index + 1 } else { node.end };
        }
        found
    }
}

/// Where each symbol stands in a word: bit i if it is letter i, counted from 1.
struct Places {
    length: usize,
    bits: Vec<u64>,
}

impl Places {
    /// None if a bit for each beginning of the word does not fit.
    fn of(letters: &[Symbol], symbols: usize) -> Option<Self> {
        let mut bits = vec![0; symbols];
        for (bit, &letter) in (1..64).zip(letters) {
            bits[usize::from(letter)] |= 1 << bit;
        }
        (letters.len() < 64).then_some(Self { length: letters.len(), bits })
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
