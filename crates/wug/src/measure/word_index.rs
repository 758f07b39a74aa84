//! Words by their Levenshtein distance from a word: exact, whatever the words are like.
//!
//! Words of one length form blocks of 512, one bit for each, and a word is compared with all of a block [at once](table). Blocks whose
//! lengths are nearest come first: as soon as enough words are found, whoever searches lowers the bound, and fewer diagonals of the table
//! are computed, and fewer lengths. Nothing else is pruned, so the time is bounded: a word of n letters takes at most n · m cells of some
//! vector instructions for 512 words of m letters, and less than a tenth of them as a rule.
//!
//! For each place in the words of a block and each common symbol there are the words that have it there: a bit for each word, letter and
//! common symbol, four bytes for a letter of an alphabet of 32. Symbols that are fewer than one in 512 letters, and blocks of a few words,
//! have a list of places instead.

mod bits;
mod table;

use std::ops::Range;

use tilegrad::simd::{Path, Simd, Task};

use self::bits::{Bits, WORDS};
use self::table::Table;
use super::levenshtein::Pattern;
use crate::lexicon::Symbol;

/// Longer words are compared one by one: they are rare, and a table of bits would be mostly empty.
const LONGEST: usize = 128;
/// Blocks of fewer words have only lists of places.
const FEW: usize = 32;
/// A symbol without rows of bits.
const RARE: u16 = u16::MAX;

/// Words, arranged for comparison.
#[derive(Debug)]
pub(crate) struct WordIndex {
    /// For each symbol the number of its rows in each block, or [`RARE`].
    rows: Vec<u16>,
    blocks: Vec<Block>,
    /// For each length its blocks.
    lengths: Vec<Range<usize>>,
    /// Words that are too long for blocks.
    long: Vec<(u32, Box<[Symbol]>)>,
}

/// Words of one length.
#[derive(Debug)]
struct Block {
    /// In rising order.
    ids: Vec<u32>,
    words: Bits,
    /// For each common symbol a row for each place: the words that have it there. Empty if there are few words.
    rows: Vec<Bits>,
    /// Where symbols without rows stand, sorted.
    rare: Vec<(Symbol, u8, u16)>,
}

/// Some words at the same distance.
pub(crate) struct Found<'i> {
    words: Bits,
    ids: &'i [u32],
    /// Levenshtein distance.
    pub distance: usize,
    /// Letters of the words.
    pub length: usize,
}

impl Found<'_> {
    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.words.count()
    }

    /// Their numbers, in rising order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = u32> {
        self.words.iter().map(|word| self.ids[word])
    }
}

/// What a search is after.
pub(crate) trait Search {
    /// The largest distance that is still of interest. It may fall while words are found.
    fn bound(&self) -> usize;
    /// Takes words. They are not farther than the bound was a moment ago.
    fn take(&mut self, found: Found<'_>);
}

impl WordIndex {
    /// Arranges words with their numbers, which rise.
    pub(crate) fn of<'w>(words: impl Iterator<Item = (u32, &'w [Symbol])>) -> Self {
        let mut by_length: Vec<Vec<(u32, &[Symbol])>> = Vec::new();
        let (mut long, mut counts) = (Vec::new(), Vec::<usize>::new());
        for (id, word) in words {
            if word.len() > LONGEST {
                long.push((id, word.into()));
                continue;
            }
            if by_length.len() <= word.len() {
                by_length.resize_with(word.len() + 1, Vec::new);
            }
            by_length[word.len()].push((id, word));
            for place in word.iter().map(|&symbol| usize::from(symbol)) {
                if counts.len() <= place {
                    counts.resize(place + 1, 0);
                }
                counts[place] += 1;
            }
        }
        let letters: usize = counts.iter().sum();
        let mut common = 0;
        let mut number = |count: usize| {
            let is_common = count * WORDS > letters;
            common += u16::from(is_common);
            if is_common { common - 1 } else { RARE }
        };
        let rows: Vec<u16> = counts.into_iter().map(&mut number).collect();
        let (mut blocks, mut lengths) = (Vec::new(), Vec::new());
        for words in by_length {
            let first = blocks.len();
            blocks.extend(words.chunks(WORDS).map(|words| Block::of(words, &rows, usize::from(common))));
            lengths.push(first..blocks.len());
        }
        Self { rows, blocks, lengths, long }
    }

    /// Finds words, those of like length first.
    pub(crate) fn search(&self, letters: &[Symbol], search: &mut impl Search) {
        self.search_on(Path::current(), letters, search);
    }

    fn search_on(&self, path: Path, letters: &[Symbol], search: &mut impl Search) {
        path.run(Run { index: self, letters, search });
    }

    /// Finds each letter's rows in a block of words of a length.
    fn find_rows(
        &self,
        block: &Block,
        length: usize,
        letters: &[Symbol],
        places: &mut Vec<Rows>,
        spelt: &mut Vec<Bits>,
    ) {
        places.clear();
        spelt.clear();
        places.extend(letters.iter().map(|&symbol| {
            let number = self.rows.get(usize::from(symbol)).copied().unwrap_or(RARE);
            if number != RARE && !block.rows.is_empty() {
                return Rows::Common(usize::from(number) * length);
            }
            let own = block.rare(symbol);
            if own.is_empty() {
                return Rows::Absent;
            }
            let start = spelt.len();
            spelt.resize(start + length, Bits::NONE);
            for &(_, place, word) in own {
                spelt[start + usize::from(place)].insert(usize::from(word));
            }
            Rows::Rare(start)
        }));
    }

    fn search_long(&self, letters: &[Symbol], search: &mut impl Search) {
        let mut pattern = Pattern::new(letters);
        for (id, word) in &self.long {
            let bound = search.bound();
            if let Some(distance) = pattern.distance_within(word, bound) {
                let (words, ids) = (Bits::first(1), std::slice::from_ref(id));
                search.take(Found { words, ids, distance, length: word.len() });
            }
        }
    }
}

