//! The fuzz targets of wug. What they do is in [`targets`], which the test suite of the main workspace includes too.

pub mod targets;
