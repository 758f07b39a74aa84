//! Tables of words: what separates the columns, whether there is a header, and which column has what. All of it follows from
//! the beginning of the file and is said, unless there is nothing to say. `docs/lexicon.md` states the rules.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::encoding::Encoding;
use super::error::{LexiconError, LineProblem, Place};
use super::input::Input;
use super::letters::Casing;
use super::lines::Lines;
use super::read::quote;

/// Which columns of a table are meant, by their names or their numbers, counted from 1. What is not given is found out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TableColumns {
    /// The column of words.
    pub word: Option<String>,
    /// The column of counts.
    pub count: Option<String>,
}

/// How a list is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListOptions {
    /// What becomes of capital letters.
    pub casing: Casing,
    /// Which columns have the words and their counts.
    pub columns: TableColumns,
}

impl<T: Into<Casing>> From<T> for ListOptions {
    fn from(casing: T) -> Self {
        Self { casing: casing.into(), columns: TableColumns::default() }
    }
}

/// Lines of the beginning that are looked at.
const LOOKED_AT: usize = 500;
/// Names of columns with words, the likeliest first.
const WORDS: [&str; 18] = [
    "word",
    "words",
    "stimulus",
    "stimuli",
    "string",
    "item",
    "items",
    "spelling",
    "form",
    "target",
    "pseudoword",
    "nonword",
    "name",
    "names",
    "wort",
    "wörter",
    "mot",
    "ortho",
];
/// Those that are a header without any other column, though they are words.
const ALONE: [&str; 7] = ["word", "words", "stimulus", "stimuli", "pseudoword", "nonword", "wort"];
/// Names of columns with counts.
const COUNTS: [&str; 13] = [
    "count",
    "counts",
    "freq",
    "frequency",
    "freqcount",
    "tokens",
    "occurrences",
    "word_frequency",
    "wordfreq",
    "n",
    "häufigkeit",
    "anzahl",
    "fréquence",
];
/// What a column that tells words from nonwords has.
const KINDS: [(&str, bool); 8] = [
    ("word", true),
    ("w", true),
    ("nonword", false),
    ("pseudoword", false),
    ("n", false),
    ("nw", false),
    ("non-word", false),
    ("pseudo", false),
];

/// Whether the cell of such a column says that it is a word.
pub(crate) fn is_word(cell: &str) -> Option<bool> {
    let cell = cell.to_lowercase();
    KINDS.iter().find(|(kind, _)| *kind == cell).map(|(_, is_word)| *is_word)
}

/// What stands between columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    Sign(char),
    /// White space, or nothing: there is one column.
    Spaces,
}

const SIGNS: [(char, &str); 3] = [('\t', "tabs"), (';', "semicolons"), (',', "commas")];

/// What was found out about a table.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub(super) separator: Separator,
    /// The line of the header and its cells.
    pub(super) header: Option<(u64, Vec<String>)>,
    /// How many columns there are.
    pub(super) width: usize,
    pub(super) word: usize,
    pub(super) count: Option<usize>,
    /// The column that tells words from nonwords; without a header, the one after the words, whatever it has.
    pub(super) second: Option<usize>,
    /// The pseudowords of a table of pairs.
    pub(super) pseudoword: Option<usize>,
    encoding: Encoding,
    /// Whether a column was named.
    is_asked: bool,
}

/// A line of a table.
#[derive(Debug)]
pub(super) struct Row<'a> {
    pub(super) line: u64,
    pub(super) cells: Vec<Cow<'a, str>>,
}

/// Reads a table row by row.
pub(crate) struct Table {
    name: String,
    lines: Lines,
    columns: TableColumns,
    layout: Option<Layout>,
}

