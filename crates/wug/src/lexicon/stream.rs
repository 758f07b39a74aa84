//! The lines of a list one after the other, for lists of any length: a line that is no entry is a problem of its own, and
//! reading goes on after it.

use super::error::{LexiconError, LineProblem, Place};
use super::input::Input;
use super::letters::{self, Casing};
use super::lines::Lines;
use super::read;
use super::table::{Layout, ListOptions, Row, Separator, Table};
use super::word_counts::WordCounts;

/// A line with a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListLine {
    /// Where it stands.
    pub place: Place,
    /// The word, in normal form C.
    pub word: String,
    /// What the column has that tells words from nonwords, or the one after the words where there is no header.
    pub second: Option<String>,
    /// The pseudoword of a table of pairs, such as a match writes.
    pub pseudoword: Option<String>,
    /// Whether nothing but spaces sets the columns apart: it may be a name of two words.
    pub is_spaced: bool,
}

/// Reads a table of words line by line, as [`read_list`](super::read_list) does; a line that is no entry is passed.
///
/// ```
/// use wug::lexicon::{Input, ListLines};
///
/// let input = Input::from_reader("example", &b"word\tkind\ncat\tword\ncxt\tnonword\nnew york\tword\nwug\n"[..])?;
/// let (mut words, mut problems) = (Vec::new(), 0);
/// for line in ListLines::new(input, false) {
///     match line {
///         Ok(line) => words.push((line.word, line.second)),
///         Err(error) if error.is_about_one_line() => problems += 1,
///         Err(error) => return Err(error),
///     }
/// }
/// assert_eq!(words[1], ("cxt".into(), Some("nonword".into())));
/// assert_eq!((words.len(), problems), (3, 1));
/// # Ok::<(), wug::lexicon::LexiconError>(())
/// ```
pub struct ListLines {
    table: Table,
    casing: Casing,
    ended: bool,
}

impl ListLines {
    /// Prepares to read; words are turned into lower case if asked for.
    pub fn new(input: Input, options: impl Into<ListOptions>) -> Self {
        let ListOptions { casing, columns } = options.into();
        Self { table: Table::new(input, columns), casing, ended: false }
    }

    /// What was found out about the table, if a reader should know: its header, its columns. Before the first line was asked for nothing
    /// was.
    pub fn note(&self) -> Option<String> {
        Some(format!("{}: {}", self.table.name(), self.table.note()?))
    }
}

