//! The measures. Each is declared here and nowhere else: tables, options, help, Python and the page have it from here.
//! `docs/extending.md` says how to add one.

use super::column::Measure;
use super::column::Need::{Lexicon, Model, Reference};

/// What is matched on unless something else is said.
pub(super) const MATCHED: [&str; 4] = ["log-probability", "coltheart-n", "old20", "bigram-frequency"];
/// The columns that people see at a terminal.
pub const TERMINAL_COLUMNS: [&str; 6] =
    ["word", "log_probability", "standard_error", "lexicon_percentile", "random_percentile", "surprisals"];
/// The columns that a page shows beside the word and its surprisals.
pub const PAGE_COLUMNS: [&str; 7] =
    ["log_probability", "lexicon_percentile", "random_percentile", "lexicality", "coltheart_n", "old20", "nearest"];

/// The measures of the library, in the order of tables.
pub static MEASURES: &[Measure] = &[
    Measure::text("word", "the word, in normal form C", |word| Some(word.word().to_owned())),
    Measure::count("length", "its letters", |word| Some(word.letters().len() as u64)),
    Measure::number("log_probability", "`log P(w)` under the model, the end of the word included", |word| {
        Some(word.score()?.log_probability)
    })
    .from(&[Model])
    .shown("log P", 8, 3)
    .matched("log-probability", "")
    .ranked_by("lexicon_percentile"),
    Measure::number("standard_error", "its standard error", |word| Some(word.score()?.standard_error))
        .from(&[Model])
        .shown("±", 7, 3),
    Measure::number(
        "lexicon_percentile",
        "per cent of the lexicon’s words of the same length that are less probable",
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
    Measure::text("lexicality", "`word` if the lexicon has it, `nonword` if not", |word| {
        Some(if word.list()?.count().is_some() { "word" } else { "nonword" }.to_owned())
    })
    .from(&[Lexicon])
    .shown("in list", 8, 0)
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
    Measure::number("bigram_frequency", "mean number of times that its pairs of letters occur in the lexicon’s words", |word| {
        word.list()?.bigram_frequency()
    })
    .from(&[Lexicon])
    .shown("bigrams", 8, 1)
    .matched("bigram frequency (by types)", "")
    .ranked(),
    Measure::number(
        "positional_bigram_types",
        "mean number of the lexicon’s words of the same length with the same two letters at the same place",
        |word| Some(word.list()?.positional(2)?.types),
    )
    .from(&[Lexicon])
    .matched("position-specific bigram frequency (by types)", "")
    .ranked(),
    Measure::number("positional_bigram_tokens", "the same with the words’ counts, in a million words", |word| {
        Some(word.list()?.positional(2)?.tokens)
    })
    .from(&[Lexicon])
    .matched("position-specific bigram frequency (by tokens)", "")
    .ranked(),
    Measure::number(
        "positional_trigram_types",
        "mean number of the lexicon’s words of the same length with the same three letters at the same place",
        |word| Some(word.list()?.positional(3)?.types),
    )
    .from(&[Lexicon])
    .matched("position-specific trigram frequency (by types)", "")
    .ranked(),
    Measure::number("positional_trigram_tokens", "the same with the words’ counts, in a million words", |word| {
        Some(word.list()?.positional(3)?.tokens)
    })
    .from(&[Lexicon])
    .matched("position-specific trigram frequency (by tokens)", "")
    .ranked(),
    Measure::count("rarest_trigram", "how often the rarest of its three letters in a row occurs in the lexicon’s words", |word| {
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
    Measure::texts("nearest", "these words: up to five, the most frequent first", |word| {
        word.list().map(|list| list.nearest()).unwrap_or_default()
    })
    .from(&[Lexicon])
    .beside(),
];
