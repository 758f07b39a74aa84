//! All tests of the engine from outside, in one program. `allocations` is a program of its own, because it counts
//! the allocations of all threads.

mod common;
mod math;
mod misuse;
mod noise;
mod optim;
mod particle_states;
mod reference_step;
mod workers;
