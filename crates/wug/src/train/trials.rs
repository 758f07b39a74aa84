//! Several starts, of which the best goes on.
//!
//! How good a model becomes is settled early: runs that differ in nothing but their seed keep the order that they have after the first
//! million words. So each start is tried on the beginning of the run, the one with the highest bound goes on, and the others are
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
    /// Its mean bound over the second half of the trial, in nats per word.
    pub bound: f64,
    /// The start that goes on, if this was the last trial.
    pub chosen: Option<usize>,
}

impl Trials {
    /// To be called after each step: counts its bound, and at the end of a trial begins the next start or goes on with the best.
    pub(super) fn after_step(
        &mut self,
        trainer: &mut Trainer,
        config: &TrainConfig,
        bound: f64,
    ) -> Result<Option<Trial>, TrainError> {
        let Progress { step, start, chosen, .. } = trainer.progress;
        if config.starts == 1 || chosen {
            return Ok(None);
        }
        let trial = config.trial_steps();
        let judged_after = trial / 2;
        if step > judged_after {
            trainer.progress.trial_sum += bound;
        }
        if step < trial {
            return Ok(None);
        }
        let last = start + 1 == config.starts;
        let mut tried = Box::new(trainer.snapshot());
        // So it is when it goes on.
        tried.progress.chosen = true;
        let bound = tried.progress.trial_sum / (trial - judged_after) as f64;
        let best = match self.best.take() {
            Some(best) if best.progress.trial_sum >= tried.progress.trial_sum => best,
            _ => tried,
        };
        let chosen = last.then_some(best.progress.start);
        if last {
            let seconds = trainer.progress.seconds;
            trainer.restore(*best)?;
            trainer.progress.seconds = seconds;
        } else {
            self.best = Some(best);
            trainer.begin(start + 1)?;
        }
        Ok(Some(Trial { start, bound, chosen }))
    }
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
        ((self.trial * self.steps() as f64).ceil() as u64).clamp(1, self.steps())
    }

    /// Words that are drawn in the whole run, those of starts that are given up included.
    pub fn words_in_all(&self) -> u64 {
        self.words_drawn(self.starts - 1, self.steps())
    }

    /// Words drawn after `given_up` trials and these steps.
    fn words_drawn(&self, given_up: usize, step: u64) -> u64 {
        (step + given_up as u64 * self.trial_steps()) * self.batch as u64
    }
}

impl Trainer {
    /// Words drawn so far, those of starts that were given up included.
    pub fn words_drawn(&self) -> u64 {
        let Progress { start, chosen, step, .. } = self.progress;
        self.config.words_drawn(if chosen { self.config.starts - 1 } else { start }, step)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use crate::train::in_memory::prepare;
    use crate::train::tests::{config, lexicon};
    use crate::train::{Event, Outcome, Run, Snapshot, Trainer, Trial};
    use crate::{Config, ModelFileError};

    /// Four starts of 20 steps each, in a run of 100.
    fn trying() -> Config {
        config().with_overrides(&["starts=4", "trial=0.2"]).unwrap()
    }

    /// Trains a run and collects what it tells of its trials.
    fn train(config: &Config) -> (Run, Vec<Trial>, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let mut run = Run::create(&folder.path().join("run"), config, &lexicon(), 1).unwrap();
        let mut trials = Vec::new();
        let outcome = run.train(&AtomicBool::new(false), |event| {
            if let Event::Trial(trial) = event {
                trials.push(trial);
            }
        });
        assert_eq!(outcome.unwrap(), Outcome::Done);
        (run, trials, folder)
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
            assert!((trial.bound - bound).abs() < 1e-9, "{trial:?}, alone {bound}");
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
        let best = trials.iter().max_by(|left, right| left.bound.total_cmp(&right.bound)).unwrap();
        assert_eq!(trials[2].chosen, Some(best.start));
        let (run, trials, _folder) = train(&config().with_overrides(&["starts=1", "trial=0.2"]).unwrap());
        assert_eq!((trials.len(), run.trainer().words_drawn()), (0, 1600));
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
            (&|snapshot| snapshot.best = None, "best_progress"),
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
