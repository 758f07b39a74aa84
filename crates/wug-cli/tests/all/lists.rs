//! `wug count` and `wug lexicon` as users meet them.

mod common;
mod count;
mod lexicon;
