//! Training and test parts of a lexicon, as functions of a seed.
//!
//! What happens to a word depends on the seed and the word alone (`tokens`) or on the seed and the set of words
//! (`types`), never on the order of a list.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use chacha20::ChaCha8Rng;
use rand_core::Rng;
use serde::{Deserialize, Serialize};

use super::{Lexicon, WordId};
use crate::random::binomial::binomial;
use crate::random::{stream, streams, word_key};
use crate::suggest::UnknownName;

/// The share of the test part.
pub(crate) const TEST_SHARE: f64 = 0.1;

/// The share of the validation part of tokens, and the most words of that of distinct ones.
const VALIDATION_SHARE: f64 = 0.05;
const MAX_VALIDATION_WORDS: usize = 10_000;

/// Floating point is exact enough for binomial draws of this many trials; larger counts are drawn in pieces.
const MAX_TRIALS: u64 = 1 << 40;

/// How a lexicon is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SplitKind {
    /// Every occurrence goes to the test part with probability 0.1.
    Tokens,
    /// A tenth of the distinct words, whatever their frequency, goes to the test part whole.
    Types,
}

impl fmt::Display for SplitKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            SplitKind::Tokens => "tokens",
            SplitKind::Types => "types",
        })
    }
}

impl FromStr for SplitKind {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        match name {
            "tokens" => Ok(SplitKind::Tokens),
            "types" => Ok(SplitKind::Types),
            other => Err(UnknownName::new("kind of split", other, ["tokens", "types"])),
        }
    }
}

/// Two lexicons over one vocabulary whose counts add up to those of the whole. Either may be empty if the whole
/// is tiny.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    /// What is learnt from.
    pub train: Lexicon,
    /// What is held out.
    pub test: Lexicon,
}

impl Lexicon {
    /// Divides the lexicon. The same words, counts, kind and seed give the same parts.
    pub fn split(&self, kind: SplitKind, seed: u64) -> Split {
        self.without(match kind {
            SplitKind::Tokens => self.thinned(seed, streams::SPLIT_TOKENS, TEST_SHARE),
            SplitKind::Types => self.held_out(seed, streams::SPLIT_TYPES, (self.types() + 5) / 10),
        })
    }

    /// Divides a training part once more: the second part is for what training itself must judge by words that a network has not learnt, when to stop and how
    /// far to trust it. It is a tenth, up to some thousand words.
    pub(crate) fn validation_split(&self, kind: SplitKind, seed: u64) -> Split {
        self.without(match kind {
            SplitKind::Tokens => self.thinned(seed, streams::VALIDATION_TOKENS, VALIDATION_SHARE),
            SplitKind::Types => {
                let count = (self.types() / 10).min(MAX_VALIDATION_WORDS);
                self.held_out(seed, streams::VALIDATION_TYPES, count)
            }
        })
    }

    /// Takes counts off.
    fn without(&self, test: Vec<u64>) -> Split {
        let train = self.counts().iter().zip(&test).map(|(all, test)| all - test).collect();
        let part = |counts| Lexicon::with_counts(Arc::clone(&self.vocabulary), counts);
        Split { train: part(train), test: part(test) }
    }

    /// Each count n becomes Binomial(n, share): what a coin for every occurrence would give, without the coins.
    fn thinned(&self, seed: u64, purpose: [u8; 8], share: f64) -> Vec<u64> {
        let mut test = vec![0; self.counts().len()];
        for word in self.words() {
            let mut rng = stream(seed, purpose, word_key(word.text));
            test[word.id as usize] = in_pieces(word.count, share, &mut rng);
        }
        test
    }

    /// The `count` words with the smallest random keys keep their counts.
    fn held_out(&self, seed: u64, purpose: [u8; 8], count: usize) -> Vec<u64> {
        let mut keyed: Vec<(u64, &str, WordId)> = self
            .words()
            .map(|word| (stream(seed, purpose, word_key(word.text)).next_u64(), word.text, word.id))
            .collect();
        keyed.sort_unstable();
        let mut test = vec![0; self.counts().len()];
        for &(_, _, id) in &keyed[..count] {
            test[id as usize] = self.count(id);
        }
        test
    }
}

