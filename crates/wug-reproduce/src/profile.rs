//! How long to train and how hard to measure: the files in `profiles/`.

use serde::{Deserialize, Serialize};
use wug::evaluate::Settings;

use crate::{Error, Result};

/// The settings that all runs of a reproduction share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Runs of each row, with the seeds 1, 2, …; none for the rows' own numbers.
    pub seeds: Option<u64>,
    /// Words that each run sees: the same for all, so that rows can be compared.
    pub words: u64,
    /// How hard to measure.
    pub evaluation: Effort,
}

/// How hard to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effort {
    /// Shared trajectories, K.
    pub trajectories: u64,
    /// Particles for each word of the particle filter.
    pub particles: usize,
    /// Words drawn from each part for the particle filter.
    pub draws: usize,
}

impl Effort {
    /// The same for the evaluation, on some threads. The seed is the same for all runs, so that all models are measured
    /// on the same draws.
    pub fn settings(self, threads: usize) -> Settings {
        let Self { trajectories, particles, draws } = self;
        Settings { trajectories, particles, draws, threads, ..Settings::default() }
    }
}

impl Profile {
    /// The profiles that come with the program: names and contents.
    pub const BUNDLED: [(&str, &str); 2] =
        [("quick", include_str!("../profiles/quick.toml")), ("full", include_str!("../profiles/full.toml"))];

    /// Reads a profile.
    ///
    /// # Errors
    /// When a key is missing or unknown, or a number is out of its range.
    pub fn from_toml(text: &str) -> Result<Self> {
        let profile: Self = toml::from_str(text)?;
        let Self { seeds, words, evaluation: Effort { trajectories, particles, draws } } = profile;
        let numbers = [
            ("seeds", seeds.unwrap_or(1)),
            ("words", words),
            ("evaluation.trajectories", trajectories),
            ("evaluation.particles", particles as u64),
            ("evaluation.draws", draws as u64),
        ];
        match numbers.into_iter().find(|(_, number)| *number == 0) {
            Some((key, _)) => Err(Error::Zero(key)),
            None => Ok(profile),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundled_profiles_can_be_read() {
        let [quick, full] = Profile::BUNDLED.map(|(_, text)| Profile::from_toml(text).unwrap());
        assert_eq!((quick.seeds, full.seeds), (Some(1), None));
        assert!(full.words >= 12_000_000 && quick.words < full.words);
    }

    #[test]
    fn mistakes_are_named() {
        let (_, quick) = Profile::BUNDLED[0];
        let zero = quick.replace("seeds = 1", "seeds = 0");
        assert_eq!(Profile::from_toml(&zero).unwrap_err().to_string(), "`seeds = 0`: expected at least 1");
        let unknown = format!("{quick}\nspeed = 3");
        assert!(Profile::from_toml(&unknown).unwrap_err().to_string().contains("speed"));
    }
}
