//! Levenshtein distance by bit-parallel dynamic programming.
//!
//! Myers (1999), in Hyyrö's form for edit distance (2003): a column of the textbook table is kept as differences
//! of neighbouring cells, one bit each, so that a letter of the other word takes a few operations for every 64 letters
//! of the pattern instead of one for each.

use crate::lexicon::Symbol;

/// Letters of a pattern in one machine word.
const BITS: usize = u64::BITS as usize;

/// A word prepared to be compared with many others.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    length: usize,
    /// Where each symbol stands in the pattern: as many machine words for each as there are blocks.
    places: Vec<u64>,
    /// The bit of the pattern's last letter in its last block.
    last: u64,
    /// Space for a column: its blocks.
    columns: Vec<Column>,
}

/// The vertical differences of one block: where they are +1 and where −1.
#[derive(Debug, Clone, Copy)]
struct Column {
    plus: u64,
    minus: u64,
}

impl Column {
    /// The first column: every cell is one more than the one above it.
    const FIRST: Self = Self { plus: !0, minus: 0 };

    /// Goes on by one letter of the text, which stands at `places` in the pattern. `above` is the horizontal
    /// difference that comes in from the block above, the result the one at the row of `bottom`.
    #[inline(always)]
    fn advance(&mut self, places: u64, above: i32, bottom: u64) -> i32 {
        let Self { plus, minus } = *self;
        let vertical = places | minus;
        let places = places | u64::from(above < 0);
        let horizontal = ((places & plus).wrapping_add(plus) ^ plus) | places;
        let up = minus | !(horizontal | plus);
        let down = plus & horizontal;
        let below = i32::from(up & bottom != 0) - i32::from(down & bottom != 0);
        let up = up << 1 | u64::from(above > 0);
        let down = down << 1 | u64::from(above < 0);
        *self = Self { plus: down | !(vertical | up), minus: up & vertical };
        below
    }
}

impl Pattern {
    pub(crate) fn new(letters: &[Symbol]) -> Self {
        let blocks = letters.len().div_ceil(BITS);
        let symbols = letters.iter().max().map_or(0, |&last| usize::from(last) + 1);
        let mut places = vec![0; symbols * blocks];
        for (index, &letter) in letters.iter().enumerate() {
            places[usize::from(letter) * blocks + index / BITS] |= 1 << (index % BITS);
        }
        let last = if letters.is_empty() { 0 } else { 1 << ((letters.len() - 1) % BITS) };
        Self { length: letters.len(), places, last, columns: vec![Column::FIRST; blocks] }
    }

    /// The fewest insertions, deletions and substitutions of letters that turn the pattern into `text`, if they are at most `bound`.
    pub(crate) fn distance_within(&mut self, text: &[Symbol], bound: usize) -> Option<usize> {
        let blocks = self.columns.len();
        self.columns.fill(Column::FIRST);
        let mut distance = self.length;
        for (left, &letter) in (0..text.len()).rev().zip(text) {
            let places = self.places.get(usize::from(letter) * blocks..).filter(|places| !places.is_empty());
            let mut difference = 1;
            for (index, column) in self.columns.iter_mut().enumerate() {
                let bottom = if index + 1 == blocks { self.last } else { 1 << (BITS - 1) };
                difference = column.advance(places.map_or(0, |places| places[index]), difference, bottom);
            }
            distance = distance.wrapping_add_signed(difference as isize);
            // Each letter that is left can take off one at most.
            if distance > bound.saturating_add(left) {
                return None;
            }
        }
        (distance <= bound).then_some(distance)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::lexicon::{Alphabet, END};
    use proptest::prelude::*;

    /// The textbook recursion, row by row.
    pub(crate) fn textbook(left: &[Symbol], right: &[Symbol]) -> usize {
        let mut row: Vec<usize> = (0..=right.len()).collect();
        for (index, letter) in left.iter().enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], index + 1);
            for (column, other) in right.iter().enumerate() {
                let substituted = diagonal + usize::from(letter != other);
                diagonal = row[column + 1];
                row[column + 1] = substituted.min(diagonal + 1).min(row[column] + 1);
            }
        }
        row[right.len()]
    }

    fn spelt(alphabet: &Alphabet, word: &str) -> Vec<Symbol> {
        let mut symbols = alphabet.encode(word).unwrap();
        assert_eq!(symbols.pop(), Some(END));
        symbols
    }

    fn compare(left: &str, right: &str) -> Result<(), TestCaseError> {
        let alphabet = Alphabet::of_words([left, right].into_iter()).unwrap();
        let (left, right) = (spelt(&alphabet, left), spelt(&alphabet, right));
        let expected = textbook(&left, &right);
        let mut pattern = Pattern::new(&left);
        prop_assert_eq!(pattern.distance_within(&right, usize::MAX), Some(expected));
        for bound in expected.saturating_sub(2)..expected + 3 {
            prop_assert_eq!(pattern.distance_within(&right, bound), (expected <= bound).then_some(expected));
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn short_words_of_few_letters(left in "[abc]{0,9}", right in "[abc]{0,9}") {
            compare(&left, &right)?;
        }

        #[test]
        fn letters_of_any_script(left in "[a-dЖкуäö한국]{0,20}", right in "[a-dЖкуäö한국]{0,20}") {
            compare(&left, &right)?;
        }

        #[test]
        fn words_beyond_one_machine_word(left in "[ab]{50,200}", right in "[ab]{0,200}") {
            compare(&left, &right)?;
        }

        #[test]
        fn long_words_that_are_nearly_the_same(word in "[a-z]{60,140}", at in 0usize..60, more in "[a-z]{0,5}") {
            let changed = format!("{}{more}{}", &word[..at], &word[(at + 2).min(word.len())..]);
            compare(&word, &changed)?;
        }
    }

    #[test]
    fn edges_of_a_machine_word() {
        for length in [1, 63, 64, 65, 127, 128, 129] {
            let word = "ab".repeat(length).chars().take(length).collect::<String>();
            compare(&word, &word).unwrap();
            compare(&word, "").unwrap();
            compare("", &word).unwrap();
            compare(&word, &format!("c{word}")).unwrap();
            compare(&word, &word[1..]).unwrap();
        }
    }
}
