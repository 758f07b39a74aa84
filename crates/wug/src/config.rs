//! The configuration of a training run: one TOML document with every default written out.
//!
//! Defaults stand in the `Default` implementations of the parts. A document or an override may set any of them;
//! a key that does not exist is an error that names the nearest one, and all values are checked before any work
//! begins.

mod data;
mod presets;
mod train;

use serde::{Deserialize, Serialize};
use strsim::levenshtein;
use thiserror::Error;
use toml::{Table, Value};

use crate::model::{ConfigError, Kind, ModelConfig};
use crate::parse_quantity;
use crate::suggest::{question, tolerance};
pub use data::DataConfig;
pub use train::TrainConfig;

/// Everything that a run depends on, beside the words themselves.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Which words.
    pub data: DataConfig,
    /// What is trained.
    pub model: ModelConfig,
    /// How.
    pub train: TrainConfig,
}

/// Why a document or an override is no configuration.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DocumentError {
    /// It is not TOML, or a value has the wrong type.
    #[error("{0}")]
    Syntax(String),
    /// A key that does not exist.
    #[error("there is no setting `{key}`{}", question(suggestion.as_deref()))]
    UnknownKey {
        /// What was found.
        key: String,
        /// The nearest one that exists.
        suggestion: Option<String>,
    },
    /// A short key that may mean several.
    #[error("`{key}` may mean {}; write one of these out", candidates.join(" or "))]
    AmbiguousKey {
        /// What was found.
        key: String,
        /// What it may mean.
        candidates: Vec<String>,
    },
    /// An override that is no `key=value`.
    #[error("`{0}` is not of the form key=value")]
    NotAnOverride(String),
    /// A value out of its range.
    #[error(transparent)]
    Value(#[from] ConfigError),
}

impl Config {
    /// Reads a document; what it does not set keeps its default.
    ///
    /// # Errors
    /// When the document is not TOML, has a key that does not exist, or a value that is out of its range.
    pub fn from_toml(text: &str) -> Result<Self, DocumentError> {
        Self::default().with_toml(text)
    }

    /// Reads a document over this configuration: what it does not set stays as it is.
    ///
    /// # Errors
    /// As for [`Config::from_toml`].
    pub fn with_toml(&self, text: &str) -> Result<Self, DocumentError> {
        let document: Table = text.parse().map_err(|error: toml::de::Error| syntax(&error))?;
        let mut keys = Vec::new();
        flatten(&document, "", &mut keys);
        let (known, mut table) = (Self::keys(), self.table()?);
        for (key, value) in &keys {
            if !known.contains(key) {
                return Err(unknown(key, &known));
            }
            insert(&mut table, key, value.clone());
        }
        imply(&mut table, keys.iter().map(|(key, _)| key.as_str()));
        let config: Self = table.try_into().map_err(|error| syntax(&error))?;
        config.check()?;
        Ok(config)
    }

    /// The whole configuration as a document.
    pub fn to_toml(&self) -> String {
        // Numbers that pass the check, strings and flags can always be written.
        toml::to_string(self).unwrap_or_default()
    }

    /// Applies overrides `key=value`. A key may be shortened to its last parts where that is unambiguous; a
    /// value is TOML, a string without quotes, or a whole number as in `words=1.5M`.
    ///
    /// # Errors
    /// When a key does not exist or a value does not fit it.
    pub fn with_overrides<S: AsRef<str>>(&self, overrides: &[S]) -> Result<Self, DocumentError> {
        let mut table = self.table()?;
        let known = Self::keys();
        let mut settings = Vec::new();
        for text in overrides.iter().map(AsRef::as_ref) {
            let (key, value) =
                text.split_once('=').ok_or_else(|| DocumentError::NotAnOverride(text.to_owned()))?;
            settings.push((resolve(key.trim(), &known)?, value.trim()));
        }
        for (key, value) in &settings {
            let value = parse_value(value, get(&table, key));
            insert(&mut table, key, value);
        }
        imply(&mut table, settings.iter().map(|(key, _)| key.as_str()));
        let config: Self = table.try_into().map_err(|error| syntax(&error))?;
        config.check()?;
        Ok(config)
    }

    /// The settings that are not the defaults, as overrides `key=value`.
    ///
    /// # Errors
    /// When a value is out of its range.
    pub fn changes(&self) -> Result<Vec<String>, DocumentError> {
        let (mut own, mut defaults) = (Vec::new(), Vec::new());
        flatten(&self.table()?, "", &mut own);
        flatten(&Self::default().table()?, "", &mut defaults);
        let flow_changes = own.iter().any(|setting| setting.0 == FLOW && !defaults.contains(setting));
        // What a transition implies is said.
        own.retain(|setting| !defaults.contains(setting) || (setting.0 == KIND && flow_changes));
        Ok(own.into_iter().map(|(key, value)| format!("{key}={value}")).collect())
    }

