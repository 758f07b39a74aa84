//! Measuring a model.

mod filter;

pub use filter::{Estimate, particle_filter};
