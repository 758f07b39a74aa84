//! The languages that come with the library: lists of words and models, by their codes.
//!
//! ```
//! use wug::languages::{find, languages};
//!
//! for language in languages() {
//!     println!("{}\t{}\t{}", language.code(), language.name(), language.source());
//! }
//! let english = find("en").expect("it is in this build");
//! assert_eq!(english.list()?.types(), 89_263);
//! # Ok::<(), wug::Error>(())
//! ```

use std::path::Path;
use std::sync::Arc;

use crate::lexicon::{
    Casing, Filter, Input, KnownWords, LexiconError, ListOptions, WordCounts, open_known, read_list,
};
use crate::nearest_name;

/// The model that is meant where none is named.
pub const DEFAULT_MODEL: &str = "en";

/// The list that stands for the paper's corpus.
pub(crate) const PAPER: &str = "classics-en";

/// A language with its list.
#[derive(Debug, Clone, Copy)]
pub struct Language {
    data: &'static wug_data::List,
}

/// The languages of this build, in the order of their codes.
pub fn languages() -> impl Iterator<Item = Language> {
    let mut all: Vec<&'static wug_data::List> = wug_data::ENGLISH.iter().chain(wug_data::OTHERS).collect();
    all.sort_by_key(|list| list.code);
    all.into_iter().map(|data| Language { data })
}

/// The language of a code.
pub fn find(code: &str) -> Option<Language> {
    languages().find(|language| language.code() == code)
}

/// The names of all models of this build.
pub fn model_names() -> impl Iterator<Item = &'static str> {
    models().map(|model| model.name)
}

pub(crate) fn models() -> impl Iterator<Item = &'static wug_data::Model> {
    wug_data::ENGLISH_MODELS.iter().chain(wug_data::OTHER_MODELS)
}

impl Language {
    /// Its code, such as `fr`.
    pub fn code(&self) -> &'static str {
        self.data.code
    }

    /// Its name in English.
    pub fn name(&self) -> &'static str {
        self.data.language
    }

    /// How many words its list has.
    pub fn words(&self) -> usize {
        self.data.types
    }

    /// How many letters its words have.
    pub fn letters(&self) -> usize {
        self.data.letters
    }

    /// What the list was counted in.
    pub fn source(&self) -> &'static str {
        self.data.source
    }

    /// On what terms.
    pub fn licence(&self) -> &'static str {
        self.data.licence
    }

    /// The words that are learnt, unless something else is asked for. The list that stands for the paper's corpus is filtered as that was; the
    /// others have been filtered already.
    pub fn filter(&self) -> Filter {
        if self.data.code == PAPER { Filter::PAPER } else { Filter::default() }
    }

    /// Its list of words.
    ///
    /// # Errors
    /// None, unless the library was built with a damaged file.
    pub fn list(&self) -> Result<WordCounts, LexiconError> {
        read_list(Input::from_reader(format!("{} (bundled)", self.code()), self.data.words)?, false)
    }

    /// Words that exist but that the list lacks: not to be called new.
    ///
    /// # Errors
    /// None, unless the library was built with a damaged file.
    pub(crate) fn more_known_words(&self) -> impl Iterator<Item = Result<WordCounts, LexiconError>> {
        let name = format!("more known words of {}", self.data.language);
        self.data.known.iter().map(move |list| read_list(Input::from_reader(name.as_str(), *list)?, false))
    }

    /// The names of its models; the first is the one for new words and scores.
    pub fn models(&self) -> impl Iterator<Item = &'static str> {
        let code = self.data.code;
        models().filter(move |model| model.list == code).map(|model| model.name)
    }
}

/// A list by what a user calls it: the code of a language, or a file; `-` is standard input.
///
/// # Errors
/// When there is no such list, or it cannot be read.
pub fn open_list(name: &str, options: impl Into<ListOptions>) -> Result<WordCounts, LexiconError> {
    match find(name) {
        Some(language) => language.list(),
        None => read_list(Input::open(existing(name)?)?, options),
    }
}

/// What stands for all languages that come with the library where words are excluded.
const ALL: &str = "all";

/// The same for words that are to be excluded: a language, all of them (`all`), a Hunspell dictionary, or a file that may hold anything ([`open_known`]).
///
/// # Errors
/// When there is no such list, or it cannot be read.
pub fn open_excluded(name: &str, casing: impl Into<Casing>) -> Result<Arc<dyn KnownWords>, LexiconError> {
    if name == ALL {
        let mut words = WordCounts::new("all languages");
        for language in languages() {
            language.list()?.into_words().try_for_each(|(word, count)| words.add(&word, count))?;
        }
        return Ok(Arc::new(words));
    }
    match find(name) {
        Some(language) => Ok(Arc::new(language.list()?)),
        None => open_known(existing(name)?, casing),
    }
}

/// A file that has no name of ours.
fn existing(name: &str) -> Result<&Path, LexiconError> {
    let path = Path::new(name);
    if name != "-" && is_plain(name) && !path.exists() {
        return Err(LexiconError::UnknownList {
            name: name.to_owned(),
            hint: question(suggest(name).as_deref()),
        });
    }
    Ok(path)
}

/// Whether this may be a name, and not the path of a file.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.len() < 40
        && name.chars().all(|sign| sign.is_alphanumeric() || "-_ ()".contains(sign))
}

/// What a name was probably meant to be: a language by its English name, one without its region, or the nearest code.
pub(crate) fn suggest(name: &str) -> Option<String> {
    let is_meant = |language: &Language| language.name().to_lowercase().starts_with(&name.to_lowercase());
    let named = languages().filter(is_meant).min_by_key(|language| language.name().len());
    if let (Some(language), 3..) = (named, name.len()) {
        return Some(language.code().to_owned());
    }
    let base = name.split(['-', '_']).next().unwrap_or(name).to_lowercase();
    let other = [("nb", "no"), ("nn", "no"), ("ua", "uk"), ("cz", "cs"), ("se", "sv")];
    let base = other.iter().find(|(old, _)| *old == base).map_or(base.as_str(), |(_, code)| code);
    if let Some(language) = find(base) {
        return Some(language.code().to_owned());
    }
    // A code of two letters is hardly mistyped: it is that of a language that is not here.
    if name.len() == 2 {
        return None;
    }
    let codes: Vec<&str> = languages().map(|language| language.code()).chain(model_names()).collect();
    nearest_name(name, codes).map(str::to_owned)
}

/// The end of a message about a name that does not exist: what was probably meant, or else what there is.
pub(crate) fn question(suggestion: Option<&str>) -> String {
    let names: Vec<&str> = model_names().collect();
    match suggestion {
        None if !names.is_empty() => format!(
            "; these are {}\nfor another language, `wug count TEXTS -o LIST` makes a list of words, and `wug train LIST` a model",
            names.join(", ")
        ),
        _ => crate::suggest::question(suggestion),
    }
}

#[cfg(all(test, feature = "english"))]
mod tests;
