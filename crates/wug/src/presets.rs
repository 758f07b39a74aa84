//! Configurations by name: the default, and the rows of the paper's tables.

use thiserror::Error;

use crate::Config;
use crate::suggest::{in_brackets, nearest_name};

const DEFAULT: &str = "default";
const BASELINE: &str = "kind=gru";
/// The paper's runs have one start.
const ONE_START: &str = "starts=1";

/// What the paper's rows of its own model have in common and the default has not: F_q is a flow of its own, and q sees states that the
/// generative model could reach, not the one it came from.
const PAPER: &[&str] = &["inference.flow=diag", "condition=data", "peek=true"];

/// Each row of the paper's tables as changes to the default. All have the same sizes of networks and see the
/// same number of words.
const PRESETS: &[(&str, &[&str])] = &[
    (DEFAULT, &[]),
    ("tril", &["generative.flow=tril", "particles=1", "peek=false"]),
    ("tril-k2", &["generative.flow=tril", "particles=2"]),
    ("tril-k5", &["generative.flow=tril", "particles=5"]),
    ("tril-k10", &["generative.flow=tril", "particles=10"]),
    ("2xtril", &["particles=1", "peek=false"]),
    ("2xtril-k2", &["particles=2"]),
    ("2xtril-k5", &["particles=5"]),
    ("2xtril-k10", &["particles=10"]),
    ("2xtril-k10-bidi", &["particles=10", "bidi=true"]),
    ("2xtril-k10-d16", &["particles=10", "state=16"]),
    ("2xtril-k10-d32", &["particles=10", "state=32"]),
    ("nvp", &["generative.flow=nvp", "particles=1", "peek=false"]),
    ("gru-8d", &[BASELINE]),
    ("gru-16d", &[BASELINE, "state=16"]),
];

/// A name that is no preset.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "there is no preset `{name}`{}; there are {}",
    in_brackets(nearest_name(name, Config::presets())),
    Config::presets().collect::<Vec<_>>().join(", ")
)]
pub struct UnknownPreset {
    name: String,
}

impl Config {
    /// The names of all presets.
    pub fn presets() -> impl Iterator<Item = &'static str> {
        PRESETS.iter().map(|preset| preset.0)
    }

    /// A configuration by name.
    ///
    /// # Errors
    /// When there is no preset of that name.
    pub fn preset(name: &str) -> Result<Self, UnknownPreset> {
        let unknown = || UnknownPreset { name: name.to_owned() };
        let (_, changes) = PRESETS.iter().find(|preset| preset.0 == name).ok_or_else(unknown)?;
        let paper = if name == DEFAULT || changes.contains(&BASELINE) { &[] } else { PAPER };
        let one_start = (name != DEFAULT).then_some(&ONE_START);
        let changes: Vec<&str> = paper.iter().chain(*changes).chain(one_start).copied().collect();
        Config::default().with_overrides(&changes).map_err(|_| unknown())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_a_valid_configuration() {
        for name in Config::presets() {
            assert_eq!(Config::preset(name).map(|config| config.check()), Ok(Ok(())), "{name}");
        }
        assert_eq!(Config::preset("default"), Ok(Config::default()));
        assert!(
            Config::preset("tril-k3").unwrap_err().to_string().contains("there are default, tril, tril-k2")
        );
    }

    #[test]
    fn presets_differ() {
        let all: Vec<Config> = Config::presets().filter_map(|name| Config::preset(name).ok()).collect();
        let distinct = all.iter().enumerate().filter(|(i, config)| !all[..*i].contains(config)).count();
        assert_eq!(distinct, Config::presets().count());
    }
}
