//! A word's neighbours in a lexicon: Coltheart's N, OLD20 and the nearest words.
//!
//! The lexicon is a trie. A walk over it carries, for every number of errors up to some k, which beginnings of the word can be turned into
//! the prefix so far: a bit for each beginning (Wu & Manber 1992). Where none is left, all words below the prefix are farther away
//! than k, and the walk leaves them out.
//!
//! Of k errors at most ⌊k/2⌋ fall on the first half of the word, or fewer than k − ⌊k/2⌋ on its second half. So there are two walks,
//! one over the words as they are and one over the words spelt backwards, and each begins with a half that has few errors: it visits few
//! prefixes. Words have twenty others within one to four errors as a rule; the rest of the words are compared one by one.

use std::sync::Arc;

use super::levenshtein::Pattern;
use crate::lexicon::{Lexicon, Symbol, Trie, WordId};

/// Words that OLD20 is the mean of.
const NEAREST: usize = 20;

/// A lexicon's words, arranged for comparison.
#[derive(Debug)]
pub(crate) struct Neighbours {
    lexicon: Arc<Lexicon>,
    forwards: Prefixes,
    backwards: Prefixes,
}

/// The prefixes of all words, spelt one way: the nodes of a trie, each with all that a walk wants to know in one place.
#[derive(Debug)]
struct Prefixes {
    nodes: Vec<Prefix>,
    /// Letters of the longest word.
    longest: usize,
}

/// A node, its numbers as in [`Trie`].
#[derive(Debug)]
struct Prefix {
    symbol: Symbol,
    depth: u32,
    end: u32,
    word: Option<WordId>,
    /// The shortest and the longest word below it, in letters.
    span: [u32; 2],
}

/// A word of the lexicon and its distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Neighbour {
    /// Levenshtein distance, in letters.
    pub distance: usize,
    /// The word.
    pub word: WordId,
}

/// What there is around a word. The word itself is not among its neighbours.
#[derive(Debug, Clone, PartialEq)]
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

impl Neighbours {
    /// Arranges the words that occur in a lexicon.
    pub(crate) fn of(lexicon: &Arc<Lexicon>) -> Self {
        let forwards = Prefixes::of(&Trie::of(lexicon));
        let backwards = Prefixes::of(&Trie::backwards(lexicon));
        Self { lexicon: Arc::clone(lexicon), forwards, backwards }
    }

    /// What there is around a word of these letters. A letter that the lexicon lacks is [`END`](crate::lexicon::END), which no word has among its
    /// letters.
    pub(crate) fn around(&self, letters: &[Symbol]) -> Neighbourhood {
        let near = self.near(letters).unwrap_or_else(|| {
            let pattern = Pattern::new(letters, self.lexicon.alphabet().symbol_count());
            let distance = |symbols: &[Symbol]| pattern.distance(&symbols[..symbols.len() - 1]);
            let words = self.lexicon.words();
            words.map(|word| Neighbour { distance: distance(word.symbols), word: word.id }).collect()
        });
        Neighbourhood::of(near, &self.lexicon, letters.len())
    }

    /// All words within the smallest number of errors that has enough of them; none if that is too large, or the word too long.
    fn near(&self, letters: &[Symbol]) -> Option<Vec<Neighbour>> {
        let symbols = self.lexicon.alphabet().symbol_count();
        let forwards = Places::of(letters.iter(), symbols)?;
        let backwards = Places::of(letters.iter().rev(), symbols)?;
        let walks =
            [Self::within::<2>, Self::within::<3>, Self::within::<4>, Self::within::<5>, Self::within::<6>];
        // The word itself does not count.
        let enough = |near: &Vec<Neighbour>| near.iter().filter(|word| word.distance > 0).count() >= NEAREST;
        walks.into_iter().map(|walk| walk(self, &forwards, &backwards)).find(enough)
    }

    /// The words with fewer than `N` errors.
    fn within<const N: usize>(&self, forwards: &Places, backwards: &Places) -> Vec<Neighbour> {
        let (errors, first) = (N - 1, forwards.length.div_ceil(2));
        let second = forwards.length - first;
        // At most ⌊k/2⌋ errors by the time that the first half is read, or else less than the rest of them in the second half, before
        // the last letter of the first half.
        let mut found = self.forwards.within::<N>(forwards, first + 1, errors / 2);
        found.extend(self.backwards.within::<N>(backwards, second, errors - errors / 2 - 1));
        // A word that both have found counts with the smaller number.
        found.sort_unstable_by_key(|neighbour| (neighbour.word, neighbour.distance));
        found.dedup_by_key(|neighbour| neighbour.word);
        found
    }
}

