//! Making words.

mod sampler;

pub use sampler::{SampleError, Sampler};
