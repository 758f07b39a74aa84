//! Words for keys: the same key always gets the same word.
//!
//! A key's word is a function of the model, the constraints and the key: the key's hash is the seed that the word is drawn with. So it follows the
//! model's distribution given the constraints, and two keys get the same word as often as two draws do.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::SampleError;
use super::automaton::Automaton;
use super::block;
use super::classes::Classes;
use super::constraint::Constraint;
use super::draw_settings::DrawSettings;
use super::source::WordSource;
use super::steps::{LANES, Steps};
use super::words::{GaveUp, Hardest};
use crate::Result;
use crate::lexicon::{Alphabet, KnownWords};
use crate::model::Fitted;

/// The version of the way from keys to words. It changes if the same key would get another word.
pub const NAME_VERSION: u32 = 1;

/// Blocks that are tried for a key before its word is made by a population of particles.
const BLOCKS: u64 = 64;

/// Blocks that are tried to tell how often keys share a word, at most and at a time.
const SPACE_BLOCKS: u64 = 8192;
const SPACE_STEP: u64 = 64;
/// Keys that are tried where blocks hold hardly any word that fits.
const RARE_KEYS: usize = 100;

/// Gives keys their words, by [`WordBuilder::names`](super::WordBuilder::names).
pub struct Names<'m> {
    pub(super) fitted: Fitted<'m>,
    pub(super) alphabet: &'m Alphabet,
    pub(super) steps: Steps<'m>,
    pub(super) settings: DrawSettings,
    pub(super) automaton: Automaton,
    /// Whether they begin with a capital letter.
    pub(super) capital: bool,
    pub(super) excluded: Vec<Arc<dyn KnownWords>>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) classes: Classes,
    pub(super) max_tries: u64,
    /// Hash of the version and the model.
    pub(super) base: Sha256,
}

/// How many different words keys can be expected to get.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NameSpace {
    /// Keys that were tried.
    pub keys: usize,
    /// Different words that they got.
    pub distinct: usize,
    /// Pairs of keys with the same word.
    pub pairs: u64,
}

impl NameSpace {
    /// The probability that two keys get the same word.
    pub fn collision_probability(&self) -> f64 {
        let keys = self.keys as f64;
        self.pairs as f64 / (keys * (keys - 1.0) / 2.0).max(1.0)
    }
}

impl Names<'_> {
    /// The words of keys, in their order.
    ///
    /// # Errors
    /// When no word that fits is found for a key.
    pub fn of<K: AsRef<str>>(&mut self, keys: &[K]) -> Result<Vec<String>> {
        let words = self.plain(keys)?;
        let shown = |word: String| if self.capital { self.alphabet.capitalise(&word) } else { word };
        Ok(words.into_iter().map(shown).collect())
    }

    fn plain<K: AsRef<str>>(&mut self, keys: &[K]) -> Result<Vec<String>> {
        let seeds: Vec<u64> = keys.iter().map(|key| self.seed(key.as_ref())).collect();
        let Self { steps, settings, automaton, alphabet, excluded, .. } = self;
        let found = steps.map(seeds.clone(), |seed, stepper| {
            let settings = DrawSettings { seed, ..settings.clone() };
            (0..BLOCKS).find_map(|number| {
                let words = block::run(stepper, &settings, automaton, number, LANES, false).words;
                let mut texts = words.iter().map(|letters| alphabet.decode(letters));
                texts.find(|word| !is_known(excluded, word))
            })
        });
        found.into_iter().zip(seeds).map(|(word, seed)| word.map_or_else(|| self.rare(seed), Ok)).collect()
    }

    /// How often keys get the same word, from the words of up to so many keys; fewer where words are hard to find. A key's word is one draw,
    /// so draws stand for keys: all words of a block, where a key takes the first.
    ///
    /// # Errors
    /// When no word that fits is found.
    pub fn space(&mut self, keys: usize) -> Result<NameSpace> {
        let settings = DrawSettings { seed: self.seed("\u{0}"), ..self.settings.clone() };
        let Self { steps, automaton, alphabet, excluded, .. } = self;
        let mut words: Vec<String> = Vec::new();
        for first in (0..SPACE_BLOCKS).step_by(SPACE_STEP as usize) {
            let numbers: Vec<u64> = (first..first + SPACE_STEP).collect();
            let found = steps.map(numbers, |number, stepper| -> Vec<String> {
                let words = block::run(stepper, &settings, automaton, number, LANES, false).words;
                let texts = words.iter().map(|letters| alphabet.decode(letters));
                texts.filter(|word| !is_known(excluded, word)).collect()
            });
            words.extend(found.into_iter().flatten());
            // Where words that fit are this rare, keys get theirs in another way.
            let is_rare = words.len() < SPACE_STEP as usize / 8;
            if words.len() >= keys || is_rare {
                break;
            }
        }
        words.truncate(keys);
        if words.len() < RARE_KEYS.min(keys) {
            let tried: Vec<String> = (0..RARE_KEYS.min(keys)).map(|key| format!("\u{0}{key}")).collect();
            words = self.of(&tried)?;
        }
        let keys = words.len();
        words.sort_unstable();
        let sizes: Vec<u64> =
            words.chunk_by(|left, right| left == right).map(|same| same.len() as u64).collect();
        let pairs = sizes.iter().map(|size| size * (size - 1) / 2).sum();
        Ok(NameSpace { keys, distinct: sizes.len(), pairs })
    }

    fn seed(&self, key: &str) -> u64 {
        let hash = self.base.clone().chain_update(key).finalize();
        hash.iter().take(8).fold(0, |seed, &byte| seed << 8 | u64::from(byte))
    }

    /// A word that chance hardly ever makes.
    fn rare(&self, seed: u64) -> Result<String> {
        let settings = DrawSettings { seed, ..self.settings.clone() };
        let mut source =
            WordSource::new(Steps::new(self.fitted, 1)?, 1, settings, Some(self.automaton.clone()));
        let (mut tries, mut known) = (0, 0);
        while tries <= self.max_tries {
            for batch in source.batch(1)? {
                for number in 0..batch.words.len() {
                    let Some((letters, taken)) = batch.words.get(number) else { continue };
                    tries += taken;
                    let word = self.alphabet.decode(letters);
                    if !is_known(&self.excluded, &word) {
                        return Ok(word);
                    }
                    known += 1;
                }
                tries += batch.left_over.max(1);
            }
        }
        let hardest = match known {
            0 => Hardest::of(&source.unconstrained(), self.alphabet, &self.classes, &self.constraints),
            _ => None,
        };
        let (is_all, repeated) = (false, 0);
        let gave_up = GaveUp { made: 0, wanted: 1, tries: self.max_tries, is_all, known, repeated, hardest };
        Err(SampleError::from(gave_up).into())
    }
}

