//! Elementary functions on vectors of lanes.
//!
//! [`single`] is what the kernels run: polynomial approximations on eight `f32` lanes, accurate to
//! a few 1e-7 relative. [`double`] offers the same names for `f64` through the standard library;
//! it serves tests and gradient checks, where speed does not matter. [`normal`] is the normal
//! distribution function and its inverse.

pub(crate) mod coefficients;
pub mod double;
pub mod normal;
pub mod single;
