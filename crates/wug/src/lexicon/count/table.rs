//! Counts by word. Most words fit in 16 bytes and are their own key, without an allocation for each.

use std::collections::HashMap;

use foldhash::fast::RandomState;

const SHORT: usize = size_of::<u128>();

/// So many short words wait before they are looked up together. In a loop that does nothing else the processor
/// overlaps the memory accesses of several look-ups, which take most of the time.
const BATCH: usize = 1024;

/// Counts of words that have no NUL in them.
///
/// The hash is fast and has a random state, so that no text can aim at its collisions. Its order never shows.
#[derive(Default)]
pub(crate) struct Table {
    waiting: Vec<u128>,
    short: HashMap<u128, u64, RandomState>,
    long: HashMap<Box<[u8]>, u64, RandomState>,
}

impl Table {
    /// Counts one occurrence of the word in the first `length` bytes of the buffer.
    #[inline]
    pub(crate) fn add_buffered<const N: usize>(&mut self, buffer: &[u8; N], length: usize) {
        const { assert!(N >= SHORT) };
        match buffer.first_chunk::<SHORT>() {
            Some(bytes) if (1..=SHORT).contains(&length) => {
                let unused = 8 * (SHORT - length);
                self.add_key(u128::from_le_bytes(*bytes) << unused >> unused);
            }
            _ => self.add_long(&buffer[..length], 1),
        }
    }

    /// Counts one occurrence of a word of at most 16 bytes, the first of them lowest, with zeros above.
    #[inline]
    pub(crate) fn add_key(&mut self, key: u128) {
        self.waiting.push(key);
        if self.waiting.len() >= BATCH {
            self.look_up();
        }
    }

    fn look_up(&mut self) {
        for key in self.waiting.drain(..) {
            *self.short.entry(key).or_insert(0) += 1;
        }
    }

    /// Counts one occurrence of a word.
    pub(crate) fn add(&mut self, word: &str) {
        if word.len() <= SHORT {
            let mut buffer = [0; SHORT];
            buffer[..word.len()].copy_from_slice(word.as_bytes());
            self.add_buffered(&buffer, word.len());
        } else {
            self.add_long(word.as_bytes(), 1);
        }
    }

    fn add_long(&mut self, word: &[u8], count: u64) {
        match self.long.get_mut(word) {
            Some(sum) => *sum += count,
            None => {
                self.long.insert(word.into(), count);
            }
        }
    }

    /// The number of distinct words, without those of the last few that are new.
    pub(crate) fn len(&self) -> usize {
        self.short.len() + self.long.len()
    }

    /// Adds all counts to another table and forgets them.
    pub(crate) fn empty_into(&mut self, other: &mut Table) {
        self.look_up();
        for (word, count) in self.short.drain() {
            *other.short.entry(word).or_insert(0) += count;
        }
        for (word, count) in self.long.drain() {
            *other.long.entry(word).or_insert(0) += count;
        }
    }

    /// The words by falling count, equal counts in code-point order.
    pub(crate) fn into_sorted(mut self) -> Vec<(Box<str>, u64)> {
        self.look_up();
        let short = self.short.into_iter().map(|(key, count)| {
            let length = SHORT - key.leading_zeros() as usize / 8;
            (Box::from(&key.to_le_bytes()[..length]), count)
        });
        let mut words: Vec<(Box<str>, u64)> = short
            .chain(self.long)
            .map(|(bytes, count): (Box<[u8]>, u64)| (String::from_utf8_lossy(&bytes).into(), count))
            .collect();
        words.sort_unstable_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_every_length_are_told_apart() {
        let words: Vec<String> =
            (1..40).flat_map(|length| ["a", "b"].map(|letter| letter.repeat(length))).collect();
        let (mut table, mut other) = (Table::default(), Table::default());
        for (index, word) in words.iter().enumerate() {
            (0..=index).for_each(|_| table.add(word));
            let mut buffer = [b'#'; 48];
            buffer[..word.len()].copy_from_slice(word.as_bytes());
            other.add_buffered(&buffer, word.len());
        }
        table.empty_into(&mut other);
        assert_eq!(table.len(), 0);
        let sorted = other.into_sorted();
        let expected: Vec<(Box<str>, u64)> = words
            .iter()
            .enumerate()
            .rev()
            .map(|(index, word)| (word.as_str().into(), index as u64 + 2))
            .collect();
        assert_eq!(sorted, expected);
    }
}
