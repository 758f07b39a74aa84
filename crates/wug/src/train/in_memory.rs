//! Training from words to a model, without a folder.

use super::trials::Trials;
use super::{TrainError, Trainer};
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
        let report = trainer.step().map_err(TrainError::Diverged)?;
        observe(trainer.words_drawn(), report.bound);
        trials.after_step(&mut trainer, &config.train, report.bound)?;
    }
    finished(config, &trainer, lexicon.alphabet(), &lexicon.digest())
}

/// A trainer for the training part of the words.
pub(super) fn prepare(config: &Config, lexicon: &Lexicon, threads: usize) -> Result<Trainer, TrainError> {
    config.check()?;
    let Split { train, .. } = lexicon.split(config.data.split, config.data.split_seed);
    // A tiny list may be held out whole; then there is nothing to be gained from a split.
    let train = if train.is_empty() { lexicon.clone() } else { train };
    Trainer::new(&config.model, &config.train, train, threads)
}

/// The model as a trainer has left it.
pub(super) fn finished(
    config: &Config,
    trainer: &Trainer,
    alphabet: &Alphabet,
    lexicon_digest: &str,
) -> Result<TrainedModel, TrainError> {
    Ok(TrainedModel {
        config: config.clone(),
        model: Model::new(&config.model, trainer.model().symbols())?,
        parameters: trainer.parameters(),
        alphabet: alphabet.clone(),
        provenance: Provenance {
            lexicon: config.data.lexicon.clone(),
            lexicon_digest: lexicon_digest.to_owned(),
            words_seen: trainer.words_seen(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        },
    })
}
