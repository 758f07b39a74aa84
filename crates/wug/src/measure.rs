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

mod bigrams;
mod ld1nn;
mod letters;
mod levenshtein;
mod logistic;
mod matching;
mod neighbours;
mod parallel;
mod reference;
mod score;
mod stream;
mod words;

pub use ld1nn::{Bias, Ld1nnError, MAX_STIMULI, Stimulus, ld1nn_as_listed, ld1nn_random};
pub use letters::{LetterMeasures, LetterStatistics, Lexicality};
pub use levenshtein::Pattern;
pub use logistic::{Fit, Separated};
pub use matching::{Match, MatchError, Matches, Target};
pub use neighbours::{Neighbour, Neighbourhood, Neighbours};
pub use reference::Reference;
pub use score::{MAX_SCORED, Score, ScoreProblem, ScoreSettings, Scorer};
pub use stream::{MeasureBatch, MeasuredStream};
pub use words::{MeasuredWord, Measures, ScoredWord};
