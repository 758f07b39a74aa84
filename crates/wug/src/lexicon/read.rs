//! The list reader: words, and their counts if there are any, in a table of any kind.
//!
//! The first word decides whether the list has counts, and every other line must agree: in a list of bare words each
//! line counts 1, in a list of counts a missing count is an error. `docs/lexicon.md` states all the rules.

use super::error::{CountProblem, LexiconError, LineProblem, Place};
use super::input::Input;
use super::letters;
use super::table::{ListOptions, Separator, Table};
use super::word_counts::{AddError, WordCounts};

/// The longest word of a list in normal form, in bytes.
pub(crate) const MAX_WORD: usize = 1024;

/// Reads a list. Words are brought to normal form C, and to lower case if asked for; repeated words add up. Counts with decimals are
/// multiplied by a power of ten that makes all of them whole.
///
/// ```
/// use wug::lexicon::{Input, read_list};
///
/// let list = "id;word;count\n1;wug;3\n2;Wug;2\n3;blick;1\n";
/// let words = read_list(Input::from_reader("example", list.as_bytes())?, true)?;
/// assert_eq!(words.count("wug"), 5);
/// assert_eq!(words.tokens(), 6);
/// # Ok::<(), wug::lexicon::LexiconError>(())
/// ```
pub fn read_list(input: Input, options: impl Into<ListOptions>) -> Result<WordCounts, LexiconError> {
    let ListOptions { casing, columns } = options.into();
    let mut table = Table::new(input, columns);
    table.look()?;
    let name = table.name().to_owned();
    let at = |line, problem| LexiconError::Line { place: Place { name: name.clone(), line }, problem };
    let mut words = WordCounts::new(&name);
    words.header = table.layout().is_some_and(|layout| layout.header.is_some());
    words.table = table.note();
    let place =
        table.layout().map(|layout| (layout.word, layout.count, layout.separator == Separator::Spaces));
    let (word_column, count_column, is_spaced) = place.unwrap_or_default();
    // Whether words have counts, and the line that settled it.
    let mut counted: Option<(bool, u64)> = None;
    while let Some(row) = table.next()? {
        let Some(row) = row.filter(|row| !row.is_blank()) else { continue };
        let here = |problem| at(row.line, problem);
        let word = row.cell(Some(word_column)).ok_or_else(|| here(LineProblem::NoWord))?;
        let field = row.cell(count_column);
        let count = field.map(|field| parse_count(word, field)).transpose().map_err(here)?;
        let (is_counted, settled) = *counted.get_or_insert((count.is_some(), row.line));
        let count = match (is_counted, count) {
            (true, Some(count)) => count,
            (false, None) => Count::ONE,
            (true, None) => {
                return Err(here(LineProblem::MissingCount { word: quote(word), counted: settled }));
            }
            (false, Some(_)) => {
                return Err(here(LineProblem::UnexpectedCount { word: quote(word), uncounted: settled }));
            }
        };
        if let (None, true, Some(field)) = (&words.spaced, is_spaced, field) {
            let word = quote(word);
            words.spaced = Some(format!("`{word} {field}` is {word}, {field} times"));
        }
        let word = letters::normalise(word, casing);
        check_word(&word).map_err(here)?;
        words.add_decimal(&word, count.digits, count.decimals).map_err(|error| match error {
            AddError::TooManyTokens => here(LineProblem::TotalTooLarge),
            AddError::TooManyWords => LexiconError::TooManyWords,
        })?;
        words.lines += 1;
    }
    if words.decimals > 0 {
        let times = 10u64.pow(words.decimals);
        words.tell(format!("counts have decimals and are taken times {times}"));
    }
    if words.is_empty() { Err(LexiconError::Empty { name }) } else { Ok(words) }
}

