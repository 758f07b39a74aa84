//! Word counts of running text of any size.
//!
//! Text streams through in chunks that end at white space. Every thread takes the next chunk, counts it into a
//! table of its own and empties the table into the common one when it has grown, so memory is bounded by the
//! vocabulary and the chunks, not by the text. The result does not depend on the number of threads.

mod ascii;
mod chunks;
mod classes;
mod table;
mod words;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use super::error::LexiconError;
use super::input::Input;
use chunks::{Chunk, Chunks};
use table::Table;
use words::Words;

/// A thread's own table is emptied into the common one when it has this many words.
const LARGEST_OWN_TABLE: usize = 1 << 17;

/// What is a word of a text. By default the rules of the bundled list: words in lower case, and words with an
/// apostrophe left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CountRules {
    /// Keep capital letters.
    pub keep_case: bool,
    /// Keep words with apostrophes inside, written `'` whichever sign the text has.
    pub keep_apostrophes: bool,
    /// Drop what is elided and count what follows, as French, Italian and Catalan want: `l'homme` is *homme*, `dell'arte` is
    /// *arte*. A word that an apostrophe ends (`po'`) is a cut form and left out, and so is `aujourd'hui`. It comes before
    /// `keep_apostrophes`.
    pub elision: bool,
}

/// How many pieces of text between word boundaries were not counted, although they have letters or digits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Words with an apostrophe.
    pub apostrophe: u64,
    /// Words with digits or other signs.
    pub not_letters: u64,
    /// Words of more than 1,024 bytes.
    pub too_long: u64,
}

impl LeftOut {
    fn add(&mut self, other: LeftOut) {
        self.apostrophe += other.apostrophe;
        self.not_letters += other.not_letters;
        self.too_long += other.too_long;
    }
}

/// The words of a text with their counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextCounts {
    words: Vec<(Box<str>, u64)>,
    left_out: LeftOut,
}

impl TextCounts {
    /// The words by falling count, equal counts in code-point order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        self.words.iter().map(|(word, count)| (word.as_ref(), *count))
    }

    /// The sum of all counts.
    pub fn tokens(&self) -> u64 {
        self.words.iter().map(|(_, count)| count).sum()
    }

    /// What was not counted.
    pub fn left_out(&self) -> LeftOut {
        self.left_out
    }

    /// Writes `word<TAB>count` lines, a list that [`super::read_list`] reads.
    pub fn write_tsv(&self, mut writer: impl Write) -> io::Result<()> {
        self.words.iter().try_for_each(|(word, count)| writeln!(writer, "{word}\t{count}"))
    }
}

/// Counts the words of all inputs, one after the other, on `threads` threads. `progress` is told now and then how
/// many bytes of the inputs, before decompression, have been taken.
///
/// A word is what lies between two word boundaries of Unicode (UAX #29) and has only letters in it.
///
/// ```
/// use std::num::NonZeroUsize;
/// use wug::lexicon::{CountRules, Input, count_text};
///
/// let text = "The wug – that's a wug – met another Wug.";
/// let input = Input::from_reader("example", text.as_bytes());
/// let counts = count_text([input], CountRules::default(), NonZeroUsize::MIN, &|_| ())?;
/// assert_eq!(counts.words().next(), Some(("wug", 3)));
/// assert_eq!(counts.left_out().apostrophe, 1);
/// # Ok::<(), wug::lexicon::LexiconError>(())
/// ```
pub fn count_text<I>(
    inputs: I,
    rules: CountRules,
    threads: NonZeroUsize,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<TextCounts, LexiconError>
where
    I: IntoIterator<Item = Result<Input, LexiconError>>,
    I::IntoIter: Send,
{
    let shared = Shared::new(inputs.into_iter(), progress);
    std::thread::scope(|scope| {
        for _ in 1..threads.get() {
            // If the system refuses a thread, the others do its work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, || shared.work(rules));
        }
        shared.work(rules);
    });
    if let Some((_, error)) = lock(&shared.failure).take() {
        return Err(error);
    }
    let (table, left_out) = shared.common.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(TextCounts { words: table.into_sorted(), left_out })
}

struct Shared<'a, I> {
    chunks: Mutex<Chunks<'a, I>>,
    common: Mutex<(Table, LeftOut)>,
    /// The error that comes first in the text, with the number of its chunk.
    failure: Mutex<Option<(u64, LexiconError)>>,
}

