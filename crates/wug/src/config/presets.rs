//! Configurations by name: the default, and the rows that `wug reproduce` runs.

use super::{Config, DataConfig};
use crate::suggest::UnknownName;

/// The name of the default configuration.
const DEFAULT: &str = "default";

/// What all rows of `wug reproduce` have in common. It is written out in full, so that no row changes when a default does.
const COMMON: &str = r#"
data.split = "tokens"
data.weighting = "tokens"
model.kind = "state-space"
model.state = 8
model.generative = { flow = "2xtril", hidden = [64], choice_hidden = [128], direction = "forward", delta = 0.1 }
model.inference.flow = "shared"
model.inference.flow_hidden = [64]
model.inference.direction = "forward"
model.inference.delta = 0.1
model.inference.embedding = 8
model.inference.encoder = 16
model.inference.bidi = false
model.inference.condition = "data+state"
model.inference.hidden = [64]
model.bound = { particles = 10, peek = false, resampling = "one" }
train.words = 24_000_000
train.batch = 128
train.learning_rate = 0.003
train.warmup_steps = 200
train.final_learning_rate = 0.0
train.clip_norm = 5.0
train.ema_decay = 0.999
train.dropout = 0.0
train.weight_decay = 0.0
train.patience = 0
"#;

/// The paper's Table 1. The paper does not state F_q; its rows with one sample have the figures of the DIAG column of Table 3.
const TABLE1: &[&str] = &["inference.flow=diag", "condition=data", "peek=true"];
/// The paper's Table 3: one sample.
const TABLE3: &[&str] = &["condition=data", "particles=1"];
/// A state of this size wants a smaller learning rate, a second layer in F_g, and a q that has read and sees more, as in Algorithm 1:
/// docs/experiments/0003-larger-states.md.
const D32: &[&str] = &[
    "state=32",
    "learning_rate=0.0015",
    "generative.hidden=[64, 64]",
    "encoder=64",
    "inference.hidden=[128]",
    "condition=data+state",
];
const BASELINE: &[&str] = &["kind=gru"];
/// Not in the paper: F_q is F_g itself, and q sees the state.
const SHARED: &[&str] = &[];
/// Not in the paper: the choice flow, and its teacher-forced counterpart.
const CHOICE: &[&str] = &["kind=choice", "generative.hidden=[128, 128]", "words=8000000", "batch=256"];

