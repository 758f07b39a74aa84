//! What the lexicon's words of a length are like: how much they differ in a measure, and where a word stands among them.

use std::sync::Arc;

use super::column::Column;
use super::columns::Columns;
use super::declaration::Need;
use super::measured_word::MeasuredWord;
use super::reference::{Reference, percentile};
use super::score::ScoreSettings;
use super::words::Measures;
use crate::Result;
use crate::random::{below, stream, streams};

/// Words that stand for all of a length.
const WORDS: usize = 500;

/// What a spread is a function of, beside the list that keeps it: the column, the length and the seed, for what a model says its fingerprint
/// and the error that is asked for, and another list.
pub(super) type ProfileKey = (Column, usize, u64, Option<(Arc<str>, Option<u64>)>, Option<Arc<str>>);

/// What some words of a length have in a column.
#[derive(Debug, Default)]
pub(super) struct Spread {
    /// Sorted numbers; none of a column with lists.
    figures: Vec<f64>,
    /// The standard deviation; of lists, the root of the mean square of those of each place. 1 where all are the same.
    pub(super) scale: f64,
    words: usize,
}

impl Spread {
    fn of(words: &[MeasuredWord], column: Column) -> Self {
        let mut figures: Vec<f64> = words.iter().filter_map(|word| word.figure(column)).collect();
        figures.sort_unstable_by(f64::total_cmp);
        let found = if column.is_profile() {
            let places = words.first().map_or(0, |word| word.profile(column).len());
            let at =
                |place: usize| words.iter().filter_map(move |word| word.profile(column).get(place).copied());
            let squares: f64 = (0..places).map(|place| standard_deviation(at(place)).powi(2)).sum();
            (squares / places.max(1) as f64).sqrt()
        } else {
            standard_deviation(figures.iter().copied())
        };
        Self { figures, scale: if found > 0.0 { found } else { 1.0 }, words: words.len() }
    }

    /// The per cent of the words whose figure is smaller; equal ones count half.
    pub(super) fn percentile(&self, figure: f64) -> Option<f64> {
        (!self.figures.is_empty()).then(|| percentile(&self.figures, figure))
    }
}

fn standard_deviation(figures: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = figures.clone().count() as f64;
    let mean = figures.clone().sum::<f64>() / count.max(1.0);
    (figures.map(|figure| (figure - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0)).sqrt()
}

impl Measures {
    /// What the lexicon's words of so many letters have in some columns, from up to [`WORDS`] of them; none if there are fewer than
    /// [`Reference::MIN_WORDS`].
    ///
    /// # Errors
    /// When the model cannot be recorded, or the system refuses a thread.
    pub(super) fn spreads(&self, length: usize, columns: &[Column]) -> Result<Option<Vec<Arc<Spread>>>> {
        let Some(list) = &self.sources.lexicon else { return Ok(None) };
        let ScoreSettings { error, execution, .. } = self.settings();
        let key = |column: Column| -> ProfileKey {
            let model = column.needs(Need::Model).then(|| (self.model_key(), error.map(f64::to_bits)));
            let other = self.sources.other.as_ref().filter(|_| column.needs(Need::OtherLexicon));
            (column, length, execution.seed, model, other.map(|other| other.key()))
        };
        let known: Vec<Option<Arc<Spread>>> =
            columns.iter().map(|&column| list.profiles.get(&key(column))).collect();
        let unknown =
            columns.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(column, _)| *column);
        let unknown = Columns::from_iter(unknown);
        let words = self.words_of(length, &unknown)?;
        let found = columns.iter().zip(known).map(|(&column, known)| {
            known.unwrap_or_else(|| {
                let spread = Arc::new(Spread::of(&words, column));
                list.profiles.insert(key(column), Arc::clone(&spread));
                spread
            })
        });
        let found: Vec<Arc<Spread>> = found.collect();
        Ok(found.iter().all(|spread| spread.words >= Reference::MIN_WORDS).then_some(found))
    }

    /// Words of the lexicon that stand for all of a length, with some columns.
    fn words_of(&self, length: usize, columns: &Columns) -> Result<Vec<MeasuredWord>> {
        let Some(list) = self.sources.lexicon.as_ref().filter(|_| columns.iter().len() > 0) else {
            return Ok(Vec::new());
        };
        let own = list.lexicon().words().filter(|word| word.symbols.len() == length + 1);
        let mut words: Vec<&str> = own.map(|word| word.text).collect();
        let mut rng = stream(self.settings().execution.seed, streams::LENGTH_PROFILES, length as u128);
        let size = words.len().min(WORDS);
        for place in 0..size {
            let other = place + below(&mut rng, (words.len() - place) as u64) as usize;
            words.swap(place, other);
        }
        words.truncate(size);
        let settings = ScoreSettings { particles: Reference::PARTICLES, ..self.settings() };
        Ok(self.rows(columns, &words, settings)?.into_iter().flatten().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::list_index::ListIndex;
    use super::super::words::Sources;
    use super::*;
    use crate::{Lexicon, bundled_model};

    #[test]
    fn percentiles_and_scales_are_those_of_the_words() {
        let texts: Vec<String> = (b'a'..=b'z').map(|letter| format!("a{}", char::from(letter))).collect();
        let lexicon = Lexicon::from_counts(texts.iter().map(|word| (word, 1))).unwrap();
        let sources = Sources::new(&Arc::new(bundled_model().unwrap()), &ListIndex::of(Arc::new(lexicon)));
        let names = ["coltheart_n", "old20", "log_probability", "surprisals"];
        let columns = Columns::named(names, false, false).unwrap();
        let measures = Measures::new(columns.clone(), sources, ScoreSettings::default()).unwrap();
        let columns: Vec<Column> = columns.iter().collect();
        let found = measures.spreads(2, &columns).unwrap().unwrap();
        assert!(found.iter().all(|spread| spread.words == 26));
        // All words have the same neighbours.
        assert_eq!(
            (found[0].scale, found[0].percentile(25.0), found[0].percentile(9.0)),
            (1.0, Some(50.0), Some(0.0))
        );
        assert_eq!((found[1].scale, found[1].percentile(1.5)), (1.0, Some(100.0)));
        let words: Vec<&str> = texts.iter().map(String::as_str).collect();
        let own: Vec<MeasuredWord> =
            measures.measure(&words).unwrap().into_iter().map(Result::unwrap).collect();
        let numbers = own.iter().map(|word| word.number("log_probability").unwrap());
        let mean = numbers.clone().sum::<f64>() / 26.0;
        let variance = numbers.map(|number| (number - mean).powi(2)).sum::<f64>() / 25.0;
        assert!((found[2].scale - variance.sqrt()).abs() < 1e-9);
        assert!(found[3].scale > 0.0 && found[3].percentile(1.0).is_none());
        // They are kept.
        let again = measures.spreads(2, &columns[..1]).unwrap().unwrap();
        assert!(Arc::ptr_eq(&again[0], &found[0]));
        assert!(measures.spreads(3, &columns).unwrap().is_none());
    }
}