impl Iterator for ListLines {
    type Item = Result<ListLine, LexiconError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let name = self.table.name().to_owned();
            let looked = self.table.look().map(|()| self.table.layout().map(Entry::of).unwrap_or_default());
            let row = looked.and_then(|entry| Ok((entry, self.table.next()?)));
            match row {
                Ok((_, Some(None))) => {}
                Ok((entry, Some(Some(row)))) => {
                    if row.is_blank() {
                        continue;
                    }
                    let place = Place { name, line: row.line };
                    return Some(match entry.read(&row, self.casing) {
                        Ok(entry) => Ok(entry(place)),
                        Err(problem) => Err(LexiconError::Line { place, problem }),
                    });
                }
                Ok((_, None)) => self.ended = true,
                Err(error) => {
                    self.ended = !error.is_about_one_line();
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

/// Where the parts of an entry stand.
#[derive(Clone, Copy, Default)]
struct Entry {
    word: usize,
    second: Option<usize>,
    pseudoword: Option<usize>,
    is_spaced: bool,
}

impl Entry {
    fn of(layout: &Layout) -> Self {
        let Layout { word, second, pseudoword, .. } = *layout;
        Self { word, second, pseudoword, is_spaced: layout.separator == Separator::Spaces }
    }

    fn read(
        self,
        row: &Row<'_>,
        casing: Casing,
    ) -> Result<impl FnOnce(Place) -> ListLine + use<>, LineProblem> {
        let word = check_word(row.cell(Some(self.word)).ok_or(LineProblem::NoWord)?, casing)?;
        let second = row.cell(self.second).map(read::quote);
        let pseudoword = row.cell(self.pseudoword).map(|word| check_word(word, casing)).transpose()?;
        let is_spaced = self.is_spaced && second.is_some();
        Ok(move |place| ListLine { place, word, second, pseudoword, is_spaced })
    }
}

/// Reads the lines of a text as they are, without blanks at their ends; blank ones are skipped.
///
/// # Errors
/// When the input cannot be read, or a line is too long or no UTF-8.
pub fn read_lines(input: Input) -> Result<Vec<String>, LexiconError> {
    let mut lines = Lines::new(input);
    let mut found = Vec::new();
    while let Some((_, line)) = lines.next()? {
        if !line.trim().is_empty() {
            found.push(line.trim().to_owned());
        }
    }
    Ok(found)
}

/// Reads words that are to be excluded. Such a list may hold anything: a line that is no word can exclude none, and is passed over.
///
/// # Errors
/// When the input cannot be read at all.
pub fn read_excluded(input: Input, options: impl Into<ListOptions>) -> Result<WordCounts, LexiconError> {
    let mut words = WordCounts::new(input.name());
    for line in ListLines::new(input, options) {
        match line {
            Ok(line) => {
                words.add(&line.word, 1)?;
                words.lines += 1;
            }
            Err(error) if error.is_about_one_line() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(words)
}

/// Brings a word to normal form C, and to lower case if asked for, and refuses what no word of a list has.
///
/// # Errors
/// When it is empty or too long, or has white space or control characters in it.
pub fn check_word(word: &str, casing: impl Into<Casing>) -> Result<String, LineProblem> {
    if word.trim().is_empty() {
        return Err(LineProblem::EmptyWord);
    }
    let word = letters::normalise(word, casing);
    read::check_word(&word)?;
    Ok(word.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8]) -> Vec<Result<(String, Option<String>), String>> {
        let input = Input::from_reader("list", std::io::Cursor::new(bytes.to_vec())).unwrap();
        ListLines::new(input, false)
            .map(|line| line.map(|line| (line.word, line.second)).map_err(|error| error.to_string()))
            .collect()
    }

    fn entry(word: &str, second: Option<&str>) -> Result<(String, Option<String>), String> {
        Ok((word.into(), second.map(Into::into)))
    }

    #[test]
    fn columns_of_every_kind() {
        let list = "cat\tword\n\n  dog  \nfish\tnonword\ncafe\u{301}\t\n";
        let expected = [
            entry("cat", Some("word")),
            entry("dog", None),
            entry("fish", Some("nonword")),
            entry("café", None),
        ];
        assert_eq!(read(list.as_bytes()), expected);
        assert_eq!(read(list.replace('\t', ";").as_bytes()), expected);
        assert_eq!(read(b"bird 12\nfish 3\n"), [entry("bird", Some("12")), entry("fish", Some("3"))]);
        assert_eq!(read(b"Word\tCount\ncat\t3\n"), [entry("cat", None)]);
        assert_eq!(
            read(b"id,kind,word\n1,word,cat\n2,nonword,cxt\n"),
            [entry("cat", Some("word")), entry("cxt", Some("nonword"))]
        );
        assert_eq!(read(b"word\ncat\n"), [entry("cat", None)]);
        assert_eq!(read(b"word\tword\n"), [entry("word", Some("word"))]);
        assert_eq!(read(b"word\n"), [entry("word", None)]);
    }

    #[test]
    fn lines_that_are_no_entries_are_told_and_passed() {
        let long = format!("a\n{}\nb\nthe quick brown fox\nw\x07g\nb\0d\n\t3\nc\n", "x".repeat(2000));
        let found = read(&[long.as_bytes(), b"w\xfcg\nd"].concat());
        let words: Vec<&str> = found.iter().flatten().map(|(word, _)| word.as_str()).collect();
        assert_eq!(words, ["a", "b", "c", "d"]);
        let problems: Vec<&str> =
            found.iter().filter_map(|line| line.as_ref().err()).map(String::as_str).collect();
        for (problem, part) in problems.iter().zip(["2000", "4 columns", "U+0007", "NUL", "tabs", "UTF-8"]) {
            assert!(problem.contains(part), "`{part}` is not in: {problem}");
        }
        assert_eq!(problems.len(), 6);
    }

    #[test]
    fn words_to_exclude_may_stand_among_anything() {
        let list = b"wug\nn00,000\nNew York City\n\xff\n\t\nblick\n'tis\n";
        let input = Input::from_reader("list", &list[..]).unwrap();
        let words = read_excluded(input, false).unwrap();
        assert_eq!(["wug", "blick", "'tis", "York"].map(|word| words.count(word)), [1, 1, 1, 0]);
    }

    #[test]
    fn plain_lines_are_whole() {
        let read = |bytes: &'static [u8]| read_lines(Input::from_reader("list", bytes).unwrap());
        assert_eq!(
            read(b"Room 101\r\n\n a,b\tc \nword\tcount\n").unwrap(),
            ["Room 101", "a,b\tc", "word\tcount"]
        );
        assert!(read(b"a\n\xff\n").is_err());
    }

    #[test]
    fn what_is_no_word_is_said_in_words() {
        assert_eq!(check_word("", false).unwrap_err().to_string(), "a word without letters");
        let several = check_word("two words", true).unwrap_err().to_string();
        assert_eq!(
            several,
            "`two words` has a space in it; give one word at a time, or join its parts as in new-york"
        );
    }

    proptest! {
        #[test]
        fn any_bytes_end(bytes: Vec<u8>) {
            if let Ok(input) = Input::from_reader("list", std::io::Cursor::new(bytes)) {
                prop_assert!(ListLines::new(input, true).count() < 200);
            }
        }
    }
}
