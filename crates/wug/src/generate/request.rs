//! What words to make, as data, and what it means for a model: nothing is drawn or read here.

use std::ops::RangeInclusive;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::SampleError;
use super::automaton::Automaton;
use super::classes::Classes;
use super::constraint::{Constraint, keywords};
use super::draw_settings::MAX_LETTERS;
use super::symbol_weights::SymbolChoice;
use super::words::Few;
use crate::lexicon::{Alphabet, KnownWords, Symbol};
use crate::model::Model;

/// Scales of the noise that are possible.
pub const NOISE: RangeInclusive<f32> = 0.0..=10.0;
/// Temperatures that are possible; the limit of zero is [`WordRequest::argmax`].
pub const TEMPERATURE: RangeInclusive<f32> = 0.01..=100.0;
/// Distances from a word that are possible.
pub const DISTANCE: RangeInclusive<f32> = 0.0..=1.0;
/// Tries in a row without a word that fits, after which the making is given up.
pub const MAX_TRIES: u64 = 1_000_000;

/// The most words that are listed to see whether there are any new ones among them.
const MAX_LISTED: usize = 200;

/// What words to make.
///
/// Words that meet constraints are distributed as the model's words given the constraints. The order of constraints and fields means
/// nothing: equal requests give the same words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WordRequest {
    /// The seed. The first ten of a thousand words are those that one gets when asking for ten.
    pub seed: u64,
    /// Conditions that words must meet; in JSON, values by their [`KEYWORDS`](super::KEYWORDS).
    #[serde(with = "keywords")]
    pub constraints: Vec<Constraint>,
    /// Classes of letters that patterns can name, beside `V` and `C`.
    pub classes: Classes,
    /// Whether words are neither in the model's training list nor otherwise known in its language.
    pub novel: bool,
    /// Lists whose words are excluded: files, languages or Hunspell dictionaries.
    pub exclude: Vec<String>,
    /// Whether words begin with a capital letter, as those of a model of names in title case do anyhow.
    pub capital: bool,
    /// Whether no word comes twice.
    pub unique: bool,
    /// Tries in a row without a word that fits, after which the making is given up.
    pub max_tries: u64,
    /// Scale of the noise that moves the states: less is more usual, more is stranger. Not for exact models, whose noise only picks
    /// letters.
    pub noise: f32,
    /// Temperature of the letters given a state: less is more usual, more is stranger.
    pub temperature: f32,
    /// Whether to take the most probable letter of every state, the limit of temperature zero. Not for exact models, whose noise picks
    /// the letters.
    pub argmax: bool,
    /// A word that the others are near to: they come from the noise that it may have come from, of which fresh noise replaces a share.
    pub like: Option<String>,
    /// That share: at 0 they are the word itself, at 1 they know nothing of it.
    pub distance: f32,
    /// With how many of its letters they begin.
    pub keep: usize,
}

impl Default for WordRequest {
    fn default() -> Self {
        Self {
            seed: 1,
            constraints: Vec::new(),
            classes: Classes::default(),
            novel: false,
            exclude: Vec::new(),
            capital: false,
            unique: false,
            max_tries: MAX_TRIES,
            noise: 1.0,
            temperature: 1.0,
            argmax: false,
            like: None,
            distance: 0.05,
            keep: 0,
        }
    }
}

/// A request, settled for a model.
pub(super) struct Settled {
    /// In the order of their keywords, with the letters that are kept.
    pub(super) constraints: Vec<Constraint>,
    /// What they accept, of words that have a letter; none if there are no constraints.
    pub(super) automaton: Option<Automaton>,
    pub(super) choice: SymbolChoice,
    /// The word that the others are near to, with its end.
    pub(super) like: Option<Vec<Symbol>>,
    /// How many words can come out, if they are few: then it is known when there are no more.
    pub(super) few: Option<Few>,
}

impl WordRequest {
    /// The same for names, which have 4 to 10 letters unless another length is asked for.
    pub fn for_names(mut self) -> Self {
        let has = |all: &[Constraint], kind: fn(&Constraint) -> bool| all.iter().any(kind);
        let is_length = |constraint: &Constraint| matches!(constraint, Constraint::Length { .. });
        if has(&self.constraints, is_length) {
            return self;
        }
        if !has(&self.constraints, |constraint| matches!(constraint, Constraint::AtLeast(_))) {
            self.constraints.push(Constraint::AtLeast(4));
        }
        if !has(&self.constraints, |constraint| matches!(constraint, Constraint::AtMost(_))) {
            self.constraints.push(Constraint::AtMost(10));
        }
        self
    }

