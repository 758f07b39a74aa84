//! The measures. Each is declared here and nowhere else: tables, options, help, Python and the page have it from here.
//! `docs/extending.md` says how to add one.

use super::declaration::Measure;
use super::declaration::Need::{Lexicon, Model, Reference};

/// What is matched on unless something else is said.
pub(super) const MATCHED: [&str; 4] = ["log-probability", "coltheart-n", "old20", "bigram-frequency"];
/// The columns that people see at a terminal.
pub const TERMINAL_COLUMNS: [&str; 7] = [
    "word",
    "wordlikeness",
    "log_probability",
    "standard_error",
    "lexicon_percentile",
    "random_percentile",
    "surprisals",
];
/// What words are sorted by unless something else is said.
pub const SORTED_BY: &str = "wordlikeness";
/// The columns that a page shows beside the word and its surprisals.
pub const PAGE_COLUMNS: [&str; 8] = [
    "wordlikeness",
    "log_probability",
    "lexicon_percentile",
    "random_percentile",
    "lexicality",
    "coltheart_n",
    "old20",
    "nearest",
];

/// The measures of the library, in the order of tables.
pub static MEASURES: &[Measure] = &[
    Measure::text("word", "the word, in normal form C", |word| Some(word.word().to_owned())),
    Measure::count("length", "its letters", |word| Some(word.letters().len() as u64)),
    Measure::number("log_probability", "`log P(w)` under the model, the end of the word included; a word of the model's list is left out of its counts", |word| {
        Some(word.score()?.log_probability)
    })
    .from(&[Model])
    .shown("log P", 8, 3)
    .matched("log-probability", "")
    .ranked_by("lexicon_percentile"),
    Measure::number("standard_error", "standard error of the log-probability", |word| Some(word.score()?.standard_error))
        .from(&[Model])
        .shown("±", 7, 3),
    Measure::number(
        "lexicon_percentile",
        "per cent of the lexicon's words of the same length that are less probable",
        |word| Some(word.reference()?.among_words(word.score()?.log_probability)),
    )
    .from(&[Reference])
    .shown("words", 7, 0)
    .unit(" %"),
    Measure::number(
        "random_percentile",
        "per cent of random strings of the same length that are less probable",
        |word| Some(word.reference()?.among_strings(word.score()?.log_probability)),
    )
    .from(&[Reference])
    .shown("random", 7, 0)
    .unit(" %"),
    Measure::numbers("surprisals", "`−log P(w_t | w_<t)` of each letter and, last, of the end", |word| {
        word.score().map(|score| score.surprisals.clone()).unwrap_or_default()
    })
    .from(&[Model])
    .shown("surprisal of each letter and of the end", 0, 2)
    .matched_as("surprisal-profile", "surprisal of the letters"),
    // Surprisals of estimates may come out slightly below 0.
    Measure::number("wordlikeness", "minus the 3/2-norm of the surprisals", |word| {
        let surprisals = word.score()?.surprisals.iter().map(|surprisal| surprisal.max(0.0));
        let sum: f64 = surprisals.map(|surprisal| surprisal * surprisal.sqrt()).sum();
        Some(-libm::cbrt(sum * sum))
    })
    .from(&[Model])
    .shown("word-like", 9, 2)
    .matched("word-likeness", ""),
    Measure::number(
        "log_probability_per_symbol",
        "`log P(w)` divided by the number of letters and the end",
        |word| {
            let score = word.score()?;
            Some(score.log_probability / score.surprisals.len() as f64)
        },
    )
    .from(&[Model])
    .shown("per symbol", 10, 3)
    .matched("log-probability per letter", ""),
    Measure::number("highest_surprisal", "the largest of the surprisals", |word| {
        word.score()?.surprisals.iter().copied().reduce(f64::max)
    })
    .from(&[Model])
    .shown("highest", 8, 2)
    .matched("highest surprisal", ""),
    Measure::number("worst_two_surprisals", "mean of the two largest surprisals", |word| {
        let mut all = word.score()?.surprisals.clone();
        all.sort_unstable_by(|left, right| right.total_cmp(left));
        all.truncate(2);
        Some(all.iter().sum::<f64>() / all.len() as f64)
    })
    .from(&[Model])
    .shown("worst two", 9, 2)
    .matched("mean of the two highest surprisals", ""),
    Measure::number(
        "slor",
        "`log P(w)` minus the logarithm of the product of the frequencies of its symbols, divided by their number",
        |word| {
            let (score, unigrams) = (word.score()?, word.list()?.unigram_log_probability()?);
            Some((score.log_probability - unigrams) / score.surprisals.len() as f64)
        },
    )
    .from(&[Model, Lexicon])
    .shown("SLOR", 8, 3)
    .matched("SLOR", ""),
    Measure::text("lexicality", "`word` if the lexicon has it, `nonword` if not", |word| {
        Some(if word.list()?.count().is_some() { "word" } else { "nonword" }.to_owned())
    })
    .from(&[Lexicon])
    .shown("kind", 8, 0)
    .beside(),
    Measure::count("count", "how often the lexicon has it", |word| Some(word.list()?.count().unwrap_or(0)))
        .from(&[Lexicon])
        .matched("count", "")
        .of_words(),
    Measure::number("frequency_per_million", "its count in a million words of the lexicon", |word| {
        Some(word.list()?.per_million())
    })
    .from(&[Lexicon])
    .shown("per million", 11, 2)
    .matched("frequency per million words", "")
    .of_words(),
    Measure::number("zipf", "its frequency on the Zipf scale", |word| Some(word.list()?.zipf()))
        .from(&[Lexicon])
        .shown("Zipf", 8, 2)
        .matched("Zipf frequency", "van Heuven et al., 2014")
        .of_words()
        .beside(),
    Measure::count("coltheart_n", "words of the lexicon of the same length that differ in one letter", |word| {
        Some(word.list()?.coltheart_n())
    })
    .from(&[Lexicon])
    .shown("N", 8, 0)
    .matched("Coltheart's N", "Coltheart et al., 1977")
    .ranked()
    .beside(),
    Measure::number("old20", "mean Levenshtein distance to the twenty nearest words of the lexicon", |word| {
        word.list()?.old20()
    })
    .from(&[Lexicon])
    .shown("OLD20", 8, 2)
    .matched("OLD20", "Yarkoni et al., 2008")
    .ranked()
    .beside(),
    Measure::number("bigram_frequency", "mean number of times that its pairs of letters occur in the lexicon's words", |word| {
        word.list()?.bigram_frequency()
    })
    .from(&[Lexicon])
    .shown("bigrams", 8, 1)
    .matched("bigram frequency (by types)", "")
    .ranked(),
    Measure::number(
        "positional_bigram_types",
        "mean number of the lexicon's words of the same length with the same two letters at the same place",
        |word| Some(word.list()?.positional(2)?.types),
    )
    .from(&[Lexicon])
    .matched("position-specific bigram frequency (by types)", "")
    .ranked(),
    Measure::number("positional_bigram_tokens", "mean frequency, in a million words, of the words of the same length with the same two letters at the same place", |word| {
        Some(word.list()?.positional(2)?.tokens)
    })
    .from(&[Lexicon])
    .matched("position-specific bigram frequency (by tokens)", "")
    .ranked(),
    Measure::number(
        "positional_trigram_types",
        "mean number of the lexicon's words of the same length with the same three letters at the same place",
        |word| Some(word.list()?.positional(3)?.types),
    )
    .from(&[Lexicon])
    .matched("position-specific trigram frequency (by types)", "")
    .ranked(),
    Measure::number("positional_trigram_tokens", "mean frequency, in a million words, of the words of the same length with the same three letters at the same place", |word| {
        Some(word.list()?.positional(3)?.tokens)
    })
    .from(&[Lexicon])
    .matched("position-specific trigram frequency (by tokens)", "")
    .ranked(),
    Measure::count("rarest_trigram", "how often the rarest of its three letters in a row occurs in the lexicon's words", |word| {
        Some(word.list()?.rarest_trigram())
    })
    .from(&[Lexicon]),
    Measure::text("skeleton", "its consonants `C`, vowels `V` and other signs `-`", |word| {
        Some(word.list()?.shape()?.skeleton.clone())
    })
    .from(&[Lexicon]),
    Measure::count("vowel_groups", "groups of vowels, about its syllables", |word| {
        Some(word.list()?.shape()?.vowel_groups as u64)
    })
    .from(&[Lexicon])
    .matched("number of groups of vowels", "")
    .ranked(),
    Measure::text("onset", "the letters before the first vowel", |word| Some(word.list()?.shape()?.onset.clone()))
        .from(&[Lexicon]),
    Measure::text("ending", "the letters from the last group of vowels on", |word| {
        Some(word.list()?.shape()?.ending.clone())
    })
    .from(&[Lexicon]),
    Measure::count("nearest_distance", "Levenshtein distance of the nearest other words of the lexicon", |word| {
        word.list()?.nearest_distance()
    })
    .from(&[Lexicon])
    .beside(),
    Measure::texts("nearest", "the nearest other words: up to five, the most frequent first", |word| {
        word.list().map(|list| list.nearest()).unwrap_or_default()
    })
    .from(&[Lexicon])
    .beside(),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use super::super::column::Column;
    use super::super::columns::Columns;
    use super::super::declaration::Need;
    use super::super::list_index::ListIndex;
    use super::super::measured_word::MeasuredWord;
    use super::super::score::ScoreSettings;
    use super::super::words::{Measures, Sources};
    use super::*;
    use crate::{Lexicon, bundled_model};

    fn sources() -> Sources {
        let list = |words: &[(&str, u64)]| {
            ListIndex::of(Arc::new(Lexicon::from_counts(words.iter().copied()).unwrap()))
        };
        let model = Arc::new(bundled_model().unwrap());
        let own: Vec<String> = (b'a'..=b'z').map(|letter| format!("win{}ow", char::from(letter))).collect();
        let own: Vec<(&str, u64)> = own.iter().zip(1..).map(|(word, count)| (word.as_str(), count)).collect();
        let other: Vec<(&str, u64)> = own.iter().map(|(word, count)| (&word[1..], *count)).collect();
        Sources { other: Some(list(&other)), ..Sources::new(&model, &list(&own)) }
    }

    fn measured(columns: Columns, sources: Sources) -> MeasuredWord {
        let measures = Measures::new(columns, sources, ScoreSettings::default()).unwrap();
        measures.measure(&["window"]).unwrap().remove(0).unwrap()
    }

    /// Every measure has a value by what it is declared to need, the same as when everything is there, and names of its own.
    #[test]
    fn needs_suffice() {
        let all = sources();
        let together = measured(Columns::all(true, true), all.clone());
        for column in Column::all() {
            let has = |need| column.needs(need);
            let own = Sources {
                model: all.model.clone().filter(|_| has(Need::Model)),
                lexicon: all.lexicon.clone().filter(|_| has(Need::Lexicon)),
                other: all.other.clone().filter(|_| has(Need::OtherLexicon)),
            };
            let alone = measured(Columns::from_iter([column]), own);
            let name = column.name();
            assert_eq!(alone.value(column), together.value(column), "{name}");
            // What stands where nothing is known has the type of the values.
            let value = alone.value(column).unwrap();
            assert_eq!(value.kind(), column.missing().kind(), "{name}");
            assert!(!value.to_string().is_empty(), "{name} has no value");
            let unknown = Columns::from_iter([column]).of_unmeasured("window");
            let needs = [Need::Model, Need::Lexicon, Need::OtherLexicon].into_iter().any(has);
            assert_eq!(unknown.value(column).unwrap().to_string().is_empty(), needs, "{name}");
            assert!(!column.about().is_empty() && !column.title().is_empty());
        }
        let names: BTreeSet<_> = Column::all().map(|column| column.name()).collect();
        assert_eq!(names.len(), Column::all().count());
        let criteria: BTreeSet<_> = Column::all_matched().map(|column| column.criterion_name()).collect();
        assert_eq!(criteria.len(), Column::all_matched().count());
        for name in TERMINAL_COLUMNS.iter().chain(&PAGE_COLUMNS) {
            Column::named(name).unwrap();
        }
        assert!(Column::named(SORTED_BY).unwrap().width().is_some());
        for name in MATCHED {
            Column::matched(name).unwrap();
        }
    }

    #[test]
    fn what_is_lacking_is_told() {
        let lacks = |name: &str, sources: Sources| {
            let columns = Columns::named([name], false, false).unwrap();
            Measures::new(columns, sources, ScoreSettings::default()).unwrap_err().to_string()
        };
        let all = sources();
        assert_eq!(lacks("old20", Sources::default()), "the column `old20` needs a lexicon");
        let no_other = Sources { other: None, ..all.clone() };
        assert_eq!(lacks("other_zipf", no_other), "the column `other_zipf` needs another lexicon");
        let no_model = Sources { model: None, ..all };
        assert_eq!(lacks("lexicon_percentile", no_model), "the column `lexicon_percentile` needs a model");
        let unknown = Columns::named(["word", "old"], false, false).unwrap_err().to_string();
        assert!(unknown.starts_with("`old` is none of word, length, log_probability, "), "{unknown}");
    }

    /// By hand: counts 1 to 26 of the words make 351.
    #[test]
    fn frequencies_and_lengths_are_those_of_the_formulas() {
        let word = measured(Columns::all(false, true), sources());
        let number = |name: &str| word.number(name).unwrap();
        let near = |name: &str, expected: f64| {
            assert!((number(name) - expected).abs() < 1e-9, "{name}: {}, not {expected}", number(name));
        };
        near("count", 4.0);
        near("frequency_per_million", 4e6 / 351.0);
        near("zipf", (5.0_f64 / (377.0 / 1e6)).log10() + 3.0);
        // The other list has it without its first letter.
        near("other_zipf", (1.0_f64 / (377.0 / 1e6)).log10() + 3.0);
        let surprisals = &word.score.as_ref().unwrap().surprisals;
        let mut sorted = surprisals.clone();
        sorted.sort_by(f64::total_cmp);
        near("wordlikeness", -surprisals.iter().map(|nats| nats.powf(1.5)).sum::<f64>().powf(2.0 / 3.0));
        near("log_probability_per_symbol", number("log_probability") / 7.0);
        near("highest_surprisal", sorted[6]);
        near("worst_two_surprisals", (sorted[6] + sorted[5]) / 2.0);
        // Of 26 × 7 letters and ends, each word has two w, and one of them a third.
        let share = |count: f64| (count / 182.0).ln();
        let unigrams = 2.0 * share(53.0) + share(27.0) + share(27.0) + share(1.0) + share(27.0) + share(26.0);
        near("slor", (number("log_probability") - unigrams) / 7.0);
    }
}
