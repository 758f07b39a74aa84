//! The training loop.

use std::ops::ControlFlow;
use std::sync::Arc;

use tilegrad::optim::{Schedule, clip_global_norm};

use super::held_out::{Best, HeldOut};
use super::objective::Objective;
use super::state::State;
use super::{Completion, Event, MAX_FALLBACKS, NotFinite, Report, Step, TrainConfig, TrainError};
use crate::counts::{Contexts, ListCounts};
use crate::evaluate::{Information, InformationSettings, information};
use crate::lexicon::{Alphabet, Lexicon, Split};
use crate::model::{ConfigError, Fitted, Model};
use crate::{Config, Provenance, StoredList, TrainedModel};

/// Reports of a whole run.
const REPORTS: u64 = 50;
/// States from which a report estimates information: some ten milliseconds of work.
const INFORMATION_STATES: usize = 128;

/// The training loop: it knows no files, no clock and no screen.
///
/// A step whose bound, gradient or parameters are NaN or infinite is undone: training goes back to the state of its
/// last report, or to the initial one, and continues with half the learning rate. After three times it gives up.
pub struct Training {
    pub(super) config: Config,
    pub(super) alphabet: Alphabet,
    /// All words, those held out included.
    pub(super) list: Arc<StoredList>,
    /// Of the same words.
    pub(super) digest: String,
    pub(super) model: Arc<Model>,
    objective: Objective,
    held_out: Option<HeldOut>,
    /// The counts of the training part, if the model is mixed with them.
    contexts: Option<Arc<Contexts>>,
    /// The model that was best on the held-out words, at the reports so far.
    pub(super) best: Option<Best>,
    threads: usize,
    schedule: Schedule,
    pub(super) state: State,
    /// The state of the last report, where a fallback goes.
    pub(super) good: State,
    /// How often training has fallen back.
    pub(super) fallbacks: u32,
    /// Sums of the bounds and the gradients' norms since the last report.
    pub(super) sums: (f64, f64),
    pub(super) gradient: Vec<f32>,
    /// Steps whose gradient a test wants to be spoiled.
    #[cfg(test)]
    pub(super) faults: Vec<u64>,
}

impl Training {
    /// Prepares to train on the training part of some words.
    ///
    /// # Errors
    /// When a setting is out of its range or there is nothing to train on.
    pub fn new(config: &Config, lexicon: &Lexicon, threads: usize) -> Result<Self, TrainError> {
        let part = config.data.training_part(lexicon);
        let model = Model::with_order(&config.model, &config.model.cell_order(&part))?;
        Self::of(model, config, lexicon, part, threads)
    }

    /// The same for a model that has been built already, for instance with a flow of one's own.
    ///
    /// # Errors
    /// When a setting is out of its range, the model has another alphabet's size, or there is nothing to train on.
    pub fn with_model(
        model: Model,
        config: &Config,
        lexicon: &Lexicon,
        threads: usize,
    ) -> Result<Self, TrainError> {
        Self::of(model, config, lexicon, config.data.training_part(lexicon), threads)
    }

    fn of(
        model: Model,
        config: &Config,
        lexicon: &Lexicon,
        part: Lexicon,
        threads: usize,
    ) -> Result<Self, TrainError> {
        config.check()?;
        let model = Arc::new(model);
        let (mut held_out, mut gate, mut contexts) = (None, None, None);
        let judges_itself = model.gate_shape().is_some() || (model.is_exact() && config.train.patience > 0);
        let learn = if judges_itself {
            let Split { train, test } = part.validation_split(config.data.split, config.data.split_seed);
            match model.gate_shape() {
                Some(shape) => {
                    contexts =
                        Some(Arc::new(Contexts::of(&part.weighted(config.data.weighting), shape.order)));
                    gate = Some(test.weighted(config.data.weighting));
                }
                None => held_out = HeldOut::of(&test.weighted(config.data.weighting), &model),
            }
            train
        } else {
            part
        };
        let learn = learn.weighted(config.data.weighting);
        let gate = gate.as_ref().zip(contexts.as_deref());
        let objective = Objective::new(Arc::clone(&model), &config.train, learn, gate, threads)?;
        let state = State::new(model.initial_parameters(config.train.seed), config.train.ema_decay)?;
        Ok(Self {
            // What the model says of itself is the truth about it.
            config: Config { model: model.config().clone(), ..config.clone() },
            alphabet: lexicon.alphabet().clone(),
            list: Arc::new(StoredList::of(lexicon)),
            digest: lexicon.digest(),
            objective,
            contexts,
            held_out,
            best: None,
            threads,
            schedule: config.train.schedule()?,
            good: state.clone(),
            gradient: vec![0.0; state.parameters.len()],
            state,
            fallbacks: 0,
            sums: (0.0, 0.0),
            model,
            #[cfg(test)]
            faults: Vec::new(),
        })
    }

