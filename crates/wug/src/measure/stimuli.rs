//! The stimuli of an experiment, read from a table.

use std::collections::{HashSet, VecDeque};

use crate::lexicon::{Input, LexiconError, LineProblem, ListLines, ListOptions, Place, is_word};

/// A stimulus as a list has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedStimulus {
    /// Where it stands.
    pub place: Place,
    /// Its text.
    pub text: String,
    /// Whether it is a word, if the list says it.
    pub is_word: Option<bool>,
}

/// Reads stimuli: words with a column that says `word` or `nonword`, words alone, or the pairs that a match has written, in which a word
/// counts once. The first line settles which of them it is.
///
/// ```
/// use wug::lexicon::Input;
/// use wug::measure::Stimuli;
///
/// let table = "word,pseudoword\ncat,cet\ncat,cad\n";
/// let found: Vec<_> = Stimuli::new(Input::from_reader("pairs", table.as_bytes())?, false).collect::<Result<_, _>>()?;
/// let found: Vec<_> = found.iter().map(|one| (one.text.as_str(), one.is_word)).collect();
/// assert_eq!(found, [("cat", Some(true)), ("cet", Some(false)), ("cad", Some(false))]);
/// # Ok::<(), wug::lexicon::LexiconError>(())
/// ```
pub struct Stimuli {
    lines: ListLines,
    /// Whether the list tells words from nonwords.
    listed: Option<bool>,
    seen: HashSet<String>,
    waiting: VecDeque<ListedStimulus>,
}

impl Stimuli {
    /// Prepares to read.
    pub fn new(input: Input, options: impl Into<ListOptions>) -> Self {
        Self {
            lines: ListLines::new(input, options),
            listed: None,
            seen: HashSet::new(),
            waiting: VecDeque::new(),
        }
    }

    /// What was found out about the table ([`ListLines::note`]).
    pub fn note(&self) -> Option<String> {
        self.lines.note()
    }

    /// Whether the list tells words from nonwords, once it was read.
    pub fn are_listed(&self) -> bool {
        self.listed == Some(true)
    }

    /// What the column of kinds says, which all lines must have if the first one has it.
    fn kind(&mut self, found: Option<&str>) -> Result<Option<bool>, LineProblem> {
        match (found, *self.listed.get_or_insert(found.is_some())) {
            (None, false) => Ok(None),
            (None, true) => Err(LineProblem::NoKind),
            (Some(_), false) => Err(LineProblem::UnexpectedKind),
            (Some(found), true) => {
                let kind = is_word(found).ok_or_else(|| LineProblem::Kind { found: found.to_owned() })?;
                Ok(Some(kind))
            }
        }
    }
}

impl Iterator for Stimuli {
    type Item = Result<ListedStimulus, LexiconError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(stimulus) = self.waiting.pop_front() {
                return Some(Ok(stimulus));
            }
            let line = match self.lines.next()? {
                Ok(line) => line,
                Err(error) => return Some(Err(error)),
            };
            let (place, text) = (line.place, line.word);
            if let Some(pseudoword) = line.pseudoword {
                self.listed = Some(true);
                let word = self.seen.insert(text.clone()).then_some((text, true));
                let both = word.into_iter().chain([(pseudoword, false)]);
                let stimulus =
                    |(text, is_word)| ListedStimulus { place: place.clone(), text, is_word: Some(is_word) };
                self.waiting.extend(both.map(stimulus));
                continue;
            }
            return Some(match self.kind(line.second.as_deref()) {
                Ok(is_word) => Ok(ListedStimulus { place, text, is_word }),
                Err(problem) => Err(LexiconError::Line { place, problem }),
            });
        }
    }
}