/// Whether a character does something to a terminal: control characters, and signs that turn the direction of whatever stands
/// after them.
pub(crate) fn steers(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether no word has a character: what steers a terminal, white space, and a byte order mark that is not at the start of
/// the file, which would vanish unseen.
fn is_foreign(character: char) -> bool {
    steers(character) || character.is_whitespace() || character == '\u{feff}'
}

/// Refuses what no word has.
pub(crate) fn check_word(word: &str) -> Result<(), LineProblem> {
    if word.len() > MAX_WORD {
        return Err(LineProblem::WordTooLong { found: word.len() });
    }
    if word.contains([' ', '\u{a0}']) {
        return Err(LineProblem::SeveralWords { words: quote(word) });
    }
    match word.chars().find(|&character| is_foreign(character)) {
        Some(character) => Err(LineProblem::Character { word: quote(word), character }),
        None => Ok(()),
    }
}

/// A count as it is written: its digits, and how many of them stand behind the point.
struct Count {
    digits: u64,
    decimals: u32,
}

impl Count {
    const ONE: Self = Self { digits: 1, decimals: 0 };
}

/// The decimals of counts that are heeded.
const DECIMALS: usize = 6;

fn parse_count(word: &str, field: &str) -> Result<Count, LineProblem> {
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, part) = field.split_once(['.', ',']).unwrap_or((field, ""));
    let problem = if !whole.is_empty() && is_digits(whole) && is_digits(part) {
        if field.contains(',') && part.len() == 3 && whole.len() <= 3 && whole != "0" {
            CountProblem::Ambiguous
        } else {
            let part = part[..part.len().min(DECIMALS)].trim_end_matches('0');
            match format!("{whole}{part}").parse() {
                Ok(digits) => return Ok(Count { digits, decimals: part.len() as u32 }),
                Err(_) => CountProblem::TooLarge,
            }
        }
    } else if field
        .strip_prefix(['-', '\u{2212}'])
        .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    {
        CountProblem::Negative
    } else {
        CountProblem::NotANumber
    };
    let hint = if problem == CountProblem::NotANumber {
        ", or nothing: words have no spaces, so write one on each line, or join its parts as in new-york; \
         --count-column says which column has the counts"
    } else {
        ""
    };
    Err(LineProblem::Count { word: quote(word), count: quote(field), problem, hint })
}

