//! Runs the real binary, command by command.

mod common;
mod count;
mod lexicon;