impl Prefixes {
    fn of(trie: &Trie) -> Self {
        let mut nodes: Vec<Prefix> = Vec::with_capacity(trie.len());
        let (mut open, mut all): (Vec<usize>, u32) = (Vec::new(), 0);
        for node in trie.nodes() {
            open.truncate(node.depth - 1);
            open.push(node.index);
            let (depth, end) = (node.depth as u32, node.end as u32);
            nodes.push(Prefix { symbol: node.symbol, depth, end, word: node.word, span: [u32::MAX, 0] });
            if node.word.is_some() {
                let length = depth - 1;
                for &index in &open {
                    let [shortest, longest] = &mut nodes[index].span;
                    (*shortest, *longest) = ((*shortest).min(length), (*longest).max(length));
                }
                all = all.max(length);
            }
        }
        Self { nodes, longest: all as usize }
    }

    /// The words with fewer than `N` errors, of which at most `few` come while fewer than `early` letters of the word have been read. A word's
    /// number of errors is the smallest of that kind.
    fn within<const N: usize>(&self, places: &Places, early: usize, few: usize) -> Vec<Neighbour> {
        let last = places.length;
        let early = (1u64 << early) - 1;
        let lengths = [(last + 1).saturating_sub(N) as u32, (last + N - 1) as u32];
        let beginnings = u64::MAX >> (63 - last);
        // For each depth and number of errors, the beginnings of the word that can be turned into the prefix. The empty prefix
        // comes from beginnings with as many letters as there are errors.
        let mut rows = vec![[0u64; N]; self.longest + 2];
        rows[0] = std::array::from_fn(|errors| (1 << (errors + 1)) - 1);
        rows[0][few + 1..].iter_mut().for_each(|row| *row &= !early);
        let (mut found, mut index) = (Vec::new(), 0);
        while let Some(node) = self.nodes.get(index) {
            let depth = node.depth as usize;
            let before = rows[depth - 1];
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
                if errors > few {
                    now[errors] &= !early;
                }
            }
            let [shortest, longest] = node.span;
            let any = now.iter().fold(0, |all, row| all | row);
            let alive = any & beginnings != 0 && shortest <= lengths[1] && longest >= lengths[0];
            rows[depth] = now;
            index = if alive { index + 1 } else { node.end as usize };
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
    fn of<'l>(letters: impl ExactSizeIterator<Item = &'l Symbol>, symbols: usize) -> Option<Self> {
        let (length, mut bits) = (letters.len(), vec![0; symbols]);
        for (bit, &letter) in (1..64).zip(letters) {
            bits[usize::from(letter)] |= 1 << bit;
        }
        (length < 64).then_some(Self { length, bits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{END, letters};
    use proptest::prelude::*;

    fn spelt(lexicon: &Lexicon, word: &str) -> Vec<Symbol> {
        letters::letters(word).map(|letter| lexicon.alphabet().symbol(letter).unwrap_or(END)).collect()
    }

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
            let lexicon = Arc::new(Lexicon::from_counts(words.clone()).unwrap());
            let neighbours = Neighbours::of(&lexicon);
            for word in measured.iter().chain(words.iter().take(5).map(|(word, _)| word)) {
                let letters = spelt(&lexicon, word);
                prop_assert_eq!(neighbours.around(&letters), brute_force(&lexicon, &letters));
            }
        }
    }

    #[test]
    fn definitions_by_hand() {
        let words = ["cat", "cot", "cut", "coat", "at", "dog"];
        let lexicon = Arc::new(Lexicon::from_counts(words.map(|word| (word, 1))).unwrap());
        let neighbours = Neighbours::of(&lexicon);
        let around = |word: &str| neighbours.around(&spelt(&lexicon, word));
        let cat = around("cat");
        assert_eq!((cat.word.is_some(), cat.substitutions, cat.old20()), (true, 2, None));
        let text = |neighbour: &Neighbour| lexicon.vocabulary().text(neighbour.word).to_string();
        assert_eq!(cat.nearest.iter().map(text).collect::<Vec<_>>(), ["at", "coat", "cot", "cut", "dog"]);
        assert_eq!(around("xat").substitutions, 1);
        assert_eq!(around("").nearest[0].distance, 2);
        // More neighbours than OLD20 takes.
        let many: Vec<String> = ('a'..='z').map(|letter| format!("b{letter}d")).collect();
        let lexicon = Arc::new(Lexicon::from_counts(many.iter().map(|word| (word, 1))).unwrap());
        let neighbours = Neighbours::of(&lexicon);
        let bad = neighbours.around(&spelt(&lexicon, "bad"));
        assert_eq!((bad.substitutions, bad.old20()), (25, Some(1.0)));
    }
}
