//! Measuring words: by a model, by their letters next to a lexicon, and as stimuli of an experiment.
//!
//! ```
//! use wug::lexicon::{Filter, bundled};
//! use wug::measure::{LetterMeasures, Lexicality};
//!
//! let (lexicon, _) = bundled()?.into_lexicon(&Filter::PAPER)?;
//! let measures = LetterMeasures::of(&lexicon);
//! let blick = measures.measure("blick");
//! assert_eq!(blick.lexicality, Lexicality::Nonword);
//! assert_eq!((blick.nearest_distance, blick.nearest[0].as_str()), (Some(1), "black"));
//! println!("N {}, OLD20 {:?}", blick.coltheart_n, blick.old20);
//! # Ok::<(), wug::lexicon::LexiconError>(())
//! ```

mod assignment;
mod bigrams;
mod criteria;
mod ld1nn;
mod length_profile;
mod letters;
mod levenshtein;
mod logistic;
mod matching;
mod method;
mod neighbours;
mod paired;
mod parallel;
mod positional;
mod reference;
mod score;
mod shape;
mod stream;
mod words;

pub use criteria::{Criterion, Feature, Measure, UnknownName};
pub use ld1nn::{
    Bias, Ld1nnError, MAX_STIMULI, SIGNIFICANT, Stimulus, Verdict, ld1nn_as_listed, ld1nn_random,
};
pub use letters::{LetterMeasures, LetterStatistics, Lexicality};
pub use logistic::{Fit, Separated};
pub use matching::{
    Match, MatchError, MatchProgress, MatchRequest, MatchStage, Matched, MatchedTarget, Quality, Shortage,
    Worst,
};
pub use method::{BIBTEX, Method};
pub use score::{Score, ScoreProblem, ScoreSettings, Scorer};
pub use shape::Shape;
pub use stream::{MeasureBatch, MeasuredStream};
pub use words::{MeasuredWord, Measures, ScoredWord};
