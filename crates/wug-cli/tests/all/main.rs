//! All tests of the command, which run the real program, in one program of tests.

mod context;
mod corpus;
mod eval;
mod harness;
mod hostile;
mod lists;
mod manners;
mod matching;
mod measure;
#[cfg(feature = "reproduce")]
mod reproduce;
mod sample;
mod train;