impl Block {
    fn of(words: &[(u32, &[Symbol])], numbers: &[u16], common: usize) -> Self {
        let length = words[0].1.len();
        let common = if words.len() < FEW { 0 } else { common };
        let (mut rows, mut rare) = (vec![Bits::NONE; common * length], Vec::new());
        for (word, (_, letters)) in words.iter().enumerate() {
            for (place, &symbol) in letters.iter().enumerate() {
                match usize::from(numbers[usize::from(symbol)]) {
                    number if number < common => rows[number * length + place].insert(word),
                    _ => rare.push((symbol, place as u8, word as u16)),
                }
            }
        }
        rare.sort_unstable();
        let ids = words.iter().map(|(id, _)| *id).collect();
        Self { ids, words: Bits::first(words.len()), rows, rare }
    }

    /// Where in its words a symbol without rows stands.
    fn rare(&self, symbol: Symbol) -> &[(Symbol, u8, u16)] {
        let start = self.rare.partition_point(|(other, ..)| *other < symbol);
        let count = self.rare[start..].partition_point(|(other, ..)| *other == symbol);
        &self.rare[start..][..count]
    }
}

/// Where there are rows for a letter of the word that is searched for.
enum Rows {
    /// Among those of the block.
    Common(usize),
    /// Among those made for this word.
    Rare(usize),
    /// No word of the block has the letter.
    Absent,
}

/// A search for words near to some letters.
struct Run<'r, S> {
    index: &'r WordIndex,
    letters: &'r [Symbol],
    search: &'r mut S,
}

/// Rows of a letter that no word has.
static EMPTY: [Bits; LONGEST] = [Bits::NONE; LONGEST];

impl<S: Search> Task<f32> for Run<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd<Element = f32>>(self) {
        let Self { index, letters, search } = self;
        let mut table = Table::new();
        let (mut places, mut spelt) = (Vec::new(), Vec::new());
        for length in nearest_first(letters.len(), index.lengths.len()) {
            if length.abs_diff(letters.len()) > search.bound() {
                break;
            }
            for block in &index.blocks[index.lengths[length].clone()] {
                index.find_rows(block, length, letters, &mut places, &mut spelt);
                let rows = places.iter().map(|place| match place {
                    Rows::Common(start) => &block.rows[*start..][..length],
                    Rows::Rare(start) => &spelt[*start..][..length],
                    Rows::Absent => &EMPTY[..length],
                });
                let Some(found) = table.within(&block.words, length, rows, search.bound()) else { continue };
                let mut nearer = Bits::NONE;
                for (more, &within) in found.iter().enumerate() {
                    let words = within.and_not(nearer);
                    nearer = within;
                    if !words.is_empty() {
                        let distance = length.abs_diff(letters.len()) + more;
                        search.take(Found { words, ids: &block.ids, distance, length });
                    }
                }
            }
        }
        if !index.long.is_empty() {
            index.search_long(letters, search);
        }
    }
}

/// The numbers below a limit, those nearest to `from` first.
fn nearest_first(from: usize, limit: usize) -> impl Iterator<Item = usize> {
    let both = (1..).map(move |more| [from.checked_sub(more), from.checked_add(more)]);
    let farthest = from.max(limit);
    std::iter::once(from).chain(both.take(farthest).flatten().flatten()).filter(move |&length| length < limit)
}

#[cfg(test)]
mod tests;
