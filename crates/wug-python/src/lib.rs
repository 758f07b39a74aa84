//! The Python module `wug._lib`: the library under Python's manners. No mathematics.
//!
//! Every function takes what Python gives it, lets go of the interpreter while it works, looks for Ctrl-C every now and then, and
//! turns errors into exceptions with the same text. `python/wug/_lib.pyi` has the signatures as Python's tools see them.

mod arrow;
mod bias;
mod command;
mod constraints;
mod errors;
mod evaluation;
mod input;
mod interrupt;
mod json;
mod lexicon;
mod making;
mod matching;
mod measuring;
mod model;
mod noise;
mod numpy;
mod rows;
mod table;
mod training;

use pyo3::prelude::*;

/// Words from white noise.
#[pymodule]
mod _lib {
    #[pymodule_export]
    use crate::bias::ld1nn;
    #[pymodule_export]
    use crate::command::command;
    #[pymodule_export]
    use crate::evaluation::evaluate;
    #[pymodule_export]
    use crate::lexicon::Lexicon;
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::numpy::Buffer;
    #[pymodule_export]
    use crate::rows::columns;
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::training::{resume, train};

    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
