//! Automatic differentiation for small models on the CPU: a graph is recorded once, compiled, and run
//! over many tiles of lanes.
//!
//! General frameworks spend a small model's time on dispatch, allocation and memory traffic. Here the
//! forward code of a model is recorded as a [`Graph`], the compiled [`Program`] knows the place of
//! every value and gradient, and one run of it is a straight walk over kernels whose numbers stay in the
//! cache. The same recording runs in `f32` (for work) and in `f64` (for checks), forward only or with
//! gradients.
//!
//! # Tiles and lanes
//!
//! A [`Var`] is rows × lanes. Rows are features; a lane is one *word* (any independent item of a data
//! set), or one *particle* of a word: one of the K samples that a model draws for it. A [`Tile`] is
//! a handful of words with all their particles; all of it fits the cache.
//!
//! ```text
//!                 one vector
//!               ┌──────────────┐
//!               w0 w1 w2 … w7   w8 … w15          a variable per word:
//!        row 0 [  .  .  .    .    .     . ]        words in the vector lanes
//!        row 1 [  .  .  .    .    .     . ]
//!
//!               particle 0           particle 1           …
//!               w0 w1 … w15          w0 w1 … w15           a variable per particle:
//!        row 0 [ .  .    .    |       .  .    .    |  … ]  the same words again,
//!        row 1 [ .  .    .    |       .  .    .    |  … ]  particle after particle
//! ```
//!
//! Words sit side by side in the vector lanes, and particles follow each other outside of them. So an
//! operation between the two kinds uses a word's vector again for each particle, a sum over particles
//! adds whole vectors, and nothing ever crosses lanes. A tile that is not full repeats its last word in
//! the lanes left over, with weight zero.
//!
//! Tiles run in parallel on the threads of a [`Runner`], and their gradients are added up in an order
//! that depends on the tiles alone: loss and gradient are the same bits on any number of threads.
//! After the first step nothing is allocated.
//!
//! # An example
//!
//! A regression: the line `y = a x + b` through noisy points, one word for each point.
//!
//! ```
//! use tilegrad::optim::{Adam, AdamSettings};
//! use tilegrad::{Activation, Graph, Lanes, NoiseKey, Params, Runner, Tile};
//!
//! let mut params = Params::new();
//! let (slope, offset) = (params.matrix("slope", 1, 1), params.vector("offset", 1));
//! let graph = Graph::new(&params, 1);
//! let (x, y) = (graph.data(1, Lanes::Word), graph.data(1, Lanes::Word));
//! let line = graph.affine(&[(slope, x)], Some(offset), Activation::Identity);
//! let programs = vec![graph.compile::<f32>(16, Some((line - y).square()), &[])?];
//!
//! let mut tile = Tile::new(&programs, 0);
//! for word in 0..16 {
//!     let at = word as f32 / 8.0 - 1.0;
//!     tile.set_data(&programs[0], x.id(), word, &[at]);
//!     tile.set_data(&programs[0], y.id(), word, &[3.0 * at - 0.5 + 0.01 * (at * 100.0).sin()]);
//! }
//! tile.weight = 1.0 / 16.0; // the loss is the mean of the squares
//!
//! let mut runner = Runner::new(&params, programs, 1)?;
//! let (mut fit, mut gradient) = (vec![0.0; params.len()], vec![0.0; params.len()]);
//! let mut adam = Adam::new(AdamSettings::default(), params.len())?;
//! for step in 0..500 {
//!     runner.gradient(&fit, std::slice::from_ref(&tile), NoiseKey { seed: 0, step }, &mut gradient);
//!     adam.step(&mut fit, &gradient, 0.05)?;
//! }
//! assert!((params.view(slope, &fit)[0] - 3.0).abs() < 0.02);
//! assert!((params.view(offset, &fit)[0] + 0.5).abs() < 0.02);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What there is
//!
//! | | |
//! |---|---|
//! | parameters as variables | [`Graph::affine`], [`Graph::affine_from`], [`Graph::embedding`], [`Graph::broadcast`] |
//! | input | [`Graph::data`], [`Graph::symbols`] |
//! | noise | [`Graph::normal`], [`Graph::uniform`], [`Var::dropout`]; the generator itself is [`noise`] |
//! | number by number | `+ − × ÷`, [`Var::tanh`], [`Var::sigmoid`], [`Var::softplus`], [`Var::exp`], [`Var::ln`], [`Var::square`], [`Var::scale`] |
//! | rows | [`Var::slice`], [`Graph::concat`], [`Var::sum_rows`] |
//! | words and particles | [`Var::expand`], [`Var::sum_particles`], [`Var::log_sum_exp`] |
//! | densities | [`Var::standard_normal_log_density`], [`Var::normal_log_density`], [`Var::log_softmax_pick`], [`Var::log_mixture`] |
//! | triangular matrices | [`Triangle::product`], [`Triangle::solve`] |
//! | choices without gradient | [`Var::choose`], [`Var::ancestors`], [`Var::enough_particles`] |
//! | what is chosen | [`Var::gather`], [`Var::select`] |
//! | the end of gradients | [`Var::stop_gradient`] |
//! | training | [`optim`]: Adam, clipping, averages, schedules |
//!
//! A mistake in recording (shapes that do not match, variables of another graph) comes back from
//! [`Graph::compile`] as a [`GraphError`] that names the line of the call and both shapes.

#[cfg(test)]
mod check;
mod dot;
mod element;
mod frame;
mod gemm;
mod graph;
mod layout;
pub mod math;
pub mod noise;
mod ops;
pub mod optim;
mod params;
mod pool;
mod program;
mod run;
mod runner;
mod shape;
pub mod simd;
mod tile;

pub use element::Element;
pub use graph::{Graph, GraphError, Symbols, Var, VarId};
pub use ops::{Activation, Triangle};
pub use params::{Param, ParamInfo, Params};
pub use program::Program;
pub use runner::{NoiseKey, Runner, Values, Worker};
pub use shape::{Dims, Lanes, Shape};
pub use tile::Tile;
