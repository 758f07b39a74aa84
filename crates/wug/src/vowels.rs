//! Vowels and consonants, by a table for Latin, Cyrillic and Greek letters.
//!
//! Spelling is not sound, and the table says what letters are as a rule: `y` is a vowel (*happy*, *gym*; not so in *yes*), `w` is a
//! consonant, `й` and `ў` are consonants, `ь` is a sign that is neither, and `ъ` is one too, except in alphabets without `ы`, such as the
//! Bulgarian one, where it is a vowel. Letters with accents are what they are without, and marks such as the apostrophe are neither.

use unicode_normalization::UnicodeNormalization;

use crate::lexicon::Alphabet;

/// What a letter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LetterKind {
    /// A vowel.
    Vowel,
    /// A consonant.
    Consonant,
    /// Neither, such as an apostrophe or the soft sign.
    Sign,
    /// A letter of a script that the table lacks.
    Unknown,
}

const LATIN: &str = "aeiouyæœøıəɛɔɑɒɐɘɜɞɤɨɪɯɵʉʊʌʏ";
const CYRILLIC: &str = "аеёиіїоуыэюяєѣѵѫѧѹѡөүұәӕӣӯ";
const CYRILLIC_CONSONANTS: &str = "йўј";
const GREEK: &str = "αεηιουω";

/// What the letters of an alphabet are.
#[derive(Debug, Clone, Copy)]
pub struct Vowels {
    hard_sign_is_vowel: bool,
}

impl Vowels {
    /// The table for an alphabet.
    pub fn of(alphabet: &Alphabet) -> Self {
        Self { hard_sign_is_vowel: !["ы", "Ы"].iter().any(|letter| alphabet.symbol(letter).is_some()) }
    }

    /// What a letter is, which is a grapheme cluster in normal form C.
    pub fn kind(self, letter: &str) -> LetterKind {
        let lower = letter.to_lowercase();
        let Some(whole) = lower.chars().next() else { return LetterKind::Sign };
        let base = lower.nfd().next().unwrap_or(whole);
        let is_in = |table: &str, sign: char| table.contains(sign);
        match whole {
            'ъ' if self.hard_sign_is_vowel => LetterKind::Vowel,
            // Marks of length, breath and the like, which stand beside letters in phonetic writing, and an apostrophe.
            'ъ' | 'ь' | '\u{2b0}'..='\u{2ff}' => LetterKind::Sign,
            _ if is_in(CYRILLIC_CONSONANTS, whole) => LetterKind::Consonant,
            _ if [LATIN, CYRILLIC, GREEK].iter().any(|table| is_in(table, whole) || is_in(table, base)) => {
                LetterKind::Vowel
            }
            _ if !whole.is_alphabetic() => LetterKind::Sign,
            _ if in_a_known_script(base) => LetterKind::Consonant,
            _ => LetterKind::Unknown,
        }
    }
}

/// Latin with the letters of the phonetic alphabet, Greek, Cyrillic.
fn in_a_known_script(sign: char) -> bool {
    matches!(sign,
        'a'..='z' | '\u{df}'..='\u{2af}' | '\u{1d00}'..='\u{1dbf}' | '\u{1e00}'..='\u{1fff}'
        | '\u{370}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' | '\u{2c60}'..='\u{2c7f}' | '\u{a640}'..='\u{a69f}'
        | '\u{a720}'..='\u{a7ff}' | '\u{ab30}'..='\u{ab6f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(alphabet: &[&str], word: &str) -> String {
        let mut letters: Vec<&str> = alphabet.to_vec();
        letters.sort_unstable();
        let vowels = Vowels::of(&Alphabet::from_letters(letters).unwrap());
        let sign = |letter: &str| match vowels.kind(letter) {
            LetterKind::Vowel => 'V',
            LetterKind::Consonant => 'C',
            LetterKind::Sign => '-',
            LetterKind::Unknown => '?',
        };
        crate::lexicon::letters::letters(word).map(sign).collect()
    }

    #[test]
    fn letters_of_three_scripts() {
        let latin = ["a", "b"];
        for (word, expected) in [
            ("happy", "CVCCV"),
            ("école", "VCVCV"),
            ("Œuvre", "VVCCV"),
            ("garçon", "CVCCVC"),
            ("łódź", "CVCC"),
            ("smørbrød", "CCVCCCVC"),
            ("straße", "CCCVCV"),
            ("t͡ʃɪŋ", "CCVC"),
            ("άνθρωπος", "VCCCVCVC"),
            ("don't", "CVC-C"),
            ("ʃiːp", "CV-C"),
            ("한글", "??"),
            ("ქართული", "???????"),
        ] {
            assert_eq!(kinds(&latin, word), expected, "{word}");
        }
    }

    #[test]
    fn hard_signs_depend_on_the_alphabet() {
        assert_eq!(kinds(&["ъ", "ы"], "объём"), "VC-VC");
        assert_eq!(kinds(&["ъ", "а"], "ъгъл"), "VCVC");
        assert_eq!(kinds(&["ы"], "мой"), "CVC");
        assert_eq!(kinds(&["а"], "їжак"), "VCVC");
        assert_eq!(kinds(&["а"], "крв"), "CCC", "a syllabic r is no vowel");
        assert_eq!(kinds(&["а"], "сіль"), "CVC-");
    }
}