/// Each row as changes to what all have in common, of which the first are those of its kind.
const ROWS: &[(&str, &[&str], &[&str])] = &[
    ("tril", TABLE1, &["generative.flow=tril", "particles=1", "peek=false"]),
    ("tril-k2", TABLE1, &["generative.flow=tril", "particles=2"]),
    ("tril-k5", TABLE1, &["generative.flow=tril", "particles=5"]),
    ("tril-k10", TABLE1, &["generative.flow=tril"]),
    ("2xtril", TABLE1, &["particles=1", "peek=false"]),
    ("2xtril-k2", TABLE1, &["particles=2"]),
    ("2xtril-k5", TABLE1, &["particles=5"]),
    ("2xtril-k10", TABLE1, &[]),
    ("2xtril-k10-bidi", TABLE1, &["bidi=true"]),
    ("2xtril-k10-d16", TABLE1, &["state=16"]),
    ("2xtril-k10-d32", TABLE1, D32),
    // The paper states neither F_q nor K, so they are those of `tril`.
    ("nvp", TABLE1, &["generative.flow=nvp", "particles=1", "peek=false"]),
    ("gru-8d", BASELINE, &[]),
    ("gru-16d", BASELINE, &["state=16"]),
    ("gru-32d", BASELINE, &["state=32"]),
    ("id-id", TABLE3, &["generative.flow=id", "inference.flow=id"]),
    ("id-diag", TABLE3, &["generative.flow=id", "inference.flow=diag"]),
    ("id-tril", TABLE3, &["generative.flow=id", "inference.flow=tril"]),
    ("id-2xtril", TABLE3, &["generative.flow=id", "inference.flow=2xtril"]),
    ("diag-id", TABLE3, &["generative.flow=diag", "inference.flow=id"]),
    ("diag-diag", TABLE3, &["generative.flow=diag", "inference.flow=diag"]),
    ("diag-tril", TABLE3, &["generative.flow=diag", "inference.flow=tril"]),
    ("diag-2xtril", TABLE3, &["generative.flow=diag", "inference.flow=2xtril"]),
    ("tril-id", TABLE3, &["generative.flow=tril", "inference.flow=id"]),
    ("tril-tril", TABLE3, &["generative.flow=tril", "inference.flow=tril"]),
    ("tril-2xtril", TABLE3, &["generative.flow=tril", "inference.flow=2xtril"]),
    ("2xtril-id", TABLE3, &["inference.flow=id"]),
    ("2xtril-tril", TABLE3, &["inference.flow=tril"]),
    ("2xtril-2xtril", TABLE3, &["inference.flow=2xtril"]),
    ("shared-d8", SHARED, &[]),
    ("shared-d16", SHARED, &["state=16", "encoder=32", "embedding=16"]),
    ("shared-d32", SHARED, &["state=32", "encoder=32", "embedding=16", "learning_rate=0.0015"]),
    ("choice-d8", CHOICE, &["state=8", "generative.hidden=[64, 64]", "choice_hidden=[64]"]),
    ("choice-d16", CHOICE, &["state=16", "generative.hidden=[64, 64]", "choice_hidden=[64]"]),
    ("choice-d32", CHOICE, &["state=32"]),
    // A larger memory wants a smaller learning rate: docs/experiments/0004-choice-flow.md.
    ("choice-d64", CHOICE, &["state=64", "learning_rate=0.002"]),
    ("teacher-forced-d32", CHOICE, &["state=32", "kind=teacher-forced"]),
    ("gru-64d", BASELINE, &["state=64"]),
    // As many parameters as choice-d8, choice-d16, choice-d32 and choice-d64, to 1 %.
    ("gru-40d", BASELINE, &["state=40"]),
    ("gru-44d", BASELINE, &["state=44"]),
    ("gru-81d", BASELINE, &["state=81"]),
    ("gru-97d", BASELINE, &["state=97"]),
];

impl Config {
    /// The names of all presets.
    pub fn presets() -> impl Iterator<Item = &'static str> {
        std::iter::once(DEFAULT).chain(ROWS.iter().map(|row| row.0))
    }

    /// A configuration by name.
    ///
    /// # Errors
    /// When there is no preset of that name.
    pub fn preset(name: &str) -> Result<Self, UnknownName> {
        let unknown = || UnknownName::new("preset", name, Config::presets());
        let mut default = Config::default();
        DataConfig::BUNDLED.clone_into(&mut default.data.lexicon);
        if name == DEFAULT {
            return Ok(default);
        }
        let (_, kind, own) = ROWS.iter().find(|row| row.0 == name).ok_or_else(unknown)?;
        let common = default.with_toml(COMMON).map_err(|_| unknown())?;
        common.with_overrides(&[*kind, *own].concat()).map_err(|_| unknown())
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
        let preset = Config::preset("default").unwrap();
        assert_eq!(Config { data: DataConfig::default(), ..preset }, Config::default());
        let unknown = Config::preset("tril-k3").unwrap_err().to_string();
        assert!(unknown.contains("there are default, tril, tril-k2"), "{unknown}");
    }

    /// The choice flow is measured beside GRUs of as many parameters.
    #[test]
    fn baselines_have_as_many_parameters() {
        let parameters = |name: &str| {
            let model = crate::model::Model::new(&Config::preset(name).unwrap().model, 27).unwrap();
            model.params().len() as f64
        };
        for (choice, gru) in [
            ("choice-d8", "gru-40d"),
            ("choice-d16", "gru-44d"),
            ("choice-d32", "gru-81d"),
            ("choice-d64", "gru-97d"),
        ] {
            let ratio = parameters(gru) / parameters(choice);
            assert!((ratio - 1.0).abs() < 0.01, "{choice}, {gru}: {ratio}");
        }
    }

    #[test]
    fn rows_differ() {
        let rows = || ROWS.iter().map(|row| row.0);
        let all: Vec<Config> = rows().filter_map(|name| Config::preset(name).ok()).collect();
        let distinct = all.iter().enumerate().filter(|(i, config)| !all[..*i].contains(config)).count();
        assert_eq!(distinct, rows().count());
    }
}
