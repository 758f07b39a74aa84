//! Configurations by name: our own for three sizes of states, and the rows of the paper's tables.

use thiserror::Error;

use crate::Config;
use crate::suggest::{in_brackets, nearest_name};

/// Our own, as changes to the default. Larger states want deeper networks and a smaller rate.
const OWN: &[(&str, &[&str])] = &[
    ("default", &[]),
    ("default-d16", &["state=16", "encoder=32", "embedding=16", "generative.hidden=[64, 64]", "rate=0.002"]),
    ("default-d32", &["state=32", "encoder=32", "embedding=16", "generative.hidden=[64, 64]", "rate=0.0015"]),
];

/// What the paper's rows of its own model have in common and the default has not: F_q is a flow of its own, and q sees states that the
/// generative model could reach, not the one it came from.
const STATE_SPACE: &[&str] = &["inference.flow=diag", "condition=data", "peek=true"];
const BASELINE: &[&str] = &["kind=gru"];

/// Each row of the paper's tables as changes to the default, of which these are common to several. All have one start, the same sizes of
/// networks, and see the same number of words.
const ROWS: &[(&str, &[&str], &[&str])] = &[
    ("tril", STATE_SPACE, &["generative.flow=tril", "particles=1", "peek=false"]),
    ("tril-k2", STATE_SPACE, &["generative.flow=tril", "particles=2"]),
    ("tril-k5", STATE_SPACE, &["generative.flow=tril", "particles=5"]),
    ("tril-k10", STATE_SPACE, &["generative.flow=tril", "particles=10"]),
    ("2xtril", STATE_SPACE, &["particles=1", "peek=false"]),
    ("2xtril-k2", STATE_SPACE, &["particles=2"]),
    ("2xtril-k5", STATE_SPACE, &["particles=5"]),
    ("2xtril-k10", STATE_SPACE, &["particles=10"]),
    ("2xtril-k10-bidi", STATE_SPACE, &["particles=10", "bidi=true"]),
    ("2xtril-k10-d16", STATE_SPACE, &["particles=10", "state=16"]),
    ("2xtril-k10-d32", STATE_SPACE, &["particles=10", "state=32", "rate=0.0015"]),
    ("nvp", STATE_SPACE, &["generative.flow=nvp", "particles=1", "peek=false"]),
    ("gru-8d", BASELINE, &[]),
    ("gru-16d", BASELINE, &["state=16"]),
    ("gru-32d", BASELINE, &["state=32"]),
];
const ONE_START: &str = "starts=1";

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
        OWN.iter().map(|own| own.0).chain(ROWS.iter().map(|row| row.0))
    }

    /// A configuration by name.
    ///
    /// # Errors
    /// When there is no preset of that name.
    pub fn preset(name: &str) -> Result<Self, UnknownPreset> {
        let unknown = || UnknownPreset { name: name.to_owned() };
        let own = OWN.iter().find(|own| own.0 == name).map(|own| own.1.to_vec());
        let row = || ROWS.iter().find(|row| row.0 == name).map(|row| [row.1, row.2, &[ONE_START]].concat());
        let changes = own.or_else(row).ok_or_else(unknown)?;
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
            Config::preset("tril-k3")
                .unwrap_err()
                .to_string()
                .contains("there are default, default-d16, default-d32, tril, tril-k2")
        );
    }

    #[test]
    fn presets_differ() {
        let all: Vec<Config> = Config::presets().filter_map(|name| Config::preset(name).ok()).collect();
        let distinct = all.iter().enumerate().filter(|(i, config)| !all[..*i].contains(config)).count();
        assert_eq!(distinct, Config::presets().count());
    }
}
