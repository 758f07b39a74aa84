//! Resemblance within the list: words should not be nearer to words than pseudowords are, or nearness gives them away (LD1NN).

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::super::assignment::Edge;
use super::super::ld1nn::{Stimulus, ld1nn_random};
use super::super::parallel;
use super::super::word_index::{Found, Search, WordIndex};
use super::balance::Chosen;
use super::pool::Pool;
use crate::lexicon::{Alphabet, Symbol};

/// Longer lists are left alone: all stimuli are compared with each other in every round.
const MAX_STIMULI: usize = 6000;
/// Orders of the stimuli, and their seed. The test at the end has others, and more.
const ORDERS: usize = 10;
const SEED: u64 = 1 << 60;
/// Candidates of each target whose company is looked at, the nearest first; others have it half and half.
const EXAMINED: usize = 15;

/// The words of a list, to which pseudowords come.
pub(super) struct Resemblance<'p> {
    pool: &'p Pool,
    alphabet: &'p Alphabet,
    words: Vec<Vec<Symbol>>,
    threads: usize,
}

/// Words, then pseudowords.
struct Stimuli {
    index: WordIndex,
    words: usize,
}

impl Stimuli {
    fn of<'s>(spelt: impl Iterator<Item = &'s Vec<Symbol>>, words: usize) -> Self {
        Self { index: WordIndex::of((0..).zip(spelt.map(Vec::as_slice))), words }
    }

    /// The share of words among the stimuli that are nearest to some letters; the one at the place `own` is passed over.
    fn company(&self, letters: &[Symbol], own: Option<usize>) -> f64 {
        let mut company = Company { own, first: self.words, distance: usize::MAX, words: 0, all: 0 };
        self.index.search(letters, &mut company);
        if company.all > 0 { company.words as f64 / company.all as f64 } else { 0.5 }
    }
}

/// A search for the nearest stimuli.
struct Company {
    own: Option<usize>,
    /// The place of the first pseudoword.
    first: usize,
    distance: usize,
    words: usize,
    all: usize,
}

impl Search for Company {
    fn bound(&self) -> usize {
        self.distance
    }

    fn take(&mut self, found: Found<'_>) {
        let own = self.own;
        for place in found.ids().map(|place| place as usize).filter(|place| Some(*place) != own) {
            if found.distance < self.distance {
                *self = Self { distance: found.distance, words: 0, all: 0, ..*self };
            }
            if found.distance == self.distance {
                self.all += 1;
                self.words += usize::from(place < self.first);
            }
        }
    }
}

impl<'p> Resemblance<'p> {
    /// None for lists that are too long.
    pub(super) fn new(
        pool: &'p Pool,
        alphabet: &'p Alphabet,
        per_target: usize,
        threads: usize,
    ) -> Option<Self> {
        if pool.targets.len().saturating_mul(1 + per_target) > MAX_STIMULI {
            return None;
        }
        // A model has scored them, so it can spell them.
        let words =
            pool.targets.iter().filter_map(|target| alphabet.encode(&target.word.word).ok()).collect();
        Some(Self { pool, alphabet, words, threads })
    }

    fn spell(&self, column: u32) -> Vec<Symbol> {
        self.alphabet.encode(&self.pool.candidates[column as usize].word).unwrap_or_default()
    }

    fn stimuli(&self, chosen: &Chosen) -> Stimuli {
        let pseudowords: Vec<Vec<Symbol>> =
            chosen.iter().flatten().map(|&column| self.spell(column)).collect();
        Stimuli::of(self.words.iter().chain(&pseudowords), self.words.len())
    }

    /// How much likelier a word response is to words than to pseudowords, by LD1NN over some orders; 0 where it cannot be computed.
    pub(super) fn lean(&self, chosen: &Chosen) -> f64 {
        let stimulus = |text: &str, is_word| Stimulus { text: text.to_owned(), is_word };
        let words = self.pool.targets.iter().map(|target| stimulus(&target.word.word, true));
        let pseudowords = chosen.iter().flatten();
        let pseudowords =
            pseudowords.map(|&column| stimulus(&self.pool.candidates[column as usize].word, false));
        let all: Vec<Stimulus> = words.chain(pseudowords).collect();
        let Ok(bias) = ld1nn_random(&all, ORDERS, SEED, self.threads) else { return 0.0 };
        let mean = |shares: &[f64]| shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        let (words, pseudowords) = bias.probabilities.split_at(self.pool.targets.len());
        mean(words) - mean(pseudowords)
    }

    /// Makes candidates dearer by their company in a list: with a positive price those whose neighbours are pseudowords, with a negative
    /// one those whose neighbours are words.
    pub(super) fn charge(&self, edges: &mut [Vec<Edge>], price: f64, chosen: &Chosen) {
        let stimuli = self.stimuli(chosen);
        let own: HashMap<u32, usize, RandomState> =
            chosen.iter().flatten().copied().zip(stimuli.words..).collect();
        let mut columns: Vec<u32> =
            edges.iter().flat_map(|edges| edges.iter().take(EXAMINED)).map(|edge| edge.column).collect();
        columns.sort_unstable();
        columns.dedup();
        let shares = parallel::map(&columns, self.threads, |column| {
            stimuli.company(&self.spell(*column), own.get(column).copied())
        });
        let shares: HashMap<u32, f64, RandomState> = columns.into_iter().zip(shares).collect();
        for edge in edges.iter_mut().flatten() {
            let share = shares.get(&edge.column).copied().unwrap_or(0.5);
            edge.cost += if price > 0.0 { price * (1.0 - share) } else { -price * share };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn company_is_the_share_of_words_among_the_nearest() {
        let alphabet = Alphabet::from_letters(["a", "b", "c", "d"]).unwrap();
        let spell = |word: &str| alphabet.encode(word).unwrap();
        let stimuli = Stimuli::of(["aaa", "aab", "bbb", "bbc"].map(spell).iter(), 2);
        // By hand: of the words aaa and aab, and of the pseudowords bbb and bbc.
        for (word, own, expected) in [
            ("aac", None, 1.0),
            ("bbd", None, 0.0),
            ("abb", None, 0.5),
            ("aaa", Some(0), 1.0),
            ("bbb", Some(2), 0.0),
            ("aaa", None, 1.0),
            ("ddd", None, 0.5),
        ] {
            assert_eq!(stimuli.company(&spell(word), own), expected, "{word}");
        }
    }
}
