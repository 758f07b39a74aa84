//! The table of edit distances between a word and all words of a block.
//!
//! Myers (1999), in Hyyrö's form (2003), keeps the textbook table as differences of neighbouring cells, −1, 0 or +1, and computes a column of
//! one pair of words in a machine word. Here each bit of a register belongs to another pair instead, and a cell takes five operations
//! for all words of a block. So cells that do not matter can be left out. What matters are the diagonals on which a word within `bound` edits can
//! have its path (Ukkonen 1985): a path to the corner on diagonal `shift` that visits diagonal k has |k| + |k − shift| insertions and deletions.
//! The distances themselves are counted along the diagonal of the corner, on which they never fall.

use super::LONGEST;
use super::bits::Bits;

/// The differences of cells from those above them, or to the left of them.
#[derive(Debug, Clone, Copy)]
struct Steps {
    up: Bits,
    down: Bits,
}

impl Steps {
    /// Every cell is one more.
    const UP: Self = Self { up: Bits::ALL, down: Bits::NONE };

    /// Goes on to the cell that is below one of these steps and right of the other, where letters are equal or not. The result has the words
    /// for which it is the same as the cell before both steps; else it is one more.
    #[inline(always)]
    fn cross(&mut self, above: &mut Self, equal: Bits) -> Bits {
        let same = equal | self.down | above.down;
        let right = Self { up: above.down.or_not(same | above.up), down: same & above.up };
        *above = Self { up: self.down.or_not(same | self.up), down: same & self.up };
        *self = right;
        same
    }
}

/// Space for the table of a block.
#[derive(Debug)]
pub(super) struct Table {
    /// For each letter of the block's words the vertical differences in the last column.
    column: [Steps; LONGEST],
    /// For each number of edits the words of the block that have not needed more.
    within: [Bits; LONGEST + 1],
}

impl Table {
    pub(super) const fn new() -> Self {
        Self { column: [Steps::UP; LONGEST], within: [Bits::NONE; LONGEST + 1] }
    }

    /// Compares a word with the `words` of a block, all of `length` letters. `rows(j)` has for each of their letters the words in which
    /// it is letter j. For each number of edits that the lengths do not demand, the result has the words that come within it: the
    /// first set those at the smallest distance that words of these lengths can have, and so on up to `bound`. None if there are none.
    #[inline(always)]
    pub(super) fn within<'r>(
        &mut self,
        words: &Bits,
        length: usize,
        rows: impl ExactSizeIterator<Item = &'r [Bits]>,
        bound: usize,
    ) -> Option<&[Bits]> {
        let letters = rows.len();
        let surplus = length.saturating_sub(letters);
        let lack = letters.saturating_sub(length);
        let spare = bound.checked_sub(surplus + lack)?.min(length.min(letters));
        // Row i lies on diagonal i − column.
        let (above, below) = (lack + spare / 2, surplus + spare / 2);
        let column = &mut self.column[..length];
        let within = &mut self.within[..=spare];
        column.fill(Steps::UP);
        within.fill(*words);
        for (place, row) in rows.enumerate() {
            let (first, end) = (place.saturating_sub(above), (place + below + 1).min(length));
            // What lies outside of the diagonals counts as reached by a step from inside.
            let mut from_above = Steps::UP;
            let mut cells = column[first..end].iter_mut().zip(&row[first..end]);
            let corner = (place + surplus).wrapping_sub(lack);
            if corner < length {
                for (left, equal) in cells.by_ref().take(corner - first) {
                    left.cross(&mut from_above, *equal);
                }
                let same =
                    cells.next().map_or(Bits::ALL, |(left, equal)| left.cross(&mut from_above, *equal));
                for edits in (1..=spare).rev() {
                    within[edits] = (within[edits] & same) | within[edits - 1];
                }
                within[0] = within[0] & same;
                if within[spare].is_empty() {
                    return None;
                }
            }
            for (left, equal) in cells {
                left.cross(&mut from_above, *equal);
            }
        }
        Some(within)
    }
}