    /// Takes steps until all words are seen or `observe` returns [`ControlFlow::Break`]; another call continues.
    ///
    /// # Errors
    /// When training diverges.
    pub fn run(
        &mut self,
        mut observe: impl FnMut(&Self, &Event) -> ControlFlow<()>,
    ) -> Result<Completion, TrainError> {
        while let Some(event) = self.step()? {
            if observe(self, &event).is_break() && !self.is_done() {
                return Ok(Completion::Cancelled);
            }
        }
        Ok(Completion::Finished)
    }

    /// Takes one step, or falls back; none if all words have been seen.
    ///
    /// # Errors
    /// When training diverges. The state is then that of the last report.
    pub fn step(&mut self) -> Result<Option<Event>, TrainError> {
        if self.is_done() {
            return Ok(None);
        }
        let mut step = match self.try_step() {
            Ok(step) => step,
            Err(problem) => {
                self.state = self.good.clone();
                self.sums = (0.0, 0.0);
                if self.fallbacks == MAX_FALLBACKS {
                    return Err(TrainError::Diverged(problem));
                }
                self.fallbacks += 1;
                return Ok(Some(Event::Fallback(problem)));
            }
        };
        self.sums.0 += step.bound;
        self.sums.1 += step.gradient_norm;
        if step.step.is_multiple_of(self.config.train.steps().div_ceil(REPORTS)) || self.is_done() {
            step.report = Some(self.report(step.learning_rate));
        }
        Ok(Some(Event::Step(step)))
    }

    /// Draws words, computes the bound and its gradient, moves the parameters. After an error the state is of no use.
    fn try_step(&mut self) -> Result<Step, NotFinite> {
        let step = self.state.step();
        let train = &self.config.train;
        let learning_rate = train.learning_rate
            * self.schedule.factor(step, train.steps())
            * 0.5_f64.powi(self.fallbacks.cast_signed());
        let bound = self.objective.bound(step, &self.state.parameters, &mut self.gradient);
        #[cfg(test)]
        self.inject_fault(step);
        let gradient_norm =
            clip_global_norm(&mut self.gradient, self.config.train.clip_norm).unwrap_or(f64::NAN);
        let is_finite = bound.is_finite() && gradient_norm.is_finite();
        if is_finite {
            self.shrink_weights(learning_rate * self.config.train.weight_decay);
        }
        if !(is_finite && self.state.update(&self.gradient, learning_rate)) {
            return Err(NotFinite { step, what: self.culprit() });
        }
        let (words, total_words) = (self.words_seen(), self.total_words());
        Ok(Step { step: step + 1, words, total_words, learning_rate, bound, gradient_norm, report: None })
    }

    /// Takes this share off every weight; biases and initial states, which are vectors, stay.
    fn shrink_weights(&mut self, share: f64) {
        if share == 0.0 {
            return;
        }
        let factor = (1.0 - share) as f32;
        for info in self.model.params().iter().filter(|info| !info.is_vector) {
            self.state.parameters[info.range()].iter_mut().for_each(|weight| *weight *= factor);
        }
    }

    /// The first gradient or parameter that is not finite, or else the bound.
    pub(super) fn culprit(&self) -> String {
        let first = |numbers: &[f32]| {
            let bad = |number: &f32| !number.is_finite();
            self.model.params().iter().find(|info| numbers[info.range()].iter().any(bad))
        };
        if let Some(found) = first(&self.gradient) {
            return format!("the gradient of `{}`", found.name);
        }
        let parameter = first(&self.state.parameters);
        parameter.map_or_else(|| "the bound".to_owned(), |found| format!("the parameter `{}`", found.name))
    }

    /// Spoils the gradient if a test wants that for this step: once for each time the step is listed.
    #[cfg(test)]
    fn inject_fault(&mut self, step: u64) {
        if let Some(found) = self.faults.iter().position(|fault| *fault == step) {
            self.faults.swap_remove(found);
            self.gradient[0] = f32::NAN;
        }
    }

