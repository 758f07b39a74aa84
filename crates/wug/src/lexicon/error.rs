//! What can be wrong with a list or a text, said so that it can be put right.

use std::fmt;
use std::io;

use thiserror::Error;

use super::alphabet::AlphabetError;
use super::filter::Summary;
use super::input::Format;
use super::lines::MAX_LINE;
use super::read::MAX_WORD;

/// A line of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file's name as it was given, or `standard input`.
    pub name: String,
    /// The line, counted from 1.
    pub line: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, line {}", self.name, self.line)
    }
}

/// Why a list or a text could not be read.
#[derive(Debug, Error)]
pub enum LexiconError {
    /// The file does not exist or may not be read.
    #[error("cannot open {name}")]
    Open {
        /// The file.
        name: String,
        /// What the system says.
        source: io::Error,
    },
    /// Nothing has that name.
    #[error("`{name}` is neither a file nor a language that comes with wug{}", hint)]
    UnknownList {
        /// What was given.
        name: String,
        /// What was probably meant, or what there is.
        hint: String,
    },
    /// A folder was given for a file.
    #[error("{name} is a directory; give a file in it, or `-` for standard input")]
    Directory {
        /// The folder.
        name: String,
    },
    /// The bundled list is not in this build.
    #[error("the bundled list is not in this build: build wug with its feature english, or give a list")]
    NotBundled,
    /// This build does not decompress.
    #[error("{name} is compressed with {format}: unpack it first, or build wug with its feature compression")]
    Compressed {
        /// The file.
        name: String,
        /// How it is compressed.
        format: Format,
    },
    /// A known format that is not read.
    #[error("{name} is {found}; expected UTF-8 text, plain or compressed with gzip or zstd: {remedy}")]
    Unsupported {
        /// The file.
        name: String,
        /// What it looks like.
        found: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
    /// The system failed to read.
    #[error("{place}: reading failed")]
    Read {
        /// Where.
        place: Place,
        /// What the system says.
        source: io::Error,
    },
    /// Compressed data end too early.
    #[error("{place}: the {format} data are cut short; fetch or compress the file again")]
    Truncated {
        /// The last line that could be read.
        place: Place,
        /// The compression.
        format: Format,
    },
    /// Compressed data are wrong.
    #[error("{place}: the {format} data are damaged ({source}); fetch or compress the file again")]
    Damaged {
        /// The last line that could be read.
        place: Place,
        /// The compression.
        format: Format,
        /// What the decoder says.
        source: io::Error,
    },
    /// A dictionary in an encoding that is not read.
    #[error(
        "{name} is written in {encoding}; convert the .dic and the .aff file first, with `iconv -f {encoding} -t UTF-8`"
    )]
    Encoding {
        /// The file.
        name: String,
        /// What its characters are said to be.
        encoding: String,
    },
    /// Bytes that are not UTF-8.
    #[error(
        "{place}: the byte at offset {offset} is not valid UTF-8; convert the text first, for example with \
         `iconv -f LATIN1 -t UTF-8`"
    )]
    InvalidUtf8 {
        /// Where.
        place: Place,
        /// The first wrong byte, counted from 0 in the uncompressed text.
        offset: u64,
    },
    /// A NUL byte, which no text has.
    #[error("{place}: the byte at offset {offset} is NUL: this is a binary file, expected UTF-8 text")]
    Binary {
        /// Where.
        place: Place,
        /// The NUL byte, counted from 0 in the uncompressed text.
        offset: u64,
    },
    /// A line that no list of words has.
    #[error(
        "{place} is longer than {MAX_LINE} bytes; a list has one word on each line (`wug count` reads running text)"
    )]
    LineTooLong {
        /// Where.
        place: Place,
    },
    /// A line whose end was not found.
    #[error("{place} does not end; this is no list of words")]
    EndlessLine {
        /// Where.
        place: Place,
    },
    /// A text without white space.
    #[error("{place}: {limit} bytes without white space from offset {offset}; expected running text")]
    NoWhiteSpace {
        /// Where the run begins.
        place: Place,
        /// Its first byte, counted from 0 in the uncompressed text.
        offset: u64,
        /// The length of run that is an error.
        limit: usize,
    },
    /// A column that is not there.
    #[error("{name} has no column `{wanted}`; it has {known}")]
    Column {
        /// The file.
        name: String,
        /// What was asked for.
        wanted: String,
        /// What there is.
        known: String,
    },
    /// A line that is not a word with its count.
    #[error("{place}: {problem}")]
    Line {
        /// Where.
        place: Place,
        /// What is wrong.
        problem: LineProblem,
    },
    /// Not one word.
    #[error("{name} has no words; expected one word on each line, with or without its count")]
    Empty {
        /// The file.
        name: String,
    },
    /// The filter left nothing.
    #[error("the filter leaves no word: {0}; loosen it")]
    FilteredOut(Box<Summary>),
    /// A share that is none.
    #[error("the smallest share of words that have a letter is {found}; expected a number from 0 to 1")]
    LetterShare {
        /// What was given.
        found: f64,
    },
    /// A filter that cannot let anything pass.
    #[error("no word has at least {min} and at most {max} letters; the minimum must not exceed the maximum")]
    EmptyLengthRange {
        /// The minimum length.
        min: usize,
        /// The maximum length.
        max: usize,
    },
    /// The model does not carry its list.
    #[error("the model was saved without its list of words, {name}")]
    NotStored {
        /// What the list was called.
        name: String,
    },
    /// The list in a model file is damaged.
    #[error("the list in the model file is damaged: {reason}")]
    Stored {
        /// What is wrong.
        reason: String,
    },
    /// The list is not the one that a model was trained on.
    #[error("the list {name} is not the one that the model was trained on")]
    OtherList {
        /// The list.
        name: String,
    },
    /// More distinct words than numbers for them.
    #[error("more than {} different words", u32::MAX)]
    TooManyWords,
    /// The sum of all counts does not fit.
    #[error("the counts add up to more than {}", u64::MAX)]
    TooManyTokens,
    /// Too many different letters.
    #[error(transparent)]
    Alphabet(#[from] AlphabetError),
}