impl Table {
    pub(crate) fn new(input: Input, columns: TableColumns) -> Self {
        Self { name: input.name().to_owned(), lines: Lines::new(input), columns, layout: None }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Looks at the beginning, if that was not done yet.
    pub(crate) fn look(&mut self) -> Result<(), LexiconError> {
        if self.layout.is_none() {
            let beginning = self.lines.beginning()?;
            let layout = Layout::of(&beginning, &self.columns, self.lines.encoding());
            let name = || self.name.clone();
            let layout =
                layout.map_err(|(wanted, known)| LexiconError::Column { name: name(), wanted, known });
            self.layout = Some(layout?);
        }
        Ok(())
    }

    /// What was found out at the beginning.
    pub(crate) fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }

    /// What a reader should know of it, if there is anything; before the first row was asked for there is not.
    pub(crate) fn note(&self) -> Option<String> {
        self.layout().map(Layout::to_string).filter(|note| !note.is_empty())
    }

    /// The next line, which is no row if it is blank or the header. After a line that is wrong the next one can be asked for.
    pub(super) fn next(&mut self) -> Result<Option<Option<Row<'_>>>, LexiconError> {
        self.look()?;
        let (Some(layout), Some((line, text))) = (&self.layout, self.lines.next()?) else { return Ok(None) };
        let is_header = layout.header.as_ref().is_some_and(|(header, _)| *header == line);
        if is_header || text.trim().is_empty() {
            return Ok(Some(None));
        }
        let place = || Place { name: self.name.clone(), line };
        match layout.row(text) {
            Ok(cells) => Ok(Some(Some(Row { line, cells }))),
            Err(problem) => Err(LexiconError::Line { place: place(), problem }),
        }
    }
}

impl<'a> Row<'a> {
    pub(super) fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.is_empty())
    }

    /// What a cell has, unless it is blank.
    pub(super) fn cell(&self, column: Option<usize>) -> Option<&str> {
        self.cells.get(column?).map(AsRef::as_ref).filter(|cell: &&str| !cell.is_empty())
    }
}

