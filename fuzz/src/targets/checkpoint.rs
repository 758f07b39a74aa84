//! Any bytes give a state of training or an error. A state survives writing and reading, and training continues from it.

use std::cell::RefCell;

use wug::Config;
use wug::lexicon::Lexicon;
use wug::train::Training;

use super::safetensors::file_of;

/// Settings of a model that is as small as can be.
const SETTINGS: [&str; 11] = [
    "words=160",
    "batch=8",
    "state=2",
    "generative.flow=tril",
    "generative.hidden=[2]",
    "inference.hidden=[2]",
    "inference.flow_hidden=[2]",
    "embedding=2",
    "encoder=2",
    "particles=2",
    "checkpoint_seconds=0",
];

/// The training that all inputs are checkpoints of.
fn target() -> Training {
    let config = Config::default().with_overrides(&SETTINGS).unwrap();
    let lexicon = Lexicon::from_counts([("ab", 3), ("b", 2), ("bab", 1)]).unwrap();
    Training::new(&config, &lexicon, 1).unwrap()
}

/// Runs the target.
pub fn run(bytes: &[u8]) {
    thread_local! {
        static TARGET: RefCell<Training> = RefCell::new(target());
    }
    TARGET.with_borrow_mut(|training| check(training, &file_of(bytes)));
}

fn check(training: &mut Training, bytes: &[u8]) {
    let seconds = match training.resume(bytes, "fuzz") {
        Ok(seconds) => seconds,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let written = training.checkpoint(seconds).unwrap();
    assert_eq!(training.resume(&written, "fuzz").unwrap(), seconds);
    assert_eq!(training.checkpoint(seconds).unwrap(), written);
    // Forged numbers may become NaN: then training falls back, or ends with an error.
    let _ = (0..2).try_for_each(|_| training.step().map(drop));
    assert!(training.words_seen() <= 160);
    let after = training.checkpoint(seconds).unwrap();
    training.resume(&after, "fuzz").unwrap();
    assert_eq!(training.checkpoint(seconds).unwrap(), after);
}

/// Whether this is a checkpoint of that training.
pub fn is_valid(bytes: &[u8]) -> bool {
    target().resume(&file_of(bytes), "corpus").is_ok()
}

/// A checkpoint of that training after some steps, to begin a corpus with.
pub fn seed(steps: u64) -> Vec<u8> {
    let mut training = target();
    (0..steps).for_each(|_| drop(training.step()));
    training.checkpoint(0.5).unwrap()
}
