//! Training from words to a model, without a folder.

use super::trials::Trials;
use super::{Snapshot, TrainError, Trainer};
use crate::Config;
use crate::lexicon::{Alphabet, Lexicon, Split};
use crate::model::Model;
use crate::model_file::{Provenance, TrainedModel};

/// Trains on the training part of some words. `observe` gets the words drawn so far, those of starts that are
/// given up included, and the bound of each step, in nats per word.
///
/// The words are taken as they are, whatever filter the configuration has; `data.lexicon` is the name that the model
/// remembers them by. The same words, configuration and seed give the same model, to the last bit, on any number of threads.
/// [`Run`](super::Run) does the same in a folder, with reports and checkpoints, and goes back when numbers get out of bounds.
///
/// # Errors
/// When a setting is out of its range, there is nothing to train on, or training diverges.
pub fn train(
    config: &Config,
    lexicon: &Lexicon,
    threads: usize,
    mut observe: impl FnMut(u64, f64),
) -> Result<TrainedModel, TrainError> {
    let mut trainer = prepare(config, lexicon, threads)?;
    let mut trials = Trials::default();
    while !trainer.is_done() {
        match trainer.step() {
            Ok(report) => {
                observe(trainer.words_drawn(), report.bound);
                trials.after_step(&mut trainer)?;
            }
            Err(problem) => {
                trials.give_up(&mut trainer)?.ok_or(TrainError::Diverged(problem))?;
            }
        }
    }
    finished(config, &trainer.snapshot(), lexicon.alphabet(), &lexicon.digest())
}

/// A trainer for the training part of the words.
pub(super) fn prepare(config: &Config, lexicon: &Lexicon, threads: usize) -> Result<Trainer, TrainError> {
    config.check()?;
    let Split { train, .. } = lexicon.split(config.data.split, config.data.split_seed);
    // A tiny list may be held out whole; then there is nothing to be gained from a split.
    let train = if train.is_empty() { lexicon.clone() } else { train };
    Trainer::new(&config.model, &config.train, train, threads)
}

/// The model of a state of training.
pub(super) fn finished(
    config: &Config,
    state: &Snapshot,
    alphabet: &Alphabet,
    lexicon_digest: &str,
) -> Result<TrainedModel, TrainError> {
    Ok(TrainedModel {
        config: config.clone(),
        model: Model::new(&config.model, alphabet.symbol_count())?,
        parameters: state.model_parameters(),
        alphabet: alphabet.clone(),
        provenance: Provenance {
            lexicon: config.data.lexicon.clone(),
            lexicon_digest: lexicon_digest.to_owned(),
            words_seen: state.progress.step * config.train.batch as u64,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        },
    })
}