impl Layout {
    /// The layout of a table that begins with these lines.
    ///
    /// # Errors
    /// The column that was asked for and is not there, and those that are.
    fn of(
        beginning: &[(u64, String)],
        asked: &TableColumns,
        encoding: Encoding,
    ) -> Result<Self, (String, String)> {
        let lines: Vec<(u64, &str)> = beginning
            .iter()
            .map(|(line, text)| (*line, text.trim_end()))
            .filter(|(_, text)| !text.is_empty())
            .take(LOOKED_AT)
            .collect();
        let separator = separator(lines.iter().map(|(_, text)| *text));
        let mut rows: Vec<(u64, Vec<Cow<'_, str>>)> =
            lines.iter().filter_map(|(line, text)| Some((*line, split(text, separator)?))).collect();
        // R writes the numbers of rows without a name for their column.
        if let [(_, first), (_, second), ..] = rows.as_slice()
            && first.len() + 1 == second.len()
            && rows[1..].iter().all(|(_, row)| row.len() == second.len())
            && second.len() > 2
        {
            rows[0].1.insert(0, Cow::Borrowed(""));
        }
        let mut lengths: Vec<usize> = rows.iter().map(|(_, row)| row.len()).collect();
        lengths.sort_unstable();
        let width = rows
            .first()
            .map_or(1, |(_, first)| first.len())
            .max(lengths.get(lengths.len() / 2).copied().unwrap_or(1));
        let first = rows.first().map_or(&[][..], |(_, cells)| cells.as_slice());
        let body = rows.get(1..).unwrap_or_default();
        let is_header =
            [&asked.word, &asked.count].into_iter().flatten().any(|name| named(first, name).is_some())
                || is_header(first, body);
        let header = rows.first().filter(|_| is_header).map(|(line, cells)| {
            (*line, cells.iter().map(|cell| cell.clone().into_owned()).collect::<Vec<String>>())
        });
        let body = if is_header { body } else { rows.as_slice() };
        // Three words and more with spaces between them are a sentence, unless something makes them a table.
        let is_table = is_header || lines.iter().any(|(_, text)| text.contains('"'));
        let width = if separator == Separator::Spaces && !is_table { width.min(2) } else { width };
        let names = header.as_ref().map_or(&[][..], |(_, names)| names.as_slice());
        let find = |asked: &Option<String>| asked.as_ref().map(|name| place(name, names, width)).transpose();
        let known = |usual: &[&str], fits: &dyn Fn(usize) -> bool| {
            usual.iter().find_map(|usual| {
                names
                    .iter()
                    .position(|name| name.trim().to_lowercase() == *usual)
                    .filter(|column| fits(*column))
            })
        };
        let asked_word = find(&asked.word)?;
        let text = (0..width).find(|column| !all(body, *column, is_number));
        let word = asked_word.or_else(|| known(&WORDS, &|_| true)).or(text).unwrap_or(0);
        let is_count = |column| {
            column != word
                && column_of(body, column)
                    .any(|cell| cell.bytes().any(|digit| (b'1'..=b'9').contains(&digit)))
        };
        let is_whole = |column| all(body, column, |cell| cell.bytes().all(|digit| digit.is_ascii_digit()));
        let mut numbers =
            (0..width).filter(|column| *column != word && (width == 2 || all(body, *column, is_number)));
        let numbers = (numbers.find(|column| *column > word), numbers.next());
        let other = if let (Some(only), None) = numbers { Some(only) } else { None };
        let spaced = separator == Separator::Spaces;
        let count = match find(&asked.count)? {
            Some(column) => Some(column),
            // Numbers before words are counts, as `uniq -c` writes them, unless they number the lines.
            None if !is_header && width == 2 && word == 1 => {
                let numbers = column_of(body, 0).map(number);
                let is_numbering = numbers.zip(0..).all(|(found, place)| {
                    found == Some(f64::from(place)) || found == Some(f64::from(place + 1))
                });
                (!is_numbering).then_some(0)
            }
            None if spaced && width <= 2 => Some(1),
            None => known(&COUNTS, &is_count).or(other.filter(|column| {
                let numbers = column_of(body, *column).filter(|cell| is_number(cell)).count();
                match is_header {
                    true => width == 2 && is_whole(*column) && is_count(*column),
                    false => numbers > 0 && 2 * numbers >= column_of(body, *column).count(),
                }
            })),
        };
        let kind = (0..width).find(|column| *column != word && tells_kinds(body, *column));
        let second = kind.or((!is_header && word + 1 < width.max(2)).then_some(word + 1));
        let pseudoword = names
            .iter()
            .position(|name| name == "pseudoword")
            .filter(|column| *column != word && names[word] == "word");
        let is_asked = asked.word.is_some() || asked.count.is_some();
        Ok(Self { separator, header, width, word, count, second, pseudoword, encoding, is_asked })
    }

    /// The cells of a line.
    fn row<'a>(&self, text: &'a str) -> Result<Vec<Cow<'a, str>>, LineProblem> {
        let cells = split(text.trim_end(), self.separator).ok_or(LineProblem::OpenQuote)?;
        let more = cells.iter().skip(self.width).any(|cell| !cell.is_empty());
        let is_single = self.separator == Separator::Spaces;
        let foreign = is_single
            .then(|| SIGNS.iter().find(|(sign, _)| text.trim_end().trim_start_matches(' ').contains(*sign)))
            .flatten();
        if let Some((_, name)) = foreign {
            return Err(LineProblem::Separator { sign: name });
        }
        if is_single && cells.len() > 2 && self.width <= 2 {
            return Err(LineProblem::Columns { found: cells.len() });
        }
        if more && !is_single {
            return Err(LineProblem::Ragged { found: cells.len(), expected: self.width });
        }
        Ok(cells)
    }

    /// The columns' names, if they have any.
    pub(crate) fn names(&self) -> Option<&[String]> {
        self.header.as_ref().map(|(_, names)| names.as_slice())
    }

    fn title(&self, column: usize) -> String {
        let name = self.names().and_then(|names| names.get(column)).filter(|name| !name.is_empty());
        name.map_or_else(
            || format!("column {}", column + 1),
            |name| format!("column {} (`{}`)", column + 1, quote(name)),
        )
    }
}