    /// What it means for a model; words of the lists are excluded.
    pub(super) fn settle(
        &self,
        model: &Model,
        alphabet: &Alphabet,
        excluded: &[Arc<dyn KnownWords>],
    ) -> Result<Settled, SampleError> {
        self.check(model)?;
        let choice = match self.temperature {
            _ if self.argmax => SymbolChoice::Argmax,
            1.0 => SymbolChoice::Sampled,
            temperature => SymbolChoice::Tempered(temperature),
        };
        let like: Option<Vec<Symbol>> =
            self.like.as_ref().map(|word| alphabet.spell(word, 1..=MAX_LETTERS)).transpose()?;
        let mut constraints = self.constraints.clone();
        for constraint in &mut constraints {
            if let Constraint::Prefix(letters) | Constraint::Suffix(letters) = constraint {
                *letters = alphabet.fold(letters).into_owned();
            }
        }
        if let Some((word, symbols)) = self.like.as_ref().zip(like.as_ref()) {
            let letters = symbols.len() - 1;
            if self.keep > letters {
                return Err(SampleError::Keep { keep: self.keep, word: word.clone(), letters });
            }
            if self.keep > 0 {
                constraints.push(Constraint::Prefix(alphabet.decode(&symbols[..self.keep])));
            }
        }
        constraints.sort_by_key(Constraint::rank);
        let automaton = (!constraints.is_empty())
            .then(|| {
                let mut all = constraints.clone();
                if !all.iter().any(|constraint| matches!(constraint, Constraint::AtLeast(_))) {
                    all.push(Constraint::AtLeast(1));
                }
                Automaton::new(alphabet, &self.classes, &all, MAX_LETTERS)
            })
            .transpose()?;
        // At distance 0 only the word itself can come out.
        let is_itself = self.distance == 0.0 && self.noise == 1.0 && !self.argmax;
        let only = like.as_ref().filter(|_| is_itself).map(|symbols| symbols[..symbols.len() - 1].to_vec());
        let few = few(only, automaton.as_ref(), |letters| {
            let word = alphabet.decode(letters);
            excluded.iter().any(|known| known.has(&word))
        });
        Ok(Settled { constraints, automaton, choice, like, few })
    }

    fn check(&self, model: &Model) -> Result<(), SampleError> {
        let check = |parameter, found: f32, range: RangeInclusive<f32>| {
            let (least, most) = (*range.start(), *range.end());
            if range.contains(&found) {
                Ok(())
            } else {
                Err(SampleError::Parameter { parameter, found, least, most })
            }
        };
        check("the scale of the noise", self.noise, NOISE)?;
        check("the temperature", self.temperature, TEMPERATURE)?;
        check("the distance", self.distance, DISTANCE)?;
        let picks_symbols = model.noise().picks_symbols;
        if self.noise != 1.0 && picks_symbols {
            return Err(SampleError::NothingToScale);
        }
        if self.argmax && picks_symbols {
            return Err(SampleError::NothingToMaximise);
        }
        Ok(())
    }
}

fn few(
    only: Option<Vec<Symbol>>,
    automaton: Option<&Automaton>,
    is_known: impl Fn(&[Symbol]) -> bool,
) -> Option<Few> {
    let accepted = match (only, automaton) {
        (Some(word), Some(automaton)) if !automaton.accepts(&word) => Vec::new(),
        (Some(word), _) => vec![word],
        (None, automaton) => automaton?.list(MAX_LISTED, |_, _| true)?,
    };
    let known = accepted.iter().filter(|letters| is_known(letters)).count() as u64;
    Some(Few { new: accepted.len() as u64 - known, known })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_written_and_read() {
        let json = r#"{"seed": 3, "constraints": {"syllables": "1-2", "pattern": ["*a*", "K*"], "max_length": 7},
            "classes": [["K", "ptk"]], "novel": true, "like": "winter", "keep": 2}"#;
        let request: WordRequest = serde_json::from_str(json).unwrap();
        assert_eq!(request.constraints.len(), 4);
        let written = serde_json::to_string(&request).unwrap();
        assert_eq!(serde_json::from_str::<WordRequest>(&written).unwrap(), request);
        for (wrong, expected) in [
            (r#"{"constraints": {"colour": "red"}}"#, "there is no such constraint"),
            (r#"{"constraints": {"max_length": 0}}"#, "max-length `0`: expected 1 to 100"),
            (r#"{"classes": [["KK", "ptk"]]}"#, "the name of a class is one letter"),
            (r#"{"sed": 1}"#, "unknown field `sed`"),
        ] {
            let error = serde_json::from_str::<WordRequest>(wrong).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
