//! Measuring words: by a model, by their letters next to a lexicon, and as stimuli of an experiment.
//!
//! ```
//! use std::sync::Arc;
//!
//! use wug::measure::{Columns, Measures, Sources};
//!
//! let model = Arc::new(wug::bundled_model()?);
//! let columns = Columns::named(["log_probability", "old20"], false, false)?;
//! let measures = Measures::new(columns, Sources::of(&model)?, Default::default())?;
//! let blick = measures.measure(&["blick"])?.remove(0)?;
//! assert!(blick.number("log_probability") < Some(-10.0));
//! println!("OLD20 {:?}", blick.number("old20"));
//! # Ok::<(), wug::Error>(())
//! ```

mod assignment;
mod bigrams;
mod column;
mod columns;
mod criteria;
mod declaration;
mod evidence;
mod ld1nn;
mod length_profile;
mod levenshtein;
mod list_index;
mod logistic;
mod matching;
mod measured_word;
mod measures;
mod method;
mod neighbours;
mod order;
mod paired;
mod parallel;
mod positional;
mod reference;
mod score;
mod shape;
mod stimuli;
mod stream;
mod value;
mod word_index;
mod words;

pub use column::{Column, ColumnError};
pub use columns::Columns;
pub use criteria::{Criterion, Feature};
pub use declaration::{Measure, Need};
pub use evidence::{Evidence, InList};
pub use ld1nn::{
    Bias, Ld1nnError, MAX_STIMULI, SIGNIFICANT, Stimulus, Verdict, ld1nn_as_listed, ld1nn_random,
};
pub use list_index::ListIndex;
pub use logistic::{Fit, Separated};
pub use matching::{
    Match, MatchError, MatchProgress, MatchRequest, MatchStage, Matched, MatchedTarget, Quality, Shortage,
    Worst,
};
pub use measured_word::MeasuredWord;
pub use measures::{MEASURES, PAGE_COLUMNS, SORTED_BY, TERMINAL_COLUMNS};
pub use method::{BIBTEX, Method};
pub use order::{Order, UnknownOrder};
pub use score::{Score, ScoreProblem, ScoreSettings};
pub use shape::Shape;
pub use stimuli::{ListedStimulus, Stimuli};
pub use stream::MeasuredStream;
pub use value::Value;
pub use words::{Measures, Sources};
