//! Small-model automatic differentiation over tiles of lanes, for the CPU.

pub mod math;
pub mod noise;
pub mod optim;
