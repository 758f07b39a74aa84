//! `wug count` and `wug lexicon` as users meet them.

mod count;
mod lexicon;
mod tables;

/// A file that comes with the tests.
fn fixture(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}
