//! The list that comes with the library.

use super::error::LexiconError;
use super::input::Input;
use super::read::read_list;
use super::word_counts::WordCounts;

/// `classics-en`: counts from about 570 public-domain English books. `data/README.md` tells where it comes from.
static CLASSICS_EN: &[u8] = include_bytes!("../../data/classics-en.tsv.zst");

/// Reads the bundled list, `classics-en`: 99,635 English words of 2 to 12 letters.
pub fn bundled() -> Result<WordCounts, LexiconError> {
    read_list(Input::from_reader("classics-en (bundled)", CLASSICS_EN)?, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{Filter, Statistics};
    use sha2::{Digest, Sha256};
    use std::io::Read;

    fn sha256(bytes: &[u8]) -> String {
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn the_list_is_the_one_that_is_described() {
        let readme = include_str!("../../data/README.md");
        assert!(readme.contains(&sha256(CLASSICS_EN)));
        let mut plain = Vec::new();
        crate::lexicon::zstd::Frames::new(CLASSICS_EN).read_to_end(&mut plain).unwrap();
        assert!(readme.contains(&sha256(&plain)));
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
