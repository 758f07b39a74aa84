//! All tests of the library from outside, in one program: linking is most of what a test program costs to build.

mod documentation;
mod layers;
mod model;
mod model_file;
mod score;
mod statistics;
mod witten_bell;
