//! What a word's probability is compared with: words of the lexicon and random strings of the same length.

use std::sync::Arc;

use rand_core::Rng;

use super::score::{ScoreSettings, log_probabilities};
use super::words::Measures;
use crate::Result;
use crate::lexicon::{Alphabet, END, Lexicon, Symbol};
use crate::random::{below, stream, streams};

/// What a reference is a function of: the model's fingerprint, the length and the seed, beside the list that keeps it.
pub(super) type ReferenceKey = (Arc<str>, usize, u64);

/// Words of one length and random strings, with their log-probabilities.
#[derive(Debug)]
pub(crate) struct Reference {
    /// Sorted.
    word_logs: Vec<f64>,
    /// Sorted.
    string_logs: Vec<f64>,
}

impl Reference {
    /// Words that stand for all of their length.
    pub(crate) const WORDS: usize = 250;
    /// The same where scores are exact and cost little: all words of a length, as a rule.
    pub(crate) const EXACT_WORDS: usize = 20_000;
    /// Random strings of the length.
    pub(crate) const STRINGS: usize = 150;
    /// The same where scores are exact.
    pub(crate) const EXACT_STRINGS: usize = 10_000;
    /// Fewer words of a length say nothing.
    pub(crate) const MIN_WORDS: usize = 20;
    /// Particles for each: a rank needs less precision than a score, but an estimate with few particles is too low on average.
    pub(crate) const PARTICLES: usize = 256;

    /// Draws words of `length` letters from the lexicon, each with the same chance, and strings whose letters are
    /// drawn by their frequency in the lexicon's words. None if the lexicon has too few words of this length in the alphabet.
    pub(super) fn draw<E>(
        lexicon: &Lexicon,
        alphabet: &Alphabet,
        length: usize,
        is_exact: bool,
        seed: u64,
        score: impl Fn(&[&[Symbol]]) -> Result<Vec<f64>, E>,
    ) -> Result<Option<Self>, E> {
        let of_length = lexicon.words().filter(|word| word.symbols.len() == length + 1);
        let mut words: Vec<Vec<Symbol>> =
            of_length.filter_map(|word| alphabet.encode(word.text).ok()).collect();
        if words.len() < Self::MIN_WORDS {
            return Ok(None);
        }
        let mut rng = stream(seed, streams::REFERENCE_WORDS, length as u128);
        let (most, count) =
            if is_exact { (Self::EXACT_WORDS, Self::EXACT_STRINGS) } else { (Self::WORDS, Self::STRINGS) };
        let size = words.len().min(most);
        for place in 0..size {
            let other = place + below(&mut rng, (words.len() - place) as u64) as usize;
            words.swap(place, other);
        }
        words.truncate(size);
        let strings = strings(
            lexicon,
            alphabet,
            (length, count),
            &mut stream(seed, streams::REFERENCE_STRINGS, length as u128),
        );
        let spelt: Vec<&[Symbol]> = words.iter().chain(&strings).map(Vec::as_slice).collect();
        let mut word_logs = score(&spelt)?;
        let mut string_logs = word_logs.split_off(size);
        word_logs.sort_unstable_by(f64::total_cmp);
        string_logs.sort_unstable_by(f64::total_cmp);
        Ok(Some(Self { word_logs, string_logs }))
    }

    /// The per cent of words that are less probable.
    pub(crate) fn among_words(&self, log_probability: f64) -> f64 {
        percentile(&self.word_logs, log_probability)
    }

    /// The per cent of random strings that are less probable.
    pub(crate) fn among_strings(&self, log_probability: f64) -> f64 {
        percentile(&self.string_logs, log_probability)
    }
}

