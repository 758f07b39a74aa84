//! Lists of words and trained models that come with `wug`. `README.md` tells where they come from and under which licences.
//!
//! There is no code here: the crate `wug` reads what these bytes hold, and finds it by name.

#![no_std]

/// A list of words of a language.
#[derive(Debug, Clone, Copy)]
pub struct List {
    /// The language's code (BCP 47).
    pub code: &'static str,
    /// The language's name in English.
    pub language: &'static str,
    /// How many words the list has.
    pub types: usize,
    /// How many letters.
    pub letters: usize,
    /// Lines `word<TAB>count`, the most frequent first, compressed with zstd.
    pub words: &'static [u8],
    /// Lists of more words that exist, compressed with zstd.
    pub known: &'static [&'static [u8]],
    /// What was counted.
    pub source: &'static str,
    /// On what terms.
    pub licence: &'static str,
}

/// A trained model: a model file without its list, numbers in half precision.
#[derive(Debug, Clone, Copy)]
pub struct Model {
    /// Its name: the code of its language, with what is special about it.
    pub name: &'static str,
    /// The code of the list that it learnt from.
    pub list: &'static str,
    /// The content of the file.
    pub file: &'static [u8],
}

/// How good the models are on held-out words: a table with tabs that begins with the names of its columns.
pub static FIGURES: &str = include_str!("../models.tsv");

#[cfg(feature = "english")]
macro_rules! list {
    ($code:literal, $language:literal, $types:literal, $letters:literal, $source:literal, $licence:expr) => {
        list!($code, $language, $types, $letters, $source, $licence, &[])
    };
    ($code:literal, $language:literal, $types:literal, $letters:literal, $source:literal, $licence:expr, $known:expr) => {
        List {
            code: $code,
            language: $language,
            types: $types,
            letters: $letters,
            words: include_bytes!(concat!("../lists/", $code, ".tsv.zst")),
            known: $known,
            source: $source,
            licence: $licence,
        }
    };
}

#[cfg(feature = "english")]
macro_rules! models {
    ($($name:literal of $list:literal)*) => {
        &[$(Model { name: $name, list: $list, file: include_bytes!(concat!("../models/", $name, ".safetensors")) }),*]
    };
    ($($name:literal)*) => {
        models!($($name of $name)*)
    };
}

/// The texts are in the public domain, the markup of the collection under CC BY.
#[cfg(feature = "languages")]
const ELTEC: &str = "public domain; markup CC BY 4.0";

/// English words that no other list has, abbreviations and rare ones among them, for telling which words are new.
#[cfg(feature = "english")]
const KNOWN: &[u8] = include_bytes!("../lists/en-known.txt.zst");

/// The English lists: today's words, and those of novels, which stand for the paper's corpus.
#[cfg(feature = "english")]
pub static ENGLISH: &[List] = &[
    list!(
        "en",
        "English",
        89_263,
        26,
        "SCOWL up to size 60, and words of classics-en",
        "SCOWL, permissive",
        &[KNOWN, include_bytes!("../lists/classics-en.tsv.zst")]
    ),
    list!(
        "classics-en",
        "English (novels)",
        99_635,
        26,
        "about 570 public-domain books, mostly novels",
        "public domain",
        &[KNOWN, include_bytes!("../lists/en.tsv.zst")]
    ),
];

/// The English lists, which are not in this build.
#[cfg(not(feature = "english"))]
pub static ENGLISH: &[List] = &[];

/// The lists of other languages, from novels of 1840 to 1920.
#[cfg(feature = "languages")]
pub static OTHERS: &[List] = &[
    list!("cs", "Czech", 92_301, 39, "ELTeC-cze, 100 novels", ELTEC),
    list!("de", "German", 77_206, 31, "ELTeC-deu, 98 novels", ELTEC),
    list!("es", "Spanish", 63_723, 33, "ELTeC-spa, 100 novels", ELTEC),
    list!("fr", "French", 43_932, 41, "ELTeC-fra, 100 novels", ELTEC),
    list!("hu", "Hungarian", 119_934, 33, "ELTeC-hun, 100 novels", ELTEC),
    list!("it", "Italian", 52_757, 36, "ELTeC-ita, 70 novels", ELTEC),
    list!("no", "Norwegian (Bokmål)", 28_463, 34, "ELTeC-nor, 48 novels", ELTEC),
    list!("pl", "Polish", 119_837, 32, "ELTeC-pol, 100 novels", ELTEC),
    list!("pt", "Portuguese", 62_619, 38, "ELTeC-por, 100 novels", ELTEC),
    list!("ro", "Romanian", 69_171, 42, "ELTeC-rom, 100 novels", ELTEC),
    list!("sl", "Slovenian", 70_370, 33, "ELTeC-slv, 100 novels", ELTEC),
    list!("sr", "Serbian", 68_748, 30, "ELTeC-srp, 100 novels", ELTEC),
    list!("sv", "Swedish", 43_931, 30, "ELTeC-swe, 58 novels", ELTEC),
    list!("uk", "Ukrainian", 41_873, 34, "ELTeC-ukr, 49 novels", ELTEC),
];

/// The lists of other languages, which are not in this build.
#[cfg(not(feature = "languages"))]
pub static OTHERS: &[List] = &[];

/// The English models.
#[cfg(feature = "english")]
pub static ENGLISH_MODELS: &[Model] = models!["en" of "en" "en-tokens" of "classics-en"];

/// The English models, which are not in this build.
#[cfg(not(feature = "english"))]
pub static ENGLISH_MODELS: &[Model] = &[];

/// The models of other languages.
#[cfg(feature = "languages")]
pub static OTHER_MODELS: &[Model] =
    models!["cs" "de" "es" "fr" "hu" "it" "no" "pl" "pt" "ro" "sl" "sr" "sv" "uk"];

/// The models of other languages, which are not in this build.
#[cfg(not(feature = "languages"))]
pub static OTHER_MODELS: &[Model] = &[];
