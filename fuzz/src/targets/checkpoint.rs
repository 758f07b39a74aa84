//! Any bytes give a state of a run or an error. A state survives writing and reading, and training goes on from it.

use std::cell::RefCell;

use wug::Config;
use wug::lexicon::Lexicon;
use wug::train::{Snapshot, Trainer};

use crate::targets::safetensors::file_of;

/// The run that all inputs are checkpoints of.
struct Target {
    config: Config,
    digest: String,
    trainer: Trainer,
}

/// Settings of a model that is as small as can be.
const SETTINGS: [&str; 13] = [
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
    "starts=2",
    "trial=0.2",
];
/// Steps of a trial with these settings.
const TRIAL: u64 = 4;

impl Target {
    fn new() -> Self {
        let config = Config::default().with_overrides(&SETTINGS).unwrap();
        let lexicon = Lexicon::from_counts([("ab", 3), ("b", 2), ("bab", 1)]).unwrap();
        let digest = lexicon.digest();
        let trainer = Trainer::new(&config.model, &config.train, lexicon, 1).unwrap();
        Self { config, digest, trainer }
    }

    fn read(&self, bytes: &[u8]) -> Result<Snapshot, wug::ModelFileError> {
        Snapshot::from_bytes(bytes, "fuzz", self.trainer.model(), &self.config, &self.digest)
    }

    fn write(&self, snapshot: &Snapshot) -> Vec<u8> {
        snapshot.to_bytes(self.trainer.model(), &self.config, &self.digest).unwrap()
    }

    /// The state after more steps.
    fn after(&mut self, steps: u64) -> Snapshot {
        (0..steps).for_each(|_| drop(self.trainer.step()));
        let mut snapshot = self.trainer.snapshot();
        snapshot.progress.chosen = snapshot.progress.step >= TRIAL;
        snapshot
    }

    fn run(&mut self, bytes: &[u8]) {
        let snapshot = match self.read(bytes) {
            Ok(snapshot) => snapshot,
            Err(error) => return assert!(!error.to_string().is_empty()),
        };
        assert_eq!(self.read(&self.write(&snapshot)).unwrap(), snapshot);
        let best = snapshot.best.clone();
        for state in std::iter::once(snapshot).chain(best.clone().map(|best| *best)) {
            if self.trainer.restore(state).is_err() {
                return;
            }
            for _ in 0..2 {
                // Forged numbers may go out of bounds, which is an error.
                if !self.trainer.is_done() && self.trainer.step().is_err() {
                    break;
                }
            }
            assert!(self.trainer.words_seen() <= 160);
            let mut after = self.after(0);
            after.best = best.clone().filter(|_| !after.progress.chosen && after.progress.start > 0);
            if let Ok(read) = self.read(&self.write(&after)) {
                assert_eq!(read, after);
            }
        }
    }
}

/// Runs the target.
pub fn run(bytes: &[u8]) {
    thread_local! {
        static TARGET: RefCell<Target> = RefCell::new(Target::new());
    }
    TARGET.with_borrow_mut(|target| target.run(&file_of(bytes)));
}

/// Whether this is a checkpoint of that run.
pub fn is_valid(bytes: &[u8]) -> bool {
    Target::new().read(&file_of(bytes)).is_ok()
}

/// A checkpoint of that run after some steps, to begin a corpus with.
pub fn seed(steps: u64) -> Vec<u8> {
    let mut target = Target::new();
    let snapshot = target.after(steps);
    target.write(&snapshot)
}

/// A checkpoint from the trial of the second start.
pub fn second_start() -> Vec<u8> {
    let mut target = Target::new();
    let mut snapshot = target.after(TRIAL - 1);
    snapshot.progress.start = 1;
    snapshot.best = Some(Box::new(target.after(1)));
    target.write(&snapshot)
}
