//! What the fuzz targets do with their input, one module for each. The test suite runs the kept corpora through the same
//! functions: `cargo test -p wug-cli --test all corpus`.

pub mod checkpoint;
pub mod config;
pub mod count_text;
pub mod model_file;
pub mod noise;
pub mod pattern;
pub mod read_list;
pub mod result;
mod safetensors;
