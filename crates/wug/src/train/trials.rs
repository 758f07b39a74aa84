//! Several starts, of which the best goes on.
//!
//! How good a model becomes is largely settled early: runs that differ in nothing but their seed tend to keep the order that they have after
//! the first million words. So each start is tried on the beginning of the run, the one with the highest bound goes on, and the others are
//! given up. The one that is chosen ends as if it had been the only one: as a run of one start with its seed.

use rand_core::Rng;

use super::{Progress, Snapshot, TrainConfig, TrainError, Trainer};
use crate::lexicon::random::stream;

/// The trials of a run.
#[derive(Debug, Default)]
pub(super) struct Trials {
    /// The best start so far, as it was at the end of its trial; none before the first has ended and after the choice.
    pub(super) best: Option<Box<Snapshot>>,
}

/// The end of a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// The start that was tried, from 0 on.
    pub start: usize,
    /// Its mean bound over the second half of the trial, in nats per word; none if its numbers went out of bounds.
    pub bound: Option<f64>,
    /// The start that goes on, if this was the last trial.
    pub chosen: Option<usize>,
}

impl Trials {
    /// To be called after each step: at the end of a trial the next start begins, or the best goes on.
    pub(super) fn after_step(&mut self, trainer: &mut Trainer) -> Result<Option<Trial>, TrainError> {
        let trial = trainer.config.trial_steps();
        if !trainer.is_trying() || trainer.progress.step < trial {
            return Ok(None);
        }
        let bound = trainer.progress.trial_sum / (trial - judged_after(trial)) as f64;
        self.end(trainer, Some(bound))
    }

    /// To be called when a start has failed: it loses its trial. Nothing comes of it if there is no other that could go on.
    pub(super) fn give_up(&mut self, trainer: &mut Trainer) -> Result<Option<Trial>, TrainError> {
        if trainer.is_trying() { self.end(trainer, None) } else { Ok(None) }
    }

    fn end(&mut self, trainer: &mut Trainer, bound: Option<f64>) -> Result<Option<Trial>, TrainError> {
        let start = trainer.progress.start;
        if bound.is_some() {
            let mut tried = trainer.snapshot();
            // So it is when it goes on.
            tried.progress.chosen = true;
            let is_better = |best: &Snapshot| tried.progress.trial_sum > best.progress.trial_sum;
            if self.best.as_deref().is_none_or(is_better) {
                self.best = Some(Box::new(tried));
            }
        }
        let mut chosen = None;
        if start + 1 < trainer.config.starts {
            trainer.begin(start + 1)?;
        } else {
            let Some(best) = self.best.take() else { return Ok(None) };
            chosen = Some(best.progress.start);
            let seconds = trainer.progress.seconds;
            trainer.restore(*best)?;
            trainer.progress.seconds = seconds;
        }
        Ok(Some(Trial { start, bound, chosen }))
    }
}

/// The first steps of a trial, by which a start is not judged.
fn judged_after(trial: u64) -> u64 {
    trial / 2
}

impl TrainConfig {
    /// The seed of a start: that of the run for the first one.
    pub fn seed_of(&self, start: usize) -> u64 {
        match start {
            0 => self.seed,
            // TOML has no larger numbers than the bits that are left.
            _ => stream(self.seed, *b"restart\0", start as u128).next_u64() >> 1,
        }
    }

    /// Steps of each trial.
    pub(super) fn trial_steps(&self) -> u64 {
        let steps = self.steps().max(1);
        ((self.trial * steps as f64).ceil() as u64).clamp(1, steps)
    }

    /// Words that each start is tried on.
    pub fn trial_words(&self) -> u64 {
        self.trial_steps() * self.batch as u64
    }

    /// Words that are drawn in the whole run, those of starts that are given up included.
    pub fn words_in_all(&self) -> u64 {
        self.words_drawn(self.starts.saturating_sub(1), self.steps())
    }

    /// Words drawn after `given_up` trials and these steps.
    fn words_drawn(&self, given_up: usize, step: u64) -> u64 {
        (step + given_up as u64 * self.trial_steps()) * self.batch as u64
    }
}

impl Trainer {
    /// Whether the start at work is one of several that are tried.
    fn is_trying(&self) -> bool {
        self.config.starts > 1 && !self.progress.chosen
    }

    /// Whether the step just taken is one by which the start is judged.
    pub(super) fn is_judged(&self) -> bool {
        let trial = self.config.trial_steps();
        self.is_trying() && (judged_after(trial) + 1..=trial).contains(&self.progress.step)
    }

