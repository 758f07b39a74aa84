//! The list that comes with the library.

use super::error::LexiconError;
use super::input::Input;
use super::read::read_list;
use super::word_counts::WordCounts;

/// Reads the bundled list, `classics-en`: 99,635 English words of 2 to 12 letters, counted in about 570 public-domain books.
pub fn bundled() -> Result<WordCounts, LexiconError> {
    read_list(Input::from_reader("classics-en (bundled)", wug_data::ENGLISH[1].words)?, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{Filter, Statistics};

    #[test]
    fn the_list_is_whole() {
        let words = bundled().unwrap();
        assert_eq!((words.types(), words.lines, words.header), (99_635, 99_635, false));
    }

    #[test]
    fn the_papers_filter_gives_the_reference_figures() {
        let (lexicon, summary) = bundled().unwrap().into_lexicon(&Filter::PAPER).unwrap();
        assert_eq!((lexicon.types(), lexicon.tokens()), (50_058, 46_430_473));
        assert_eq!(summary.too_rare.types, 99_635 - 50_058);
        assert_eq!(lexicon.alphabet().symbol_count(), 27);
        let statistics = Statistics::of(&lexicon);
        assert!((statistics.entropy - 6.948_698_4).abs() < 1e-6, "{}", statistics.entropy);
        // The reference table says 15.26. The closed form over the whole list is 15.253; measured on a test part of
        // the token split instead, it is 15.253 with a standard error of 0.003.
        assert!((statistics.symbol_entropy - 15.252_896_6).abs() < 1e-6, "{}", statistics.symbol_entropy);
        assert!((statistics.mean_length - 4.380_672_3).abs() < 1e-6, "{}", statistics.mean_length);
    }
}
