//! Making words: plainly, under constraints, near another word.
//!
//! [`TrainedModel::words`](crate::TrainedModel::words) begins a [`WordBuilder`], which says what words to make;
//! [`Words`] are made one after the other.

mod automaton;
mod block;
mod builder;
#[cfg(feature = "english")]
mod bundled;
mod classes;
mod constraint;
mod decoding;
mod draw_settings;
mod draws;
mod encoding;
mod error;
mod listing;
mod lookahead;
mod names;
mod noise_file;
mod noise_law;
mod origin;
mod path;
mod pattern;
mod population;
mod posterior;
mod program;
mod progress;
mod recent;
mod request;
mod selection;
mod source;
pub(crate) mod steps;
mod symbol_weights;
mod transitions;
mod turn;
mod word_list;
mod words;

pub use automaton::Automaton;
pub use builder::WordBuilder;
#[cfg(feature = "english")]
pub use bundled::bundled_model;
pub use classes::Classes;
pub use constraint::{Constraint, ConstraintError, KEYWORDS, Keyword, Several};
pub use draw_settings::MAX_LETTERS;
pub use draws::draw;
pub use encoding::{Encoding, EncodingStep, StepNoise};
pub use error::SampleError;
pub use names::{NAME_VERSION, NameSpace, Names};
pub use noise_file::{NoiseFileError, read_noise};
pub use progress::{Account, Way, WordProgress};
pub use request::{DISTANCE, MAX_TRIES, NOISE, TEMPERATURE, WordRequest};
pub use symbol_weights::SymbolChoice;
pub use turn::turn_noise;
pub use words::{GaveUp, Hardest, Words};