    /// The means since the last report. The state is good: a new period begins with it.
    fn report(&mut self, learning_rate: f64) -> Report {
        let steps = (self.state.step() - self.good.step()) as f64;
        let (bound_sum, norm_sum) = std::mem::take(&mut self.sums);
        self.good = self.state.clone();
        let parameters = self.state.model_parameters();
        let counts = self.counts(&parameters);
        let fitted =
            Fitted::new(&self.model, &parameters).with_counts(counts.as_ref().map(|counts| counts as _));
        let information = self.information(fitted);
        let held_out = match &self.held_out {
            Some(words) => words.cross_entropy(fitted, self.threads),
            None => self.objective.validation(&parameters),
        };
        if let Some(held_out) = held_out {
            Best::update(&mut self.best, held_out, parameters);
        }
        Report {
            step: self.state.step(),
            words: self.words_seen(),
            learning_rate,
            bound: bound_sum / steps,
            held_out,
            gradient_norm: norm_sum / steps,
            information: information.as_ref().map(|found| found.mean_information),
            symbol_entropy: information.as_ref().map(|found| found.mean_symbol_entropy),
        }
    }

    /// The counts of the list with the gate as it is now.
    fn counts(&self, parameters: &[f32]) -> Option<ListCounts> {
        let contexts = self.contexts.as_ref()?;
        Some(ListCounts::new(Arc::clone(contexts), self.model.gate(parameters)?))
    }

    /// What the noise decides, for the model as it is now: a function of the parameters, whatever the step.
    fn information(&self, fitted: Fitted<'_>) -> Option<Information> {
        let settings = InformationSettings { states: INFORMATION_STATES, ..Default::default() };
        information(fitted, settings, 1).ok()
    }

    /// Changes the number of words to train on, of a finished run too. The learning rate follows the schedule of the
    /// new length from here on, so the run does not end where one of that length from the beginning would.
    ///
    /// # Errors
    /// When more words have been seen already, or the number is out of its range.
    pub fn set_words(&mut self, words: u64) -> Result<(), ConfigError> {
        let train = TrainConfig { words, ..self.config.train.clone() };
        train.check()?;
        if train.steps() < self.state.step() {
            let (key, found) = ("train.words".to_owned(), words.to_string());
            let expected = format!("expected at least the {} words that the run has seen", self.words_seen());
            return Err(ConfigError { key, found, expected });
        }
        self.config.train = train;
        if let Some(best) = &mut self.best {
            best.stale = 0;
        }
        Ok(())
    }

    /// Whether all words have been seen, or the held-out words no longer gain.
    pub fn is_done(&self) -> bool {
        self.state.step() >= self.config.train.steps() || self.stopped_early()
    }

    /// Whether the held-out words have not gained for as many reports as `train.patience` says.
    pub fn stopped_early(&self) -> bool {
        let patience = self.config.train.patience;
        patience > 0 && self.best.as_ref().is_some_and(|best| best.stale >= patience)
    }

    /// The lowest cross entropy of the held-out words at a report so far, in nats per word.
    pub(crate) fn best_held_out(&self) -> Option<f64> {
        self.best.as_ref().map(|best| best.held_out)
    }

    /// Steps taken so far.
    pub fn steps(&self) -> u64 {
        self.state.step()
    }

    /// Words seen so far.
    pub fn words_seen(&self) -> u64 {
        self.state.step() * self.config.train.batch as u64
    }

    /// Words of the whole run, in full steps.
    pub fn total_words(&self) -> u64 {
        self.config.train.steps() * self.config.train.batch as u64
    }

    /// The parameters of the model as it is now.
    fn model_parameters(&self) -> Vec<f32> {
        match &self.best {
            Some(best) if self.config.train.patience > 0 => best.parameters.clone(),
            _ => self.state.model_parameters(),
        }
    }

    /// The run's configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The model's structure.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The model as it is now: the EMA of the parameters, or the last ones; with `train.patience`, those of the report that
    /// was best on the held-out words.
    pub fn trained_model(&self) -> TrainedModel {
        let provenance = Provenance {
            lexicon: match self.config.data.lexicon.as_str() {
                "" => "the given words".to_owned(),
                name => name.to_owned(),
            },
            lexicon_digest: self.digest.clone(),
            words_seen: self.words_seen(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let parameters = self.model_parameters();
        let counts = self.counts(&parameters);
        let list = self.config.data.store_list.then(|| Arc::clone(&self.list));
        let (config, alphabet) = (self.config.clone(), self.alphabet.clone());
        let model = Arc::clone(&self.model);
        let store_list = config.data.store_list;
        let trained = TrainedModel::new(config, model, parameters, alphabet, provenance, list);
        // Without its list a model goes without counts, as it will when it is read from a file.
        if store_list { trained.with_counts(counts) } else { trained }
    }
}