    /// Checks all values.
    ///
    /// # Errors
    /// The first setting that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.data.check()?;
        self.model.check()?;
        self.train.check()
    }

    /// Its values. TOML has no numbers beyond 2⁶³, which a check refuses.
    fn table(&self) -> Result<Table, DocumentError> {
        self.check()?;
        Table::try_from(self).map_err(|error| DocumentError::Syntax(error.to_string()))
    }

    /// All keys, with dots.
    fn keys() -> Vec<String> {
        let mut keys = Vec::new();
        flatten(&Self::default().table().unwrap_or_default(), "", &mut keys);
        keys.into_iter().map(|(key, _)| key).collect()
    }
}

/// Refuses numbers beyond TOML's range.
pub(crate) fn within_toml(key: &str, found: u64) -> Result<(), ConfigError> {
    if found > i64::MAX as u64 {
        let expected = format!("expected at most {}", i64::MAX);
        return Err(ConfigError { key: key.into(), found: found.to_string(), expected });
    }
    Ok(())
}

fn syntax(error: &toml::de::Error) -> DocumentError {
    DocumentError::Syntax(error.to_string().trim_end().to_owned())
}

/// All values of a table by their keys with dots.
fn flatten(table: &Table, prefix: &str, keys: &mut Vec<(String, Value)>) {
    for (key, value) in table {
        let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            Value::Table(inner) => flatten(inner, &key, keys),
            other => keys.push((key, other.clone())),
        }
    }
}

/// The settings of the kind of model, of its transition, and of what only exact models have.
const KIND: &str = "model.kind";
const FLOW: &str = "model.generative.flow";
const COUNTS: &str = "model.counts.order";
const NETWORKS: &str = "model.networks";

/// What settings imply for those that are not given. Only the paper's model has a transition F_g, so to choose one is to choose that model; and that
/// model has one network and goes without counts.
fn imply<'a>(table: &mut Table, keys: impl Iterator<Item = &'a str> + Clone) {
    let is_given = |key| keys.clone().any(|given| given == key);
    let Ok(state_space) = Value::try_from(Kind::StateSpace) else { return };
    if is_given(FLOW) && !is_given(KIND) {
        insert(table, KIND, state_space.clone());
    }
    if get(table, KIND) == Some(&state_space) {
        for (key, value) in [(COUNTS, 0), (NETWORKS, 1)].into_iter().filter(|(key, _)| !is_given(key)) {
            insert(table, key, Value::Integer(value));
        }
    }
}

/// The value of an override for a setting that has a value of that kind.
fn parse_value(text: &str, current: Option<&Value>) -> Value {
    let parsed = format!("x = {text}").parse::<Table>().ok().and_then(|mut table| table.remove("x"));
    let quantity = || parse_quantity(text).ok().and_then(|number| i64::try_from(number).ok());
    match (parsed, current) {
        (Some(number @ Value::Integer(_)), _) => Some(number),
        (parsed, Some(Value::Integer(_))) => quantity().map(Value::Integer).or(parsed),
        (parsed, _) => parsed,
    }
    .unwrap_or_else(|| Value::String(text.to_owned()))
}

/// A value by its key with dots.
fn get<'a>(table: &'a Table, key: &str) -> Option<&'a Value> {
    match key.split_once('.') {
        Some((head, rest)) => get(table.get(head)?.as_table()?, rest),
        None => table.get(key),
    }
}

/// Sets a value by its key with dots.
fn insert(table: &mut Table, key: &str, value: Value) {
    match key.split_once('.') {
        Some((head, rest)) => {
            if let Some(Value::Table(inner)) = table.get_mut(head) {
                insert(inner, rest, value);
            }
        }
        None => {
            table.insert(key.to_owned(), value);
        }
    }
}

/// The full key for one that may be shortened.
fn resolve(key: &str, known: &[String]) -> Result<String, DocumentError> {
    if known.iter().any(|full| full == key) {
        return Ok(key.to_owned());
    }
    let ending = format!(".{key}");
    let candidates: Vec<String> = known.iter().filter(|full| full.ends_with(&ending)).cloned().collect();
    match candidates.len() {
        0 => Err(unknown(key, known)),
        1 => Ok(candidates.into_iter().next().unwrap_or_default()),
        _ => Err(DocumentError::AmbiguousKey { key: key.to_owned(), candidates }),
    }
}

/// The longest key that is compared with those there are, in bytes: a document from a stranger may have one of any length.
const MAX_COMPARED: usize = 100;