/// What was found out, in half a sentence; nothing where nothing had to be guessed: no header, words first and counts second.
impl fmt::Display for Layout {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = self.header.is_none() && self.word == 0 && self.width <= 2 && !self.is_asked;
        let mut parts = Vec::new();
        if let Some((line, names)) = &self.header {
            let only = if names.len() == 1 { format!(" (`{}`)", quote(&names[0])) } else { String::new() };
            parts.push(format!("line {line} is a header{only}"));
        }
        if !is_plain && self.width > 1 {
            parts.push(format!("words are in {}", self.title(self.word)));
            if let Some(count) = self.count {
                parts.push(format!("counts in {}", self.title(count)));
            }
        }
        let sign = SIGNS.iter().find(|(sign, _)| self.separator == Separator::Sign(*sign));
        if let (false, Some((_, name))) = (is_plain, sign) {
            parts.push(format!("{name} between columns"));
        }
        if let Some(name) = self.encoding.name() {
            parts.push(format!("read as {name}"));
        }
        formatter.write_str(&parts.join(", "))
    }
}

/// The sign that is in at least half of the lines.
fn separator<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> Separator {
    let count = lines.clone().count();
    let is_usual = |(sign, _): &(char, &str)| {
        let with =
            lines.clone().filter(|line| split(line, Separator::Sign(*sign)).is_some_and(|row| row.len() > 1));
        let with = with.count();
        with > 0 && 2 * with >= count
    };
    SIGNS.into_iter().find(is_usual).map_or(Separator::Spaces, |(sign, _)| Separator::Sign(sign))
}

/// The cells of a line, without white space and quotation marks around them; none if one is not closed.
fn split(line: &str, separator: Separator) -> Option<Vec<Cow<'_, str>>> {
    let is_end = |sign: char| match separator {
        Separator::Sign(own) => sign == own,
        Separator::Spaces => sign.is_whitespace(),
    };
    if !line.contains('"') {
        return Some(match separator {
            Separator::Sign(sign) => line.split(sign).map(|cell| bare(cell.trim())).collect(),
            Separator::Spaces => line.split_whitespace().map(Cow::Borrowed).collect(),
        });
    }
    let (mut cells, mut rest) = (Vec::new(), line);
    loop {
        rest = rest.trim_start_matches(|sign: char| sign.is_whitespace() && !is_end(sign));
        if separator == Separator::Spaces {
            rest = rest.trim_start();
        }
        if let Some(inner) = rest.strip_prefix('"') {
            let (mut cell, mut after) = (String::new(), inner);
            loop {
                let (before, behind) = after.split_once('"')?;
                cell.push_str(before);
                match behind.strip_prefix('"') {
                    Some(more) => {
                        cell.push('"');
                        after = more;
                    }
                    None => {
                        rest = behind.trim_start_matches(|sign: char| sign.is_whitespace() && !is_end(sign));
                        break;
                    }
                }
            }
            cells.push(Cow::Owned(bare(cell.trim()).into_owned()));
            match rest.chars().next() {
                None => return Some(cells),
                Some(sign) if is_end(sign) => rest = &rest[sign.len_utf8()..],
                Some(_) => return None,
            }
        } else {
            let end = rest.find(is_end);
            cells.push(bare(rest[..end.unwrap_or(rest.len())].trim()));
            match end.and_then(|end| rest[end..].chars().next().map(|sign| end + sign.len_utf8())) {
                Some(next) => rest = &rest[next..],
                None => return Some(cells),
            }
        }
    }
}

