//! The shape of a word: consonants and vowels, how it begins and how it ends.

use serde::Serialize;

use crate::vowels::{LetterKind, Vowels};

/// What a word's consonants and vowels are. Which letters are vowels is [a table's](Vowels) word, and a group of vowels is not always a
/// syllable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shape {
    /// `C`, `V` or, for signs that are neither, `-` for each letter.
    pub skeleton: String,
    /// Groups of vowels.
    pub vowel_groups: usize,
    /// The letters before the first vowel.
    pub onset: String,
    /// The letters from the last group of vowels on.
    pub ending: String,
}

impl Shape {
    /// The shape of a word's letters; none if the table lacks their script.
    pub fn of<'l>(letters: impl IntoIterator<Item = &'l str>, vowels: Vowels) -> Option<Self> {
        let mut shape =
            Self { skeleton: String::new(), vowel_groups: 0, onset: String::new(), ending: String::new() };
        let mut before = LetterKind::Consonant;
        for letter in letters {
            let kind = vowels.kind(letter);
            let sign = match kind {
                LetterKind::Vowel => 'V',
                LetterKind::Consonant => 'C',
                LetterKind::Sign => '-',
                LetterKind::Unknown => return None,
            };
            shape.skeleton.push(sign);
            if kind == LetterKind::Vowel && before != LetterKind::Vowel {
                shape.vowel_groups += 1;
                shape.ending.clear();
            }
            if shape.vowel_groups == 0 {
                shape.onset.push_str(letter);
            }
            shape.ending.push_str(letter);
            before = kind;
        }
        Some(shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Alphabet;

    #[test]
    fn beginnings_and_endings() {
        let alphabet = Alphabet::from_letters(["a"]).unwrap();
        let shape = |word: &str| {
            Shape::of(crate::lexicon::letters::letters(word), Vowels::of(&alphabet))
                .map(|shape| (shape.skeleton, shape.vowel_groups, shape.onset, shape.ending))
        };
        let expected = |skeleton: &str, groups, onset: &str, ending: &str| {
            Some((skeleton.to_owned(), groups, onset.to_owned(), ending.to_owned()))
        };
        assert_eq!(shape("strength"), expected("CCCVCCCC", 1, "str", "ength"));
        assert_eq!(shape("nation"), expected("CVCVVC", 2, "n", "ion"));
        assert_eq!(shape("idea"), expected("VCVV", 2, "", "ea"));
        assert_eq!(shape("hmm"), expected("CCC", 0, "hmm", "hmm"));
        assert_eq!(shape("зʼїзд"), expected("C-VCC", 1, "зʼ", "їзд"));
        assert_eq!(shape("나"), None);
    }
}
