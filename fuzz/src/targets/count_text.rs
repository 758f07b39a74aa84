//! Any bytes give counts or an error, the same for any number of threads, and counts that are a readable list.

use std::io::Cursor;
use std::num::NonZeroUsize;

use wug::lexicon::{CountRules, Input, LexiconError, TextCounts, count_text, read_list};

fn count(bytes: &[u8], rules: CountRules, threads: usize) -> Result<TextCounts, LexiconError> {
    let input = Input::from_reader("fuzz", Cursor::new(bytes.to_vec()));
    count_text([input], rules, NonZeroUsize::new(threads).unwrap(), &|_| ())
}

/// Runs the target.
pub fn run(bytes: &[u8]) {
    for (keep_case, keep_apostrophes) in [(false, false), (true, true)] {
        let rules = CountRules { keep_case, keep_apostrophes, elision: keep_case };
        let Ok(counts) = count(bytes, rules, 1) else { continue };
        assert_eq!(count(bytes, rules, 2).unwrap(), counts);
        let mut list = Vec::new();
        counts.write_tsv(&mut list).unwrap();
        if counts.words().len() > 0 {
            let input = Input::from_reader("list", Cursor::new(list)).unwrap();
            let words = read_list(input, !keep_case).unwrap();
            assert!(counts.words().all(|(word, count)| words.count(word) == count));
        }
    }
}