    /// Words drawn so far, those of starts that were given up included.
    pub fn words_drawn(&self) -> u64 {
        let Progress { start, chosen, step, .. } = self.progress;
        self.config.words_drawn(if chosen { self.config.starts - 1 } else { start }, step)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use crate::train::in_memory::prepare;
    use crate::train::tests::{config, lexicon};
    use crate::train::{Event, Outcome, Run, RunError, Snapshot, Trainer, Trial};
    use crate::{Config, ModelFileError, TrainedModel};

    /// Four starts of 20 steps each, in a run of 100.
    fn trying() -> Config {
        config().with_overrides(&["starts=4", "trial=0.2"]).unwrap()
    }

    /// Trains a run and collects what it tells of its trials.
    fn train(config: &Config) -> (Run, Vec<Trial>, tempfile::TempDir) {
        let (run, trials, folder, outcome) = train_with_faults(config, &[]);
        assert_eq!(outcome.unwrap(), Outcome::Done);
        (run, trials, folder)
    }

    /// The same with gradients spoiled at some steps of the first start that comes to them.
    fn train_with_faults(
        config: &Config,
        faults: &[u64],
    ) -> (Run, Vec<Trial>, tempfile::TempDir, Result<Outcome, RunError>) {
        let folder = tempfile::tempdir().unwrap();
        let mut run = Run::create(&folder.path().join("run"), config, &lexicon(), 1).unwrap();
        run.trainer_mut().faults = faults.to_vec();
        let mut trials = Vec::new();
        let outcome = run.train(&AtomicBool::new(false), |event| {
            if let Event::Trial(trial) = event {
                trials.push(trial);
            }
        });
        (run, trials, folder, outcome)
    }

    /// Trains with the seed of a start and no other; its mean bound over steps 11 to 20, and its end.
    fn alone(start: usize) -> (f64, Snapshot) {
        let mut config = trying();
        (config.train.seed, config.train.starts) = (config.train.seed_of(start), 1);
        let mut trainer = prepare(&config, &lexicon(), 1).unwrap();
        let bounds: Vec<f64> = (0..100).map(|_| trainer.step().unwrap().bound).collect();
        (bounds[10..20].iter().sum::<f64>() / 10.0, trainer.snapshot())
    }

    #[test]
    fn the_best_start_goes_on_as_if_it_had_been_the_only_one() {
        let (run, trials, _folder) = train(&trying());
        let expected: Vec<(f64, Snapshot)> = (0..4).map(alone).collect();
        let best = (0..4).max_by(|&left, &right| expected[left].0.total_cmp(&expected[right].0)).unwrap();
        assert_eq!(trials.iter().map(|trial| trial.start).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(trials.iter().filter_map(|trial| trial.chosen).collect::<Vec<_>>(), [best]);
        assert_eq!(trials[3].chosen, Some(best));
        for (trial, (bound, _)) in trials.iter().zip(&expected) {
            assert!((trial.bound.unwrap() - bound).abs() < 1e-9, "{trial:?}, alone {bound}");
        }
        let (end, only) = (run.trainer().snapshot(), &expected[best].1);
        assert!(end.parameters == only.parameters && end.second_moment == only.second_moment);
        assert!(end.average == only.average);
        // The starts differ, so another choice would have ended elsewhere.
        assert!((0..4).all(|other| other == best || expected[other].1.parameters != end.parameters));
        assert_eq!((run.trainer().words_seen(), run.trainer().words_drawn()), (1600, 1600 + 3 * 320));
        assert_eq!(trying().train.words_in_all(), 1600 + 3 * 320);
    }

    #[test]
    fn metrics_are_those_of_the_chosen_start() {
        let (_run, trials, folder) = train(&trying());
        let chosen = trials[3].chosen.unwrap();
        let text = std::fs::read_to_string(folder.path().join("run/metrics.jsonl")).unwrap();
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(lines.iter().all(|line| line["start"] == chosen + 1), "{text}");
        let steps: Vec<u64> = lines.iter().map(|line| line["step"].as_u64().unwrap()).collect();
        assert_eq!(steps, (1..=50).map(|report| 2 * report).collect::<Vec<u64>>());
    }

    #[test]
    fn a_trial_can_be_the_whole_run() {
        let (run, trials, _folder) = train(&config().with_overrides(&["starts=3", "trial=1"]).unwrap());
        assert_eq!((trials.len(), run.trainer().words_seen()), (3, 1600));
        let best = trials.iter().max_by(|left, right| left.bound.partial_cmp(&right.bound).unwrap()).unwrap();
        assert_eq!(trials[2].chosen, Some(best.start));
        let (run, trials, _folder) = train(&config().with_overrides(&["starts=1", "trial=0.2"]).unwrap());
        assert_eq!((trials.len(), run.trainer().words_drawn()), (0, 1600));
    }

    /// A start that goes back in its trial is judged by as many steps as others.
    #[test]
    fn going_back_is_no_advantage() {
        let (_run, undisturbed, _folder) = train(&trying());
        let (_run, trials, _folder, outcome) = train_with_faults(&trying(), &[19]);
        assert_eq!(outcome.unwrap(), Outcome::Done);
        let difference = trials[0].bound.unwrap() - undisturbed[0].bound.unwrap();
        // Steps 19 and 20 are taken with half the step size.
        assert!(difference != 0.0 && difference.abs() < 0.1, "{difference}");
        assert_eq!(trials[1..3], undisturbed[1..3]);
    }

    #[test]
    fn a_start_that_fails_loses_its_trial() {
        let (run, trials, folder, outcome) = train_with_faults(&trying(), &[3; 4]);
        assert_eq!(outcome.unwrap(), Outcome::Done);
        assert_eq!((trials[0].start, trials[0].bound, trials.len()), (0, None, 4));
        let (chosen, progress) = (trials[3].chosen.unwrap(), run.trainer().progress);
        assert!(chosen > 0 && progress.start == chosen && progress.rate_factor == 1.0, "{progress:?}");
        drop((run, folder));
        // In the last trial the others are good enough; after the choice there is no other.
        let (.., outcome) = train_with_faults(&trying(), &[3; 16]);
        assert!(matches!(outcome, Err(RunError::Diverged(_))));
        let (_, trials, _, outcome) = train_with_faults(&trying(), &[50; 4]);
        assert!(matches!(outcome, Err(RunError::Diverged(_))) && trials.len() == 4);
    }

    /// While starts are tried, the model in the folder is the best so far, and not the one that has just begun.
    #[test]
    fn the_model_of_a_run_in_trial_is_the_best_so_far() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let mut run = Run::create(&path, &trying(), &lexicon(), 1).unwrap();
        let stop = AtomicBool::new(false);
        let outcome = run.train(&stop, |event| {
            if matches!(event, Event::Trial(_)) {
                stop.store(true, Ordering::Relaxed);
            }
        });
        assert_eq!(outcome.unwrap(), Outcome::Interrupted);
        assert_eq!((run.trainer().progress.start, run.trainer().words_seen()), (1, 0));
        let model = TrainedModel::load(&path.join("model.safetensors")).unwrap();
        assert_eq!(model.provenance.words_seen, 320);
        let mut alone = prepare(&trying(), &lexicon(), 1).unwrap();
        (0..20).for_each(|_| drop(alone.step()));
        assert!(model.parameters == alone.parameters());
    }

    /// Checkpoints that no run writes.
    #[test]
    fn forged_trials_are_refused() {
        let config = trying();
        let trainer = Trainer::new(&config.model, &config.train, lexicon(), 1).unwrap();
        let digest = lexicon().digest();
        let read = |change: &dyn Fn(&mut Snapshot)| -> Result<Snapshot, ModelFileError> {
            let mut best = trainer.snapshot();
            (best.progress.step, best.progress.chosen) = (20, true);
            let mut snapshot = Snapshot { best: Some(Box::new(best)), ..trainer.snapshot() };
            (snapshot.progress.start, snapshot.progress.step) = (1, 3);
            change(&mut snapshot);
            let bytes = snapshot.to_bytes(trainer.model(), &config, &digest).unwrap();
            let read = Snapshot::from_bytes(&bytes, "forged", trainer.model(), &config, &digest)?;
            assert_eq!(read, snapshot);
            Ok(read)
        };
        read(&|_| {}).unwrap();
        type Change<'a> = &'a dyn Fn(&mut Snapshot);
        let refused: [(Change<'_>, &str); 6] = [
            (&|snapshot| snapshot.progress.start = 4, "more starts"),
            (&|snapshot| snapshot.progress.step = 20, "not one of a trial"),
            (&|snapshot| snapshot.progress.chosen = true, "not one after it"),
            (&|snapshot| snapshot.progress.trial_sum = f64::INFINITY, "progress"),
            (&|snapshot| snapshot.best.as_mut().unwrap().second_moment[0] = -1.0, "negative"),
            (
                &|snapshot| snapshot.best.as_mut().unwrap().progress.start = 1,
                "not from the end of an earlier trial",
            ),
        ];
        for (change, expected) in refused {
            let error = read(change).unwrap_err().to_string();
            assert!(error.contains(expected), "{expected}: {error}");
        }
    }
}