/// Text from the input made fit for a message: short, and without control characters.
pub(super) fn quote(text: &str) -> String {
    const SHOWN: usize = 40;
    let shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOWN).is_some() { shown + "…" } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn read(list: &[u8]) -> Result<WordCounts, LexiconError> {
        read_list(Input::from_reader("list", std::io::Cursor::new(list.to_vec()))?, false)
    }

    fn problem(list: &str) -> (u64, LineProblem) {
        match read(list.as_bytes()) {
            Err(LexiconError::Line { place, problem }) => (place.line, problem),
            other => panic!("{list:?} gave {other:?}"),
        }
    }

    #[test]
    fn all_layouts_say_the_same() {
        for list in [
            "the\t3\nof\t2\n",
            "the 3\nof 2",
            "  the   3\r\n  of    2\r\n",
            "the,3\nof,2\n",
            "the, 3\n\n   \nof, 2\n",
            "word\tcount\nthe\t3\nof\t2\n",
            "Word,Frequency\nthe,3\nof,2\n",
            "the\nof\nthe\nof\nthe\n",
            "the\t\nof\t\nthe\nof\nthe \n",
            "id;freq;word\n1;3;the\n2;2;of\n",
            "\"word\",\"note\",\"count\"\n\"the\",\"a, b\",3\n\"of\",\"say \"\"of\"\"\",2\n",
            "\"word\" \"count\"\n\"1\" \"the\" 3\n\"2\" \"of\" 2\n",
            "1,the,3\n2,of,2\n",
            "      3 the\n      2 of\n",
            "1\tthe\n2\tof\n3\tthe\n4\tof\n5\tthe\n",
            "the\t1\nthe\t2\nof\t2\nnone\t0\n",
        ] {
            let words = read(list.as_bytes()).unwrap();
            assert_eq!((words.count("the"), words.count("of"), words.tokens()), (3, 2, 5), "{list:?}");
        }
    }

    #[test]
    fn spellings_of_one_word_add_up() {
        let words = read("cafe\u{301} 2\ncafé 3\n".as_bytes()).unwrap();
        assert_eq!((words.count("café"), words.types()), (5, 1));
    }

    #[test]
    fn wrong_counts_are_named() {
        use CountProblem::*;
        for (count, expected) in [
            ("-3", Negative),
            ("1e3", NotANumber),
            ("1,234", Ambiguous),
            ("1.2.3", NotANumber),
            (".5", NotANumber),
            ("18446744073709551616", TooLarge),
            ("0x10", NotANumber),
            ("3 4", NotANumber),
            ("+3", NotANumber),
        ] {
            let (line, found) = problem(&format!("the\t3\nof\t{count}\n"));
            let LineProblem::Count { problem, .. } = found else { panic!("{found:?}") };
            assert_eq!((line, problem), (2, expected), "{count}");
        }
        assert_eq!(read(b"the\t18446744073709551615").unwrap().tokens(), u64::MAX);
        assert_eq!(problem("the\t18446744073709551615\nof\t1\n"), (2, LineProblem::TotalTooLarge));
    }

    #[test]
    fn a_missing_count_is_an_error_where_others_have_one() {
        for line in ["of", "of\t", "of \t "] {
            let expected = LineProblem::MissingCount { word: "of".into(), counted: 1 };
            assert_eq!(problem(&format!("the\t3\n{line}\n")), (2, expected));
        }
        let expected = LineProblem::UnexpectedCount { word: "of".into(), uncounted: 1 };
        assert_eq!(problem("the\n\nof 3\n"), (3, expected));
    }

    #[test]
    fn a_first_line_is_a_header_only_before_counts() {
        assert!(read(b"word count\nthe 3\n").unwrap().header);
        assert!(!read(b"the 3\nof 2\n").unwrap().header);
        for list in ["word count\n", "New York\nBoston\n", "New York\nSan Francisco\n", "\nthe x\nof\n"] {
            let (line, found) = problem(list);
            assert!(matches!(found, LineProblem::Count { problem: CountProblem::NotANumber, .. }));
            assert_eq!(line, if list.starts_with('\n') { 2 } else { 1 });
        }
        assert_eq!(problem("the -3\nof 2\n").0, 1);
    }

    #[test]
    fn lines_that_are_no_entries_are_refused() {
        assert_eq!(problem("a b c\n").1, LineProblem::Columns { found: 3 });
        assert_eq!(problem("\t5\n").1, LineProblem::NoWord);
        assert_eq!(problem(&"x".repeat(2000)).1, LineProblem::WordTooLong { found: 2000 });
        let expected = LineProblem::Character { word: "a\\u{1b}b".into(), character: '\u{1b}' };
        assert_eq!(problem("a\u{1b}b\t3\n").1, expected);
        assert!(matches!(
            problem("\u{feff}\u{feff}wug\n").1,
            LineProblem::Character { character: '\u{feff}', .. }
        ));
        // This letter takes twice its bytes in normal form.
        assert_eq!(problem(&"\u{958}".repeat(300)).1, LineProblem::WordTooLong { found: 1800 });
        assert!(matches!(read(b"\n \n"), Err(LexiconError::Empty { .. })));
        assert!(matches!(read(b""), Err(LexiconError::Empty { .. })));
    }

    proptest! {
        #[test]
        fn any_bytes_give_words_or_an_error(bytes: Vec<u8>) {
            let _ = read(&bytes);
        }

        #[test]
        fn any_line_gives_words_or_an_error(text in "(\\PC{0,9}[\\t ,]-?[0-9.]{0,22}\n?){0,6}") {
            if let Ok(words) = read(text.as_bytes()) {
                prop_assert!(words.types() > 0);
            }
        }

        #[test]
        fn what_is_written_is_read(
            list in proptest::collection::vec(("[a-zé한Ж]{1,8}", 0u64..1 << 50), 1..40),
            separator in "[\t, ]", header: bool,
        ) {
            let mut expected = BTreeMap::new();
            let mut text = if header { format!("word{separator}count\n") } else { String::new() };
            for (word, count) in &list {
                *expected.entry(word.clone()).or_insert(0u64) += count;
                text.push_str(&format!("{word}{separator}{count}\n"));
            }
            let words = read(text.as_bytes()).unwrap();
            prop_assert_eq!(words.header, header);
            for (word, count) in expected {
                prop_assert_eq!(words.count(&word), count);
            }
        }
    }
}
