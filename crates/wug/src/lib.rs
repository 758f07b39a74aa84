//! Words from white noise: the deep state space model of Schmidt & Hofmann (2018).
//!
//! The library reads like the paper. It begins with the data: [`lexicon`] turns any text or word list into
//! words that can be trained on. It ends with words: [`generate`] makes them, from a model of one's own or from
//! [`bundled_model`]. [`AtomicFile`] writes results whole or not at all.

mod atomic_file;
mod bounded_file;
mod config;
mod data_config;
pub mod evaluate;
pub mod generate;
pub mod lexicon;
pub mod measure;
pub mod model;
mod model_file;
mod presets;
pub mod train;

pub use atomic_file::AtomicFile;
pub use bounded_file::{read_bounded, read_text};
pub use config::{Config, DocumentError};
pub use data_config::DataConfig;
pub use generate::bundled_model;
pub use model_file::{EncodeError, ModelFileError, Provenance, TrainedModel};
pub use presets::UnknownPreset;