fn in_pieces(trials: u64, share: f64, rng: &mut ChaCha8Rng) -> u64 {
    let mut rest = trials;
    let mut successes = 0;
    while rest > 0 {
        let piece = rest.min(MAX_TRIALS);
        successes += binomial(piece, share, rng);
        rest -= piece;
    }
    successes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{Filter, bundled};
    use proptest::prelude::*;

    fn classics() -> Lexicon {
        bundled().unwrap().into_lexicon(&Filter::PAPER).unwrap().0
    }

    fn add_up(whole: &Lexicon, split: &Split) -> bool {
        let sums = split.train.counts().iter().zip(split.test.counts()).map(|(train, test)| train + test);
        sums.eq(whole.counts().iter().copied())
            && split.train.tokens() + split.test.tokens() == whole.tokens()
    }

    #[test]
    fn parts_of_the_bundled_list() {
        let lexicon = classics();
        let tokens = lexicon.split(SplitKind::Tokens, 1);
        assert!(add_up(&lexicon, &tokens));
        // Standard deviation √(46,430,473 · 0.1 · 0.9) ≈ 2044.
        assert!(tokens.test.tokens().abs_diff(4_643_047) < 3 * 2044, "{}", tokens.test.tokens());
        let types = lexicon.split(SplitKind::Types, 1);
        assert!(add_up(&lexicon, &types));
        assert_eq!((types.train.types(), types.test.types()), (45_052, 5_006));
        assert!(
            types
                .train
                .counts()
                .iter()
                .zip(types.test.counts())
                .all(|(train, test)| *train == 0 || *test == 0)
        );
    }

    /// Seeds are an interface: these values may only change with a new version that says so.
    #[test]
    fn seeds_are_pinned() {
        let lexicon = classics();
        let tokens = lexicon.split(SplitKind::Tokens, 1).test;
        assert_eq!(tokens.counts()[..5], [287_014, 161_603, 149_178, 134_361, 80_910]);
        let types = lexicon.split(SplitKind::Types, 1).test;
        let first: Vec<&str> = types.words().take(5).map(|word| word.text).collect();
        assert_eq!(first, ["and", "not", "were", "an", "them"]);
        assert_ne!(lexicon.split(SplitKind::Types, 2).test, types);
        assert_eq!(lexicon.split(SplitKind::Tokens, 1).test, tokens);
    }

    #[test]
    fn thinning_follows_the_binomial_distribution() {
        // 4000 words of each count; the cells of Binomial(n, 0.1) with an expected count of at least 5, chi-square.
        // n = 60 is drawn by inversion, n = 400 by rejection: two algorithms.
        for (trials, quantile) in [(7u64, 22.5), (60, 39.3), (400, 70.0)] {
            let words = 4000;
            let counts = (0..words).map(|index| (format!("w{index}"), trials));
            let test = Lexicon::from_counts(counts).unwrap().split(SplitKind::Tokens, 3).test;
            let mut seen = vec![0f64; trials as usize + 1];
            test.counts().iter().for_each(|&count| seen[count as usize] += 1.0);
            let (mut statistic, mut cells, mut rest) = (0.0, 0, (0.0, 0.0));
            let mut probability = 0.9f64.powi(trials as i32);
            for (successes, &observed) in seen.iter().enumerate() {
                let expected = probability * f64::from(words);
                if expected >= 5.0 {
                    statistic += (observed - expected).powi(2) / expected;
                    cells += 1;
                } else {
                    rest = (rest.0 + observed, rest.1 + expected);
                }
                probability *= (trials as f64 - successes as f64) / (successes as f64 + 1.0) / 9.0;
            }
            statistic += (rest.0 - rest.1).powi(2) / rest.1;
            assert!(statistic < quantile, "n = {trials}: χ² = {statistic} in {cells} cells and the rest");
        }
    }

    #[test]
    fn one_word_and_the_largest_count_can_be_split() {
        let one = Lexicon::from_counts([("wug", 1)]).unwrap();
        let types = one.split(SplitKind::Types, 0);
        assert_eq!((types.train.types(), types.test.types()), (1, 0));
        assert!(types.test.is_empty());
        let seeds = 0..2000;
        let tested = seeds.filter(|&seed| one.split(SplitKind::Tokens, seed).train.is_empty()).count();
        assert!((150..250).contains(&tested), "{tested}");
    }

    #[test]
    fn counts_beyond_one_draw_are_thinned_in_pieces() {
        let trials = 10 * MAX_TRIALS + 7;
        let large = Lexicon::from_counts([("wug", trials)]).unwrap();
        let split = large.split(SplitKind::Tokens, 0);
        assert!(add_up(&large, &split));
        let (mean, deviation) = (trials as f64 * 0.1, (trials as f64 * 0.09).sqrt());
        assert!((split.test.tokens() as f64 - mean).abs() < 4.0 * deviation);
    }

    proptest! {
        #[test]
        fn splits_add_up_and_do_not_depend_on_order(
            mut words in proptest::collection::vec(("[a-f]{1,3}", 1u64..1000), 1..30), seed: u64,
        ) {
            let lexicon = Lexicon::from_counts(words.clone()).unwrap();
            words.reverse();
            let reversed = Lexicon::from_counts(words).unwrap();
            for kind in [SplitKind::Tokens, SplitKind::Types] {
                let split = lexicon.split(kind, seed);
                prop_assert!(add_up(&lexicon, &split));
                prop_assert_eq!(&reversed.split(kind, seed), &split);
                prop_assert_eq!(kind.to_string().parse::<SplitKind>().unwrap(), kind);
            }
        }
    }
}
