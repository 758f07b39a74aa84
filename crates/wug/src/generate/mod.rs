//! Making words.

mod sampler;

pub use sampler::{SampleError, Sampler, SymbolChoice};

pub(crate) use sampler::categorical;