fn unknown(key: &str, known: &[String]) -> DocumentError {
    if key.len() > MAX_COMPARED {
        let beginning = key.chars().take(MAX_COMPARED / 4).collect::<String>();
        return DocumentError::UnknownKey { key: beginning + "…", suggestion: None };
    }
    let last = |full: &str| full.rsplit('.').next().unwrap_or(full).to_owned();
    let distance = |full: &String| levenshtein(key, full).min(levenshtein(&last(key), &last(full)));
    let nearest = known.iter().min_by_key(|full| distance(full));
    let suggestion = nearest.filter(|full| distance(full) <= tolerance(&last(key))).cloned();
    DocumentError::UnknownKey { key: key.to_owned(), suggestion }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_survive_being_written_and_read() {
        let config = Config::default();
        assert_eq!(Config::from_toml(&config.to_toml()), Ok(config.clone()));
        assert_eq!(Config::from_toml(""), Ok(config));
    }

    #[test]
    fn a_document_sets_what_it_names() {
        let config = Config::from_toml("[model.bound]\nparticles = 5\n[train]\nseed = 9").unwrap();
        assert_eq!(config.model.bound.particles, 5);
        assert_eq!(config.train.seed, 9);
        assert_eq!(config.model.state, ModelConfig::default().state);
    }

    #[test]
    fn overrides_take_short_keys_and_bare_strings() {
        let config = Config::default()
            .with_overrides(&["particles=2", "generative.flow=3xtril", "inference.hidden=[32, 16]"])
            .unwrap();
        assert_eq!(config.model.bound.particles, 2);
        assert_eq!(config.model.generative.flow.to_string(), "3xtril");
        assert_eq!(config.model.inference.hidden, [32, 16]);
    }

    #[test]
    fn a_transition_is_that_of_the_state_space_model() {
        let kind = |overrides: &[&str]| Config::default().with_overrides(overrides).unwrap().model.kind;
        assert_eq!(kind(&["generative.flow=tril"]), Kind::StateSpace);
        assert_eq!(kind(&["particles=3"]), Kind::Choice);
        assert_eq!(kind(&["kind=gru", "generative.flow=tril"]), Kind::Gru);
        assert_eq!(
            Config::from_toml("[model.generative]\nflow = \"id\"").unwrap().model.kind,
            Kind::StateSpace
        );
    }

    #[test]
    fn overrides_of_whole_numbers_take_factors() {
        let words = |value: &str| {
            Config::default().with_overrides(&[format!("words={value}")]).map(|config| config.train.words)
        };
        for (value, expected) in [("500k", 500_000), ("1.5M", 1_500_000), ("2e6", 2_000_000), ("7", 7)] {
            assert_eq!(words(value), Ok(expected), "{value}");
        }
        for value in ["1.9", "500q", "\"500k\"", "-1"] {
            assert!(words(value).is_err(), "{value}");
        }
        // A path stays a path.
        let config = Config::default().with_overrides(&["lexicon=500k"]).unwrap();
        assert_eq!(config.data.lexicon, "500k");
    }

    #[test]
    fn changes_lead_from_the_defaults_to_the_configuration() {
        assert_eq!(Config::default().changes(), Ok(Vec::new()));
        let changes = [
            "data.lexicon=\"names.txt\"",
            "model.generative.flow=\"3xtril\"",
            "model.inference.hidden=[32, 16]",
            "model.kind=\"state-space\"",
        ];
        let config = Config::default().with_overrides(&changes).unwrap();
        assert_eq!(config.changes().unwrap(), changes);
        let unused = Config::default().with_overrides(&["kind=choice", "generative.flow=id"]).unwrap();
        assert_eq!(Config::default().with_overrides(&unused.changes().unwrap()), Ok(unused));
    }

    #[test]
    fn mistakes_say_what_to_do() {
        let message = |text: &str| Config::default().with_overrides(&[text]).unwrap_err().to_string();
        assert_eq!(
            message("partciles=3"),
            "there is no setting `partciles`; did you mean `model.bound.particles`?"
        );
        assert_eq!(
            message("hidden=[3]"),
            "`hidden` may mean model.counts.hidden or model.generative.hidden or model.inference.hidden; write one of these out"
        );
        assert_eq!(message("particles"), "`particles` is not of the form key=value");
        assert_eq!(message("state=0"), "`state = 0`: expected 1 to 4096");
        assert!(
            message("generative.flow=qubic").contains("`qubic` is no flow"),
            "{}",
            message("generative.flow=qubic")
        );
        assert!(message("generative.flow=2xtirl").contains("`2xtirl` is no flow (did you mean `2xtril`?)"));
        assert!(message("particles=many").contains("many"));
        let error = Config::from_toml("[model.bound]\nparticle = 5").unwrap_err().to_string();
        assert_eq!(
            error,
            "there is no setting `model.bound.particle`; did you mean `model.bound.particles`?"
        );
        assert!(Config::from_toml("[model").unwrap_err().to_string().contains("line 1"));
    }

    /// They would be lost on the way through TOML, and everything else with them.
    #[test]
    fn numbers_that_toml_has_not_are_refused() {
        let mut config = Config::default();
        config.train.seed = 1 << 63;
        let error = config.with_overrides(&["state=3"]).unwrap_err().to_string();
        assert!(error.starts_with("`train.seed = 9223372036854775808`: expected at most"), "{error}");
        let mut config = Config::default();
        config.data.min_length = usize::MAX;
        assert!(config.check().is_err());
    }

    #[test]
    fn lengths_must_leave_room() {
        let error = Config::from_toml("[data]\nmin_length = 5\nmax_length = 3").unwrap_err().to_string();
        assert_eq!(error, "`data.max_length = 3`: expected at least data.min_length, or 0 for no limit");
        assert!(Config::from_toml("[data]\nmin_length = 5\nmax_length = 0").is_ok());
    }
}
