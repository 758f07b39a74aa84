//! The model against its specification: flows, bound, gradients, the baseline.

mod baseline;
mod choice;
mod common;
mod exactness;
mod flows;
mod gradients;
mod own_flow;
