//! Cross entropy over all words from shared trajectories: `H[P, P̂] = −Σ_w P(w) log P̂(w)` with
//! `P̂(w) = (1/K) Σ_k Π_t P(w_t | h_t^(k))`, in nats per word.
//!
//! K is part of the result. The mean of `log P̂` lies below the logarithm of the mean, so the estimate falls as K
//! grows: the curve shows how far it still has to go.

use super::emissions::{Block, LANES, Trajectories};
use super::trie_sums::TrieSums;
use crate::lexicon::{Lexicon, Trie};

/// The largest space for blocks, in bytes; at least one block is used.
const SPACE: usize = 16 << 20;

/// `log P̂(w)` of all words after some number of trajectories.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WordProbabilities {
    /// K.
    pub(crate) trajectories: u64,
    /// By the words' numbers; NaN for words that do not occur.
    pub(crate) log_probabilities: Vec<f64>,
}

impl WordProbabilities {
    /// `−Σ_w P(w) log P̂(w)`, P the unigram distribution of a part of the lexicon.
    pub(crate) fn cross_entropy(&self, part: &Lexicon) -> f64 {
        cross_entropy(part, &self.log_probabilities)
    }
}

/// `−Σ_w P(w) log P̂(w)` from the logarithms of all words' probabilities, by the words' numbers.
pub(crate) fn cross_entropy(part: &Lexicon, log_probabilities: &[f64]) -> f64 {
    let total: f64 = part.words().map(|word| word.count as f64 * log_probabilities[word.id as usize]).sum();
    -total / part.tokens() as f64
}

/// Computes `log P̂(w)` of all words of `lexicon` and hands it to `reached` at each K of [`curve`].
///
/// `source` makes the trajectories.
pub(crate) fn shared_trajectories(
    lexicon: &Lexicon,
    trajectories: u64,
    threads: usize,
    source: &mut impl Trajectories,
    mut reached: impl FnMut(WordProbabilities),
    progress: &mut dyn FnMut(u64),
) {
    let (mut sums, rows) = TrieSums::new(&Trie::of(lexicon), threads);
    let count = (SPACE / rows.block_bytes().max(1)).clamp(1, 16);
    let mut blocks: Vec<Block> = (0..count).map(|_| Block::new(&rows)).collect();
    for goal in curve(trajectories) {
        while sums.trajectories() < goal {
            let mut first = sums.trajectories();
            let mut used = 0;
            for block in &mut blocks {
                let active = (goal - first).min(LANES as u64);
                if active == 0 {
                    break;
                }
                block.begin(first, active as usize);
                first += active;
                used += 1;
            }
            source.fill(&rows, &mut blocks[..used]);
            sums.add(&blocks[..used], threads);
            progress(sums.trajectories());
        }
        let log_probabilities = sums.log_probabilities(lexicon.vocabulary().len());
        reached(WordProbabilities { trajectories: goal, log_probabilities });
    }
}

/// Numbers of trajectories at which the estimate is taken: 10, 32, 100, 316, 1000 and so on (halves of powers of ten),
/// and the last.
pub(crate) fn curve(trajectories: u64) -> Vec<u64> {
    let mut points: Vec<u64> = (2..)
        .map(|half: u32| 10f64.powf(f64::from(half) / 2.0).round() as u64)
        .take_while(|&point| point < trajectories)
        .collect();
    points.push(trajectories);
    points
}