/// A cell without the apostrophe that keeps spreadsheets from taking it for a formula.
fn bare(cell: &str) -> Cow<'_, str> {
    let inner = cell.strip_prefix('\'').filter(|inner| inner.starts_with(['=', '+', '-', '@']));
    Cow::Borrowed(inner.unwrap_or(cell))
}

/// A number as tables have it, with a point or a comma.
pub(super) fn number(cell: &str) -> Option<f64> {
    let cell = cell.replacen(',', ".", 1);
    let is_written = cell.bytes().all(|sign| sign.is_ascii_digit() || b"+-.eE".contains(&sign));
    cell.parse().ok().filter(|number: &f64| is_written && number.is_finite())
}

fn is_number(cell: &str) -> bool {
    number(cell).is_some()
}

type Rows<'r, 'a> = &'r [(u64, Vec<Cow<'a, str>>)];

/// The cells of a column that are not blank.
fn column_of<'r>(rows: Rows<'r, '_>, column: usize) -> impl Iterator<Item = &'r str> {
    let cells = rows.iter().filter_map(move |(_, row)| row.get(column));
    cells.map(AsRef::as_ref).filter(|cell: &&str| !cell.is_empty() && !matches!(*cell, "NA" | "NaN"))
}

/// Whether a column has anything, and nothing else.
fn all(rows: Rows<'_, '_>, column: usize, is_one: impl Fn(&str) -> bool) -> bool {
    let mut cells = column_of(rows, column).peekable();
    cells.peek().is_some() && cells.all(is_one)
}

/// Whether most cells of a column say whether something is a word: the others are mistakes.
fn tells_kinds(rows: Rows<'_, '_>, column: usize) -> bool {
    let kinds = column_of(rows, column).filter(|cell| is_word(cell).is_some()).count();
    kinds > 0 && 2 * kinds >= column_of(rows, column).count()
}

/// Whether the first line is a header: a column has numbers but for its first cell; or there is the name of a column of words, no
/// number, and what is said of kinds is not said of all lines.
fn is_header(first: &[Cow<'_, str>], body: Rows<'_, '_>) -> bool {
    if body.is_empty() {
        return false;
    }
    let has_no_digit = |cell: &str| !cell.bytes().any(|byte| byte.is_ascii_digit());
    let is_title = |(column, cell): (usize, &Cow<'_, str>)| {
        !cell.is_empty() && has_no_digit(cell) && all(body, column, is_number)
    };
    if first.iter().enumerate().any(is_title) {
        return true;
    }
    let usual = if first.len() == 1 { &ALONE[..] } else { &WORDS };
    let is_name = |cell: &Cow<'_, str>| usual.contains(&cell.to_lowercase().as_str());
    let is_kind = |(column, cell): (usize, &Cow<'_, str>)| {
        column > 0 && is_word(cell).is_some() && tells_kinds(body, column)
    };
    first.iter().any(is_name)
        && !first.iter().any(|cell| is_number(cell))
        && !first.iter().enumerate().any(is_kind)
}

fn named<T: AsRef<str>>(names: &[T], wanted: &str) -> Option<usize> {
    let is_it = |name: &T| name.as_ref().trim().to_lowercase() == wanted.trim().to_lowercase();
    names.iter().position(is_it)
}

/// The column of a name or number, or both what was wanted and what there is.
fn place(wanted: &str, names: &[String], width: usize) -> Result<usize, (String, String)> {
    let number =
        || wanted.parse().ok().filter(|number| (1..=width).contains(number)).map(|number: usize| number - 1);
    named(names, wanted).or_else(number).ok_or_else(|| {
        let columns = if width == 1 { "one column".to_owned() } else { format!("columns 1 to {width}") };
        let names = names.iter().filter(|name| !name.is_empty()).map(|name| quote(name)).collect::<Vec<_>>();
        let known = if names.is_empty() {
            format!("{columns} without names")
        } else {
            format!("{columns}: {}", names.join(", "))
        };
        (quote(wanted), known)
    })
}

#[cfg(test)]
mod tests;
