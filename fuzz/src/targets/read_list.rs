//! Any bytes, plain or compressed, give a lexicon or an error; a lexicon survives writing and reading.

use std::io::Cursor;

use wug::lexicon::{Filter, Input, Lexicon, LexiconError, SplitKind, read_list};

fn read(bytes: Vec<u8>, lower_case: bool) -> Result<Lexicon, LexiconError> {
    let words = read_list(Input::from_reader("fuzz", Cursor::new(bytes))?, lower_case)?;
    Ok(words.into_lexicon(&Filter::default())?.0)
}

/// Runs the target.
pub fn run(bytes: &[u8]) {
    for lower_case in [false, true] {
        let lexicon = match read(bytes.to_vec(), lower_case) {
            Ok(lexicon) => lexicon,
            Err(error) => return assert!(!error.to_string().is_empty()),
        };
        let mut list = Vec::new();
        lexicon.write_tsv(&mut list).unwrap();
        assert_eq!(read(list, lower_case).unwrap(), lexicon);
        let split = lexicon.split(SplitKind::Types, 1);
        assert_eq!(split.train.tokens() + split.test.tokens(), lexicon.tokens());
    }
}
