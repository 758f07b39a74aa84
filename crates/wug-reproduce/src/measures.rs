//! What an evaluation found, as far as tables, figures and claims need it. `docs/evaluation.md` describes the report from
//! which it is read; fields that are not named here are left out.

use serde::{Deserialize, Serialize};

/// The metrics of one model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Measures {
    /// Cross entropy from shared trajectories: the paper's estimator.
    pub cross_entropy: CrossEntropy,
    /// Cross entropy by a particle filter; exact for the baseline.
    pub particle_filter: ParticleFilter,
    /// What independent symbols and draws from the data reach.
    pub oracles: Oracles,
    /// The share of generated words that are words.
    pub membership: Memberships,
    /// What the noise decides; none for the baseline.
    pub information: Option<Information>,
    /// Perplexities under n-grams, where a table has them.
    #[serde(default)]
    pub ngrams: Vec<Perplexities>,
}

/// Cross entropy in nats per word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrossEntropy {
    /// On the training part.
    pub train: f64,
    /// On the test part.
    pub test: f64,
    /// `(H_id − H) / (H_id − H_oracle)` on the test part.
    pub gap_closed: f64,
    /// How it falls with the number of trajectories.
    pub curve: Vec<CurvePoint>,
}

/// Cross entropy from some number of trajectories.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// K.
    pub trajectories: u64,
    /// On the training part.
    pub train: f64,
    /// On the test part.
    pub test: f64,
}

/// Cross entropy in nats per word with its standard error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ParticleFilter {
    /// On the training part.
    pub train: Measured,
    /// On the test part.
    pub test: Measured,
    /// `(H_id − H) / (H_id − H_oracle)` on the test part.
    pub gap_closed: f64,
}

/// A mean with its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

/// What bounds a model's figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Oracles {
    /// Cross entropies on the training part.
    pub train: Bounds,
    /// Cross entropies on the test part.
    pub test: Bounds,
    /// Words drawn from the training part.
    pub oracle_train_words: Membership,
    /// Words drawn from the test part.
    pub oracle_test_words: Membership,
}

/// Cross entropies in nats per word; none where it is infinite.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Independent symbols.
    pub independent_symbols: f64,
    /// ORACLE-TRAIN.
    pub oracle_train: Option<f64>,
    /// ORACLE-TEST.
    pub oracle_test: Option<f64>,
    /// The entropy of the part itself.
    pub entropy: f64,
}

/// Membership for both ways from states to symbols.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Memberships {
    /// Symbols drawn from `P(w_t | h_t)`.
    pub sampled: Membership,
    /// The most probable symbols; none for the baseline.
    pub argmax: Option<Membership>,
}

/// Shares of generated words.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Membership {
    /// Generated words.
    pub words: usize,
    /// `w ∈ V`.
    pub in_vocabulary: f64,
    /// `w ∈ V unique`.
    pub in_vocabulary_unique: f64,
}

/// Information in bits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Information {
    /// `Ī`.
    pub mean_information: f64,
    /// Mean `H[w_t | h_t]`.
    pub mean_symbol_entropy: f64,
    /// What `Ī` is off by because the paper takes 20 noise vectors.
    pub bias: Option<f64>,
    /// Position by position.
    pub positions: Vec<PositionInformation>,
}

/// Information at one position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PositionInformation {
    /// t.
    pub position: usize,
    /// `I(t)` over states.
    pub information: Spread,
    /// `H[w_t | h_t]` over states.
    pub symbol_entropy: Spread,
}

/// What a box plot shows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The smallest number within 1.5 interquartile ranges of the box.
    pub lower_whisker: f64,
    /// A quarter is below.
    pub lower_quartile: f64,
    /// Half is below.
    pub median: f64,
    /// Three quarters are below.
    pub upper_quartile: f64,
    /// The largest number within 1.5 interquartile ranges of the box.
    pub upper_whisker: f64,
}

/// `P_2 … P_5` of some words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Perplexities {
    /// Which words: `argmax symbols`, `sampled symbols`, `ORACLE-TRAIN`, `ORACLE-TEST`.
    pub words: String,
    /// Under n-grams of all words.
    pub train_and_test: [f64; 4],
    /// Under n-grams of the test part.
    pub test: [f64; 4],
}