impl Measures {
    /// What words of so many letters are compared with; none if the lexicon has too few of them, or no column needs it.
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub(super) fn reference(&self, length: usize) -> Result<Option<Arc<Reference>>> {
        let (Some(model), Some(list)) = (&self.sources.model, &self.sources.lexicon) else { return Ok(None) };
        let settings = self.settings();
        let seed = settings.execution.seed;
        let key = (self.model_key(), length, seed);
        if let Some(found) = list.references.get(&key) {
            return Ok(Some(found));
        }
        let settings = ScoreSettings { particles: Reference::PARTICLES, error: None, ..settings };
        let logs = |words: &[&[Symbol]]| log_probabilities(model, words, settings);
        let is_exact = model.model.is_exact();
        let drawn =
            Reference::draw(list.lexicon(), &model.alphabet, length, is_exact, seed, logs)?.map(Arc::new);
        if let Some(drawn) = &drawn {
            list.references.insert(key, Arc::clone(drawn));
        }
        Ok(drawn)
    }
}

/// Equal numbers count half.
pub(super) fn percentile(sorted: &[f64], number: f64) -> f64 {
    let below = sorted.partition_point(|&other| other < number);
    let up_to = sorted.partition_point(|&other| other <= number);
    50.0 * (below + up_to) as f64 / sorted.len() as f64
}

fn strings(
    lexicon: &Lexicon,
    alphabet: &Alphabet,
    (length, count): (usize, usize),
    rng: &mut impl Rng,
) -> Vec<Vec<Symbol>> {
    // How often each letter that the alphabet has stands in the words, added up.
    let mut counts = vec![0u64; lexicon.alphabet().symbol_count()];
    lexicon.words().flat_map(|word| word.symbols).for_each(|&symbol| counts[usize::from(symbol)] += 1);
    let mut ends: Vec<(u64, Symbol)> = Vec::new();
    let mut total = 0;
    for (letter, &count) in lexicon.alphabet().letters().zip(&counts[1..]) {
        if let Some(symbol) = alphabet.symbol(letter) {
            total += count;
            ends.push((total, symbol));
        }
    }
    let mut letter = || {
        let point = below(rng, total);
        ends[ends.partition_point(|&(end, _)| end <= point)].1
    };
    (0..count).map(|_| (0..length).map(|_| letter()).chain([END]).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::collections::BTreeSet;
    use std::convert::Infallible;

    #[test]
    fn percentiles_count_what_is_below() {
        let sorted = [-3.0, -2.0, -2.0, -1.0];
        for (number, expected) in [(-9.0, 0.0), (-3.0, 12.5), (-2.5, 25.0), (-2.0, 50.0), (0.0, 100.0)] {
            assert_eq!(percentile(&sorted, number), expected);
        }
    }

    #[test]
    fn words_and_strings_are_of_the_length() {
        let words =
            (0..900u32).map(|number| (format!("{:03}{}", number, if number % 2 == 0 { "x" } else { "" }), 1));
        let lexicon = Lexicon::from_counts(words).unwrap();
        // The score is the first letter: the alphabet of the model lacks the letter 0.
        let alphabet = Alphabet::from_letters(["1", "2", "3", "4", "5", "6", "7", "8", "9", "x"]).unwrap();
        let scored = RefCell::new(Vec::new());
        let draw = |length, seed| {
            Reference::draw(&lexicon, &alphabet, length, false, seed, |words: &[&[Symbol]]| {
                assert!(words.iter().all(|word| word.len() == length + 1 && word[length] == END));
                scored.replace(words.iter().map(|word| alphabet.decode(word)).collect());
                Ok::<_, Infallible>(words.iter().map(|word| f64::from(word[0])).collect())
            })
            .unwrap()
        };
        let reference = draw(3, 1).unwrap();
        assert_eq!(reference.word_logs.len(), Reference::WORDS.min(8 * 9 * 5));
        assert_eq!(reference.string_logs.len(), Reference::STRINGS);
        let known: BTreeSet<&str> = lexicon.words().map(|word| word.text).collect();
        let drawn: BTreeSet<String> =
            scored.borrow().iter().take(reference.word_logs.len()).cloned().collect();
        assert!(drawn.iter().all(|word| known.contains(word.as_str()) && !word.contains('0')));
        assert_eq!(drawn.len(), reference.word_logs.len());
        assert!(draw(3, 2).unwrap().string_logs != reference.string_logs);
        assert!(draw(5, 1).is_none());
    }
}
