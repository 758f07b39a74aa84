//! Words from white noise: the deep state space model of Schmidt & Hofmann (2018).
//!
//! The library reads like the paper. It begins with the data: [`lexicon`] turns any text or word list into
//! words that can be trained on. [`AtomicFile`] writes results whole or not at all.

mod atomic_file;
pub mod evaluate;
pub mod lexicon;
pub mod model;
pub mod train;

pub use atomic_file::AtomicFile;
