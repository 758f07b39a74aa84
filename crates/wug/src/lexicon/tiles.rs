//! Training steps: tiles of words of one length each, without bias.
//!
//! The engine works on tiles whose words all have the same length T. How many words fill a tile, m_T, may depend
//! on T. A step has n tiles. Their lengths are a *systematic* draw from q_T ∝ P(T) / m_T: one uniform number u
//! places the n points (k + u) / n on the cumulative distribution, so the number of tiles of length T is n·q_T
//! rounded up or down, and n·q_T on average. A tile is then filled with independent draws from P(w | T).
//!
//! The choice of q_T makes the expected number of words of length T proportional to P(T), so every word carries
//! the same weight 1 / (expected words in a step) = Z / n, Z = Σ_T P(T) / m_T, and
//! `E[Σ_tiles Σ_words weight · f(w)] = E_unigram[f(w)]` for any f.

use std::collections::BTreeMap;

use thiserror::Error;

use super::alias::AliasTable;
use super::{Lexicon, WordId};
use crate::random::{stream, streams, unit};

/// Words of one length that are worked on together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tile {
    /// Symbols in each word, with the end: T.
    pub(crate) length: usize,
    /// Which of [`TileSampler::lengths`] this is.
    pub(crate) length_index: usize,
    /// The words, drawn independently: one may occur twice.
    pub(crate) words: Vec<WordId>,
    /// What each of these words counts for in the step's average.
    pub(crate) weight: f64,
}

/// Why no tiles can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TileError {
    /// The lexicon has no words.
    #[error("there is nothing to train on: no word occurs")]
    NoWords,
    /// A step of no tiles.
    #[error("a step must have at least one tile")]
    NoTiles,
    /// Tiles of no words.
    #[error("a tile of length {length} must hold at least one word")]
    EmptyTile {
        /// The length that has no room.
        length: usize,
    },
}

/// Makes the tiles of any step, as a function of the seed and the step's number: a run can be repeated, and
/// resumed at any step.
#[derive(Debug, Clone)]
pub(crate) struct TileSampler {
    groups: Vec<Group>,
    tiles: usize,
    weight: f64,
    seed: u64,
}

/// The words of one length.
#[derive(Debug, Clone)]
struct Group {
    length: usize,
    words: Vec<WordId>,
    table: AliasTable,
    words_per_tile: usize,
    /// Σ q over this length and all shorter ones.
    cumulative: f64,
}

impl TileSampler {
    /// Steps of `tiles` tiles from the words of `lexicon`; `words_per_tile` gives m_T for T symbols.
    pub(crate) fn new(
        lexicon: &Lexicon,
        tiles: usize,
        words_per_tile: impl Fn(usize) -> usize,
        seed: u64,
    ) -> Result<Self, TileError> {
        if tiles == 0 {
            return Err(TileError::NoTiles);
        }
        let mut by_length: BTreeMap<usize, (Vec<WordId>, Vec<u64>)> = BTreeMap::new();
        for word in lexicon.words() {
            let (words, counts) = by_length.entry(word.symbols.len()).or_default();
            words.push(word.id);
            counts.push(word.count);
        }
        let mut groups = Vec::with_capacity(by_length.len());
        let mut sum = 0.0;
        for (length, (words, counts)) in by_length {
            let words_per_tile = words_per_tile(length);
            if words_per_tile == 0 {
                return Err(TileError::EmptyTile { length });
            }
            let probability = counts.iter().sum::<u64>() as f64 / lexicon.tokens() as f64;
            sum += probability / words_per_tile as f64;
            let table = AliasTable::new(&counts).map_err(|_| TileError::NoWords)?;
            groups.push(Group { length, words, table, words_per_tile, cumulative: sum });
        }
        if groups.is_empty() {
            return Err(TileError::NoWords);
        }
        groups.iter_mut().for_each(|group| group.cumulative /= sum);
        Ok(Self { groups, tiles, weight: sum / tiles as f64, seed })
    }

    /// The lengths T of the lexicon's words, with the end symbol, shortest first.
    pub(crate) fn lengths(&self) -> impl ExactSizeIterator<Item = usize> {
        self.groups.iter().map(|group| group.length)
    }

