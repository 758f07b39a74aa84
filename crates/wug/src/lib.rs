//! Words from white noise: the deep state space model of Schmidt & Hofmann (2018).
//!
//! ```
//! let model = wug::bundled_model()?;
//! for word in model.sample(10, 1)? {
//!     println!("{word}\t{:.2} nats", model.score(&word)?.log_probability);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The library reads like the paper, one module after the other:
//!
//! | module | from | to |
//! |---|---|---|
//! | [`lexicon`] | any text or list of words | words that can be trained on |
//! | [`model`] | a configuration | flows, generative and inference model, the bound |
//! | [`mod@train`] | words | a [`TrainedModel`] |
//! | [`mod@evaluate`] | a model and words | every number of the paper |
//! | [`generate`] | a model | words: plain ones, under constraints, near another word |
//! | [`measure`] | words | scores, neighbours, matches, the bias of an experiment |
//!
//! [`train::train`] trains in memory, [`train::Run`] in a folder that can be resumed; both are [`train::Training`]. Seeds are an interface: the same seed gives
//! the same results on any number of threads. [`AtomicFile`] writes results whole or not at all.
//!
//! ```
//! use std::ops::ControlFlow;
//! use wug::{Config, Lexicon};
//!
//! let names = ["ada", "alan", "barbara", "edsger", "grace", "john", "kurt", "noam"];
//! let lexicon = Lexicon::from_counts(names.map(|name| (name, 1)))?;
//! // Far too few words for a good model.
//! let config = Config::default().with_overrides(&["lexicon=names", "words=1280", "state=4"])?;
//! let model = wug::train::train(&config, &lexicon, 2, |_training, _event| ControlFlow::Continue(()))?;
//! assert_eq!(model.provenance.words_seen, 1280);
//! println!("{}", model.sample(5, 1)?.join(" "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! The first and the last are on by default.
//!
//! | feature | what it adds |
//! |---|---|
//! | `english` | the English list and models: `lexicon::bundled`, `bundled_model`; needs `compression` |
//! | `languages` | fourteen more [`languages`], by their codes |
//! | `compression` | reads lists and texts that are compressed with zstd |

/// The guide's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct Guide;

mod atomic_file;
mod bounded_file;
mod config;
mod counts;
mod error;
pub mod evaluate;
mod execution;
mod fingerprint;
pub mod generate;
pub mod languages;
pub mod lexicon;
pub mod measure;
pub mod model;
mod model_file;
mod quantity;
mod random;
mod suggest;
pub mod train;
mod vowels;

pub use atomic_file::AtomicFile;
pub use bounded_file::{read_bounded, read_text};
pub use config::{Config, DataConfig, DocumentError};
pub use error::{Error, ErrorKind, Result};
pub use execution::{Execution, threads};
#[cfg(feature = "english")]
pub use generate::bundled_model;
pub use lexicon::Lexicon;
pub use model_file::{EncodeError, ModelFileError, Precision, Provenance, StoredList, TrainedModel};
pub use quantity::{NotAQuantity, grouped, parse_quantity};
pub use suggest::{UnknownName, nearest_name};
// Which instructions the numbers are computed with; a front end reports a wrong wish.
pub use tilegrad::simd::{Path as SimdPath, PathError as SimdPathError};
pub use vowels::{LetterKind, Vowels};