fn is_known(excluded: &[Arc<dyn KnownWords>], word: &str) -> bool {
    excluded.iter().any(|known| known.has(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::WordBuilder;
    use crate::lexicon::{Input, read_list};
    use crate::{Execution, bundled_model};

    #[test]
    fn a_key_has_one_word_whoever_asks() {
        let model = bundled_model().unwrap();
        let keys: Vec<String> = (0..40).map(|key| format!("host-{key}")).collect();
        let names = |threads: usize, keys: &[String]| {
            let builder =
                model.words().constraint(Constraint::AtLeast(4)).execution(Execution { seed: 9, threads });
            builder.names().unwrap().of(keys).unwrap()
        };
        let all = names(1, &keys);
        assert_eq!(names(3, &keys), all);
        assert_eq!(names(1, &keys[17..18]), all[17..18]);
        assert!(all.iter().all(|word| word.chars().count() >= 4));
        let mut distinct = all.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert!(distinct.len() > 30, "{all:?}");
    }

    #[test]
    fn refused_words_are_no_names_and_rare_words_are_found() {
        let model = bundled_model().unwrap();
        let two = |builder: WordBuilder<'_>| {
            let mut words = builder.names().unwrap().of(&["a", "b", "c", "d"]).unwrap();
            words.sort_unstable();
            words
        };
        let usual = two(model.words());
        let list = read_list(
            Input::from_reader("list", usual.join("\n").as_bytes().to_vec().leak() as &[u8]).unwrap(),
            false,
        );
        let other = two(model.words().exclude(list.unwrap()));
        assert!(usual.iter().all(|word| !other.contains(word)), "{usual:?} {other:?}");
        let rare = two(model.words().constraint(Constraint::Pattern("x?zz*".into())));
        assert!(rare.iter().all(|word| word.starts_with('x') && &word[2..4] == "zz"), "{rare:?}");
    }

    #[test]
    fn collisions_are_counted_in_pairs() {
        let space = NameSpace { keys: 5, distinct: 3, pairs: 4 };
        assert_eq!(space.collision_probability(), 0.4);
        // A token-weighted model repeats words.
        let model = crate::TrainedModel::named("en-tokens").unwrap();
        let found = model.words().names().unwrap().space(300).unwrap();
        assert!(found.distinct <= 300 && found.keys == 300, "{found:?}");
    }
}