    /// The tiles of a step, shortest words first.
    pub(crate) fn step(&self, step: u64) -> Vec<Tile> {
        let mut rng = stream(self.seed, streams::TRAINING_TILES, u128::from(step));
        let offset = unit(&mut rng);
        let mut index = 0;
        (0..self.tiles)
            .map(|tile| {
                let point = (tile as f64 + offset) / self.tiles as f64;
                // The last group takes what rounding leaves above its cumulative probability.
                while index + 1 < self.groups.len() && point >= self.groups[index].cumulative {
                    index += 1;
                }
                let group = &self.groups[index];
                let words =
                    (0..group.words_per_tile).map(|_| group.words[group.table.draw(&mut rng)]).collect();
                Tile { length: group.length, length_index: index, words, weight: self.weight }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{Filter, SplitKind, bundled};

    fn classics() -> Lexicon {
        bundled().unwrap().into_lexicon(&Filter::PAPER).unwrap().0
    }

    #[test]
    fn a_step_is_a_function_of_seed_and_number() {
        let lexicon = classics();
        let sampler = TileSampler::new(&lexicon, 8, |_| 16, 5).unwrap();
        assert_eq!(sampler.step(3), sampler.step(3));
        assert_ne!(sampler.step(3), sampler.step(4));
        assert_ne!(sampler.step(3), TileSampler::new(&lexicon, 8, |_| 16, 6).unwrap().step(3));
        assert_eq!(sampler.lengths().collect::<Vec<_>>(), (3..=13).collect::<Vec<_>>());
        assert!((sampler.weight.recip() - 128.0).abs() < 1e-9);
    }

    #[test]
    fn tiles_are_full_and_of_one_length() {
        let lexicon = classics();
        let sampler = TileSampler::new(&lexicon, 40, |length| 160 / length, 1).unwrap();
        for tile in (0..50).flat_map(|step| sampler.step(step)) {
            assert_eq!(tile.words.len(), 160 / tile.length);
            assert_eq!(sampler.lengths().nth(tile.length_index), Some(tile.length));
            assert!(tile.words.iter().all(|&id| lexicon.vocabulary().symbols(id).len() == tile.length));
        }
    }

    #[test]
    fn the_number_of_tiles_of_a_length_is_its_share_rounded_up_or_down() {
        let lexicon = Lexicon::from_counts([("a", 25), ("be", 33), ("cat", 42)]).unwrap();
        let sampler = TileSampler::new(&lexicon, 10, |_| 4, 0).unwrap();
        for step in 0..200 {
            let tiles = sampler.step(step);
            for (length, share) in [(2, 2.5f64), (3, 3.3), (4, 4.2)] {
                let count = tiles.iter().filter(|tile| tile.length == length).count() as f64;
                assert!(count == share.floor() || count == share.ceil(), "{length}: {count}");
            }
        }
    }

    /// The mean over steps of `Σ weight · f(word)` must meet the unigram expectation within its standard error,
    /// although tiles of different lengths hold different numbers of words and there are fewer tiles than lengths.
    #[test]
    fn the_weighted_sum_is_unbiased() {
        let lexicon = classics().split(SplitKind::Tokens, 1).train;
        let total = lexicon.tokens() as f64;
        let (vocabulary, surprisal) =
            (lexicon.vocabulary(), |count: u64| -(count.max(1) as f64 / total).ln());
        let functions: [Vec<f64>; 3] = [
            vec![1.0; vocabulary.len()],
            vocabulary.ids().map(|id| vocabulary.symbols(id).len() as f64).collect(),
            vocabulary
                .ids()
                .map(|id| surprisal(lexicon.count(id)) * f64::from(vocabulary.symbols(id)[0] % 5))
                .collect(),
        ];
        for (tiles, fixed) in [(3, false), (32, true), (32, false)] {
            let size = |length: usize| if fixed { 16 } else { 1 + 200 / (length * length) };
            let sampler = TileSampler::new(&lexicon, tiles, size, 9).unwrap();
            let steps = 4000;
            for function in &functions {
                let expected: f64 =
                    lexicon.words().map(|word| word.count as f64 / total * function[word.id as usize]).sum();
                let estimates: Vec<f64> = (0..steps)
                    .map(|step| {
                        let tiles = sampler.step(step);
                        let words =
                            tiles.iter().flat_map(|tile| tile.words.iter().map(|&id| (id, tile.weight)));
                        words.map(|(id, weight)| weight * function[id as usize]).sum()
                    })
                    .collect();
                let mean = estimates.iter().sum::<f64>() / steps as f64;
                let variance =
                    estimates.iter().map(|estimate| (estimate - mean).powi(2)).sum::<f64>() / steps as f64;
                let error = (variance / steps as f64).sqrt();
                assert!(
                    (mean - expected).abs() < 3.0 * error + 1e-9,
                    "{tiles} tiles: {mean} ± {error}, expected {expected}"
                );
            }
        }
    }

    #[test]
    fn words_within_a_length_follow_the_conditional_distribution() {
        let lexicon =
            Lexicon::from_counts([("ab", 50), ("cd", 30), ("ef", 15), ("gh", 5), ("x", 20)]).unwrap();
        let sampler = TileSampler::new(&lexicon, 5, |length| 6 - length, 2).unwrap();
        let mut seen = [0f64; 5];
        for tile in (0..20_000).flat_map(|step| sampler.step(step)) {
            tile.words.iter().for_each(|&id| seen[id as usize] += 1.0);
        }
        let words: Vec<_> = lexicon.words().filter(|word| word.symbols.len() == 3).collect();
        let drawn: f64 = words.iter().map(|word| seen[word.id as usize]).sum();
        let statistic: f64 = words
            .iter()
            .map(|word| {
                let expected = drawn * word.count as f64 / 100.0;
                (seen[word.id as usize] - expected).powi(2) / expected
            })
            .sum();
        assert!(statistic < 16.27, "χ² = {statistic} with 3 degrees of freedom (0.999 quantile 16.27)");
    }

    #[test]
    fn impossible_tiles_are_refused() {
        let lexicon = Lexicon::from_counts([("wug", 1)]).unwrap();
        assert_eq!(TileSampler::new(&lexicon, 0, |_| 1, 0).unwrap_err(), TileError::NoTiles);
        assert_eq!(TileSampler::new(&lexicon, 1, |_| 0, 0).unwrap_err(), TileError::EmptyTile { length: 4 });
        let empty = lexicon.split(SplitKind::Types, 0).test;
        assert_eq!(TileSampler::new(&empty, 1, |_| 1, 0).unwrap_err(), TileError::NoWords);
    }
}
