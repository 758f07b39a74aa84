//! Small-model automatic differentiation over tiles of lanes, for the CPU.

#[cfg(test)]
mod check;
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
mod runner;
mod shape;
mod tile;

pub use element::{Element, Vector};
pub use graph::{Graph, GraphError, Symbols, Var, VarId};
pub use ops::{Activation, Triangle};
pub use params::{Param, ParamInfo, Params};
pub use program::Program;
pub use runner::{NoiseKey, Runner, Values};
pub use shape::{Dims, Lanes, Shape};
pub use tile::Tile;