impl<'a, I: Iterator<Item = Result<Input, LexiconError>>> Shared<'a, I> {
    fn new(inputs: I, progress: &'a (dyn Fn(u64) + Sync)) -> Self {
        Self {
            chunks: Mutex::new(Chunks::new(inputs, progress)),
            common: Mutex::new((Table::default(), LeftOut::default())),
            failure: Mutex::new(None),
        }
    }

    fn work(&self, rules: CountRules) {
        let mut words = Words::new(rules);
        let mut chunk = Chunk::default();
        loop {
            // The lock must be free again before a failure is noted.
            let next = lock(&self.chunks).next(&mut chunk);
            match next {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    self.fail(chunk.number, error);
                    break;
                }
            }
            match chunk.text() {
                Ok(text) => words.count(text),
                Err(error) => self.fail(chunk.number, error),
            }
            if words.table.len() > LARGEST_OWN_TABLE {
                words.table.empty_into(&mut lock(&self.common).0);
            }
        }
        let mut common = lock(&self.common);
        words.table.empty_into(&mut common.0);
        common.1.add(words.left_out);
    }

    /// Chunks are handed out in the order of the text, so no later failure can come before the ones that are
    /// still being worked on.
    fn fail(&self, number: u64, error: LexiconError) {
        lock(&self.chunks).stop();
        let mut failure = lock(&self.failure);
        if failure.as_ref().is_none_or(|(first, _)| number < *first) {
            *failure = Some((number, error));
        }
    }
}

/// A thread that panicked ends the whole count; until then its data are as good as ever.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Place;
    use std::io::Cursor;

    fn count(texts: &[&[u8]], threads: usize) -> Result<TextCounts, LexiconError> {
        let inputs: Vec<_> =
            texts.iter().map(|text| Input::from_reader("text", Cursor::new(text.to_vec()))).collect();
        count_text(inputs, CountRules::default(), NonZeroUsize::new(threads).unwrap(), &|_| ())
    }

    /// A few chunks of text in which every word tells where it stands.
    fn long_text() -> String {
        let letters = |number: usize| -> String {
            number.to_string().bytes().map(|digit| char::from(b'a' + digit - b'0')).collect()
        };
        (0..500_000)
            .map(|number| format!("Wug{} ", letters(number % 7919)) + if number % 9 == 0 { "\n" } else { "" })
            .collect()
    }

    #[test]
    fn the_number_of_threads_does_not_show() {
        let text = long_text();
        let one = count(&[text.as_bytes()], 1).unwrap();
        assert_eq!((one.words().len(), one.tokens()), (7919, 500_000));
        assert!(one.words().all(|(_, count)| (63..=64).contains(&count)));
        for threads in [2, 3, 8] {
            assert_eq!(count(&[text.as_bytes()], threads).unwrap(), one);
        }
    }

    #[test]
    fn files_are_apart_even_without_a_last_newline() {
        let counts = count(&[b"one tw", b"o three", b""], 2).unwrap();
        let words: Vec<_> = counts.words().collect();
        assert_eq!(words, [("o", 1), ("one", 1), ("three", 1), ("tw", 1)]);
    }

    #[test]
    fn the_first_error_of_the_text_is_reported() {
        let mut text = long_text().into_bytes();
        let late = text.len() - 3;
        text[late] = 0xff;
        let early = text.len() / 2;
        text[early] = 0;
        let line = 1 + text[..early].iter().filter(|&&byte| byte == b'\n').count() as u64;
        for threads in 1..4 {
            match count(&[&text], threads).unwrap_err() {
                LexiconError::Binary { place, offset } => {
                    assert_eq!((place, offset), (Place { name: "text".into(), line }, early as u64));
                }
                other => panic!("{other}"),
            }
        }
    }

    #[test]
    fn of_several_failures_the_one_in_the_earliest_chunk_counts() {
        let shared = Shared::new(std::iter::empty(), &|_| ());
        for number in [5, 2, 7] {
            shared.fail(number, LexiconError::Empty { name: number.to_string() });
        }
        let failure = lock(&shared.failure).take();
        assert!(matches!(failure, Some((2, LexiconError::Empty { name })) if name == "2"));
    }

    #[test]
    fn a_missing_file_stops_the_count() {
        let inputs = [Input::from_reader("text", &b"wug"[..]), Input::open("no/such/file".as_ref())];
        let error = count_text(inputs, CountRules::default(), NonZeroUsize::MIN, &|_| ()).unwrap_err();
        assert!(matches!(error, LexiconError::Open { .. }));
    }
}
