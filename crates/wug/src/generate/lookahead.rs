//! How likely a word is to be completed from a state of the automaton, roughly.
//!
//! The rough model is a Markov chain of letter classes, counted from words that were drawn without constraints:
//! `v(s, c) = Σ_c' p(c' | c) v(δ(s, c'), c')`, and 1 where the word is accepted. Particles are guided by it; what they
//! stand for in the end does not depend on it, only how many of them are of use.

use super::automaton::{ACCEPTED, Automaton, DEAD};
use super::word_list::WordList;
use crate::lexicon::END;

/// Weight of the uniform distribution against the counts of a class.
const SMOOTHING: f64 = 1.0;
/// Sweeps over all states: enough to walk through a word of any length.
const MAX_SWEEPS: usize = 300;
/// Products of all sweeps, after which they end: a guess need not be good.
const MAX_PRODUCTS: usize = 2_000_000_000;
/// Relative change at which sweeps end.
const TOLERANCE: f64 = 0.01;
/// The least value of a state from which a word can be completed.
const LEAST: f64 = 1e-300;

/// Rough probabilities of completion, by state and the class of the last symbol.
#[derive(Debug)]
pub(crate) struct Lookahead {
    values: Vec<f64>,
    classes: usize,
}

impl Lookahead {
    /// Learns from unconstrained words.
    pub(crate) fn new(automaton: &Automaton, words: &WordList) -> Self {
        Self::solve(automaton, &transitions(automaton, words))
    }

    /// The probability of completion for a chain of classes: `chain[c · classes + c']` is `p(c' | c)`.
    fn solve(automaton: &Automaton, chain: &[f64]) -> Self {
        let (states, classes) = (automaton.states(), automaton.class_count());
        let mut values = vec![0.0; states * classes];
        let live = |state: usize| state > ACCEPTED as usize;
        values[ACCEPTED as usize * classes..][..classes].fill(1.0);
        let products = states * classes * classes;
        for _ in 0..(MAX_PRODUCTS / products.max(1)).clamp(1, MAX_SWEEPS) {
            let mut settled = true;
            // States are numbered from the start on: backwards, values travel far in one sweep.
            for state in (0..states).filter(|&state| live(state)).rev() {
                for class in 0..classes {
                    let value: f64 = (0..classes)
                        .map(|next| {
                            let target = automaton.next_by_class(state as u32, next as u16);
                            chain[class * classes + next] * values[target as usize * classes + next]
                        })
                        .sum();
                    let own = &mut values[state * classes + class];
                    settled &= (value - *own).abs() <= TOLERANCE * value;
                    *own = value;
                }
            }
            if settled {
                break;
            }
        }
        values[(DEAD as usize + 1) * classes..].iter_mut().for_each(|value| *value = value.max(LEAST));
        Self { values, classes }
    }

    /// The value of a state after a symbol of a class.
    pub(crate) fn value(&self, state: u32, class: u16) -> f64 {
        self.values[state as usize * self.classes + usize::from(class)]
    }
}

/// `p(c' | c)` from bigrams, with the end for the beginning too.
fn transitions(automaton: &Automaton, words: &WordList) -> Vec<f64> {
    let classes = automaton.class_count();
    let mut chain = vec![SMOOTHING / classes as f64; classes * classes];
    for letters in words.iter() {
        let mut class = automaton.class(END);
        for &symbol in letters.iter().chain([&END]) {
            let next = automaton.class(symbol);
            chain[usize::from(class) * classes + usize::from(next)] += 1.0;
            class = next;
        }
    }
    for row in chain.chunks_exact_mut(classes) {
        let total: f64 = row.iter().sum();
        row.iter_mut().for_each(|number| *number /= total);
    }
    chain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Classes, Constraint};
    use crate::lexicon::{Alphabet, Symbol};

    /// Against the sum over all words of a Markov chain, for a finite language.
    #[test]
    fn values_are_probabilities_of_completion() {
        let alphabet = Alphabet::from_letters(["a", "b"]).unwrap();
        let constraints = [Constraint::Pattern("*ab*".into()), Constraint::AtMost(5)];
        let automaton = Automaton::new(&alphabet, &Classes::default(), &constraints, 10).unwrap();
        let chain = [0.1, 0.6, 0.3, 0.2, 0.5, 0.3, 0.4, 0.15, 0.45];
        let lookahead = Lookahead::solve(&automaton, &chain);
        let mut words: Vec<Vec<Symbol>> = vec![vec![]];
        let mut last = words.clone();
        for _ in 0..5 {
            last =
                last.iter().flat_map(|word| [1, 2].map(|letter| [&word[..], &[letter]].concat())).collect();
            words.extend(last.clone());
        }
        let begin = usize::from(END);
        let expected: f64 = words
            .iter()
            .filter(|word| automaton.accepts(word))
            .map(|word| {
                let symbols: Vec<usize> =
                    std::iter::once(begin).chain(word.iter().map(|&s| s.into())).chain([begin]).collect();
                symbols.windows(2).map(|pair| chain[pair[0] * 3 + pair[1]]).product::<f64>()
            })
            .sum();
        let found = lookahead.value(automaton.start(), automaton.class(END));
        assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
    }

    #[test]
    fn every_state_that_can_be_completed_has_a_value() {
        let alphabet = Alphabet::from_letters(["a", "b"]).unwrap();
        let constraint = Constraint::Pattern("b".repeat(200));
        let automaton = Automaton::new(&alphabet, &Classes::default(), &[constraint], 200).unwrap();
        let mut words = WordList::default();
        (0..10_000).for_each(|_| words.push(&[1], 1));
        let lookahead = Lookahead::new(&automaton, &words);
        let mut state = automaton.start();
        for _ in 0..200 {
            assert!(lookahead.value(state, 2) > 0.0);
            state = automaton.next(state, 2);
        }
        assert_eq!(lookahead.value(DEAD, 2), 0.0);
    }
}
