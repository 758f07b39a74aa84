//! All words that an automaton accepts, where they are few.

use super::automaton::{ACCEPTED, Automaton, DEAD};
use crate::lexicon::{END, Symbol};

/// Beginnings of words that are looked at for each word that there may be.
const BEGINNINGS: usize = 50;

impl Automaton {
    /// All accepted words, if there are at most `most`. `goes_on` tells whether a word may go on from its letters so far with a symbol,
    /// which may be the end.
    pub(crate) fn list(
        &self,
        most: usize,
        goes_on: impl Fn(&[Symbol], Symbol) -> bool,
    ) -> Option<Vec<Vec<Symbol>>> {
        let mut found = Vec::new();
        let mut open = vec![(self.start(), Vec::new())];
        let mut beginnings = 0;
        while let Some((state, letters)) = open.pop() {
            beginnings += 1;
            if beginnings > BEGINNINGS.saturating_mul(most) {
                return None;
            }
            // The stack gives the last one first.
            for symbol in (0..self.symbols() as Symbol).rev() {
                match self.next(state, symbol) {
                    DEAD => {}
                    _ if !goes_on(&letters, symbol) => {}
                    ACCEPTED => {
                        debug_assert_eq!(symbol, END);
                        found.push(letters.clone());
                        if found.len() > most {
                            return None;
                        }
                    }
                    next => open.push((next, [&letters[..], &[symbol]].concat())),
                }
            }
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Classes, Constraint};
    use super::*;
    use crate::lexicon::Alphabet;

    #[test]
    fn all_words_are_listed_once_or_none() {
        let alphabet = Alphabet::from_letters(["a", "b", "c"]).unwrap();
        let constraints =
            [Constraint::Pattern("a*|?b".into()), Constraint::AtLeast(1), Constraint::AtMost(4)];
        let automaton = Automaton::new(&alphabet, &Classes::default(), &constraints, 9).unwrap();
        let mut expected = Vec::new();
        let mut last: Vec<Vec<Symbol>> = vec![vec![]];
        for _ in 0..4 {
            last =
                last.iter().flat_map(|word| (1..4).map(|letter| [&word[..], &[letter]].concat())).collect();
            expected.extend(last.iter().filter(|word| automaton.accepts(word)).cloned());
        }
        let list = |most, goes_on: fn(&[Symbol], Symbol) -> bool| {
            automaton.list(most, goes_on).map(|mut words| {
                words.sort_unstable();
                words
            })
        };
        expected.sort_unstable();
        // One, three, nine and 27 that begin with a; bb and cb.
        assert_eq!(expected.len(), 42);
        assert_eq!(list(42, |_, _| true), Some(expected.clone()));
        assert_eq!(list(41, |_, _| true), None);
        // No letter twice in a row, no word that ends with c.
        expected.retain(|word| word.windows(2).all(|pair| pair[0] != pair[1]) && word.last() != Some(&3));
        assert_eq!(
            list(42, |word, next| word.last() != Some(&next) && (next != END || word.last() != Some(&3))),
            Some(expected)
        );
        // A walk without an end is given up.
        let endless = Automaton::anything(4);
        assert_eq!(endless.list(10, |_, symbol| symbol != END), None);
    }
}
