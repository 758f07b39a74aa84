//! What the lexicon's words of a length are like: how much they differ in a measure, and where a word stands among them.

use std::collections::BTreeMap;

use super::criteria::Measure;
use super::reference::Reference;
use super::score::ScoreSettings;
use super::words::{MeasuredWord, Measures};
use crate::Result;
use crate::random::{below, stream, streams};

/// Measures of some words of a length.
#[derive(Debug, Clone, Default)]
pub(crate) struct LengthProfile {
    /// Sorted figures of each measure.
    figures: BTreeMap<Measure, Vec<f64>>,
    /// How much letters at the same place differ in surprisal.
    surprisal_scale: f64,
    words: usize,
}

impl LengthProfile {
    /// Words that stand for all of a length.
    pub(crate) const WORDS: usize = 500;

    /// Sums up measured words.
    fn of(words: &[MeasuredWord]) -> Self {
        let mut figures = BTreeMap::new();
        for measure in Measure::ALL {
            let mut own: Vec<f64> = words.iter().filter_map(|word| measure.of(word)).collect();
            own.sort_unstable_by(f64::total_cmp);
            figures.insert(measure, own);
        }
        let places = words.first().map_or(0, |word| word.score.surprisals.len());
        let column =
            |place: usize| words.iter().filter_map(move |word| word.score.surprisals.get(place).copied());
        let squares: f64 = (0..places).map(|place| standard_deviation(column(place)).powi(2)).sum();
        let surprisal_scale = (squares / places.max(1) as f64).sqrt();
        Self { figures, surprisal_scale, words: words.len() }
    }

    /// The standard deviation of a measure among the words; 1 where all are the same.
    pub(crate) fn scale(&self, measure: Measure) -> f64 {
        let found = match measure {
            Measure::SurprisalProfile => self.surprisal_scale,
            _ => self.figures.get(&measure).map_or(0.0, |own| standard_deviation(own.iter().copied())),
        };
        if found > 0.0 { found } else { 1.0 }
    }

    /// The per cent of the words whose figure is smaller; equal ones count half.
    pub(crate) fn percentile(&self, measure: Measure, figure: f64) -> Option<f64> {
        let own = self.figures.get(&measure).filter(|own| !own.is_empty())?;
        let smaller = own.partition_point(|&other| other < figure);
        let up_to = own.partition_point(|&other| other <= figure);
        Some(50.0 * (smaller + up_to) as f64 / own.len() as f64)
    }
}

fn standard_deviation(figures: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = figures.clone().count() as f64;
    let mean = figures.clone().sum::<f64>() / count.max(1.0);
    (figures.map(|figure| (figure - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0)).sqrt()
}

impl Measures<'_> {
    /// What the lexicon's words of so many letters are like, from up to [`LengthProfile::WORDS`] of them; none if there are fewer than
    /// [`Reference::FEWEST`].
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub(crate) fn length_profile(&mut self, length: usize) -> Result<Option<&LengthProfile>> {
        if !self.lengths.contains_key(&length) {
            let settings = self.scorer.settings();
            let lexicon = self.letters.lexicon();
            let mut words: Vec<&str> = lexicon
                .words()
                .filter(|word| word.symbols.len() == length + 1)
                .map(|word| word.text)
                .collect();
            let mut rng = stream(settings.execution.seed, streams::LENGTH_PROFILES, length as u128);
            let size = words.len().min(LengthProfile::WORDS);
            for place in 0..size {
                let other = place + below(&mut rng, (words.len() - place) as u64) as usize;
                words.swap(place, other);
            }
            words.truncate(size);
            let settings = ScoreSettings { particles: Reference::PARTICLES, ..settings };
            let scores = self.model.scores(&words, settings)?;
            let measured: Vec<MeasuredWord> = self.join(&words, scores).into_iter().flatten().collect();
            self.lengths.insert(length, LengthProfile::of(&measured));
        }
        Ok(self.lengths.get(&length).filter(|profile| profile.words >= Reference::FEWEST))
    }

    /// For each measure that a word has a figure of, the per cent of the lexicon's words of its length with a smaller one. That of the
    /// log-probability, among more words, is in the [score](super::Score).
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub fn percentiles(&mut self, word: &MeasuredWord) -> Result<BTreeMap<Measure, f64>> {
        let Some(profile) = self.length_profile(word.letters.length)? else { return Ok(BTreeMap::new()) };
        let one = |measure: Measure| Some((measure, profile.percentile(measure, measure.of(word)?)?));
        let measures = Measure::ALL.into_iter().filter(|measure| *measure != Measure::LogProbability);
        Ok(measures.filter_map(one).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lexicon, bundled_model};

    #[test]
    fn percentiles_and_scales_are_those_of_the_words() {
        let figures =
            BTreeMap::from([(Measure::Old20, vec![1.0, 2.0, 2.0, 5.0]), (Measure::ColtheartN, vec![3.0; 4])]);
        let profile = LengthProfile { figures, surprisal_scale: 0.5, words: 4 };
        for (figure, expected) in [(0.5, 0.0), (2.0, 50.0), (3.0, 75.0), (9.0, 100.0)] {
            assert_eq!(profile.percentile(Measure::Old20, figure), Some(expected));
        }
        assert_eq!(profile.percentile(Measure::LogProbability, 1.0), None);
        assert!((profile.scale(Measure::Old20) - 3_f64.sqrt()).abs() < 1e-12);
        assert_eq!(
            (profile.scale(Measure::ColtheartN), profile.scale(Measure::SurprisalProfile)),
            (1.0, 0.5)
        );
    }

    #[test]
    fn a_length_without_words_has_no_profile() {
        let model = bundled_model().unwrap();
        let lexicon =
            Lexicon::from_counts((0..30u8).map(|n| (format!("a{}", char::from(b'a' + n % 26)), 1))).unwrap();
        let mut measures = Measures::new(&model, &lexicon, ScoreSettings::default());
        assert_eq!(measures.length_profile(2).unwrap().unwrap().words, 26);
        assert!(measures.length_profile(3).unwrap().is_none());
        let word = measures.measure(&["zz"]).unwrap().remove(0).unwrap();
        let found = measures.percentiles(&word).unwrap();
        // No word of the list is at distance 1.
        assert_eq!((found[&Measure::ColtheartN], found.contains_key(&Measure::Old20)), (0.0, true));
    }
}
