//! Making words: plainly, under constraints, near another word.

mod automaton;
mod block;
mod bundled;
mod emission;
mod lookahead;
mod noise_law;
mod origin;
mod path;
mod pattern;
mod plain;
mod population;
mod posterior;
mod sampler;
mod selection;
mod source;
mod steps;
mod words;

pub use automaton::{Automaton, AutomatonError};
pub use bundled::bundled_model;
pub use emission::SymbolChoice;
pub use noise_law::NoiseLaw;
pub use origin::Origin;
pub use path::path;
pub use pattern::{Constraint, ConstraintError, MAX_ITEMS};
pub use posterior::noise_of;
pub use sampler::{MAX_LETTERS, Request, SampleError, Sampler};
pub use selection::{Selection, Tally};
pub use source::{Batch, WordSource};
pub use words::Words;

pub(crate) use sampler::{Purpose, categorical};