impl LexiconError {
    /// Whether it concerns one line only, so that the lines after it can be read.
    pub fn is_about_one_line(&self) -> bool {
        matches!(
            self,
            Self::InvalidUtf8 { .. } | Self::Binary { .. } | Self::LineTooLong { .. } | Self::Line { .. }
        )
    }
}

/// What is wrong with a line of a list.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LineProblem {
    /// Three or more columns.
    #[error("{found} columns, expected `word` or `word<TAB>count`; a word has no white space or comma in it")]
    Columns {
        /// How many columns there are.
        found: usize,
    },
    /// More columns than the rest of the table has.
    #[error(
        "{found} columns, but the table has {expected}; put quotation marks around a cell that has the separator in it"
    )]
    Ragged {
        /// How many columns there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A separator in a list that has one column.
    #[error("{sign} between columns, but most lines have one column; a word has none of these signs in it")]
    Separator {
        /// What the sign is called.
        sign: &'static str,
    },
    /// A quotation mark that begins a cell and does not end it.
    #[error("a quotation mark is not closed; write two of them for one inside a cell")]
    OpenQuote,
    /// A line without a word.
    #[error("no word in the column of words; expected `word` or `word<TAB>count`")]
    NoWord,
    /// A stimulus whose kind is not told.
    #[error("no kind, expected `word` or `nonword` as in the lines before")]
    NoKind,
    /// A stimulus whose kind is told.
    #[error("a second column, but the lines before have none")]
    UnexpectedKind,
    /// A kind that is none.
    #[error("the kind is `{found}`, expected `word` or `nonword`")]
    Kind {
        /// What was found.
        found: String,
    },
    /// A word of no letters.
    #[error("a word without letters")]
    EmptyWord,
    /// More words than one.
    #[error("`{words}` has a space in it; give one word at a time, or join its parts as in new-york")]
    SeveralWords {
        /// The words, escaped.
        words: String,
    },
    /// A very long word.
    #[error("a word of {found} bytes, at most {MAX_WORD} are allowed")]
    WordTooLong {
        /// Its length in bytes.
        found: usize,
    },
    /// A control character or white space in a word.
    #[error("the word `{word}` has the character U+{:04X} in it; remove it", u32::from(*.character))]
    Character {
        /// The word, escaped.
        word: String,
        /// The character.
        character: char,
    },
    /// A count that is not one.
    #[error(
        "the count `{count}` of `{word}` {problem}; expected a number such as 12 or 3.5, up to {}{hint}",
        u64::MAX
    )]
    Count {
        /// The word, escaped.
        word: String,
        /// The count, escaped.
        count: String,
        /// What is wrong with it.
        problem: CountProblem,
        /// A guess at the cause, or nothing.
        hint: &'static str,
    },
    /// No count in a list of counts.
    #[error("`{word}` has no count, but line {counted} has one; give every word its count or none")]
    MissingCount {
        /// The word, escaped.
        word: String,
        /// The first line with a count.
        counted: u64,
    },
    /// A count in a list without counts.
    #[error("`{word}` has a count, but line {uncounted} has none; give every word its count or none")]
    UnexpectedCount {
        /// The word, escaped.
        word: String,
        /// The first line without a count.
        uncounted: u64,
    },
    /// The sum of all counts does not fit.
    #[error("the counts up to here add up to more than {}", u64::MAX)]
    TotalTooLarge,
}

/// What is wrong with a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CountProblem {
    /// Below zero.
    #[error("is negative")]
    Negative,
    /// A comma with three digits after it.
    #[error("may be thousands or thousandths: write it with a point, or without a sign")]
    Ambiguous,
    /// Beyond 64 bits.
    #[error("is too large")]
    TooLarge,
    /// Something else.
    #[error("is not a number")]
    NotANumber,
}
