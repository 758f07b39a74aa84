//! `wug train`, through the real command.

mod common;
mod data;
mod grid;
mod kills;
mod mistakes;
mod paths;
mod rules;
mod travel;
mod trouble;
