//! Words from white noise: the deep state space model of Schmidt & Hofmann (2018).
//!
//! The library reads like the paper. It begins with the data: [`lexicon`] turns any text or word list into
//! words that can be trained on. It ends with words: [`generate`] makes them, from a model of one's own or from
//! [`bundled_model`]. [`AtomicFile`] writes results whole or not at all.

mod atomic_file;
mod config;
pub mod evaluate;
pub mod generate;
pub mod lexicon;
pub mod measure;
pub mod model;
mod model_file;
mod presets;
mod suggest;
pub mod train;

pub use atomic_file::AtomicFile;
pub use config::{Config, DataConfig, DocumentError};
pub use generate::bundled_model;
pub use model_file::{ModelFileError, Provenance, TrainedModel};
pub use presets::UnknownPreset;
pub use suggest::nearest_name;
