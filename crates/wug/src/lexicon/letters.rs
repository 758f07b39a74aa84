//! What a letter is: one grapheme cluster of a word in Unicode normal form C.

use std::borrow::Cow;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
use unicode_segmentation::UnicodeSegmentation;

/// Joiners shape the letters around them (Persian, Hindi) without being letters of their own.
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];

/// What becomes of capital letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Casing {
    /// They stay.
    #[default]
    Keep,
    /// Unicode's full mapping without a locale: `İ` becomes `i` with a combining dot (one letter), and a sigma at the end of a
    /// word becomes `ς`.
    Lower,
    /// The same for Turkish and Azeri: `I` becomes `ı`, and `İ` becomes `i`.
    LowerTurkic,
}

impl From<bool> for Casing {
    fn from(lower_case: bool) -> Self {
        if lower_case { Self::Lower } else { Self::Keep }
    }
}

/// The word in normal form C, in lower case if asked for.
pub(crate) fn normalise(word: &str, casing: impl Into<Casing>) -> Cow<'_, str> {
    let casing = casing.into();
    let lower_case = casing != Casing::Keep;
    if casing == Casing::LowerTurkic {
        let dotted = compose(Cow::Borrowed(word)).replace('İ', "i").replace('I', "ı");
        return compose(Cow::Owned(dotted.to_lowercase()));
    }
    if word.is_ascii() {
        return if lower_case && word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(word.to_ascii_lowercase())
        } else {
            Cow::Borrowed(word)
        };
    }
    let composed = compose(Cow::Borrowed(word));
    if lower_case { compose(Cow::Owned(composed.to_lowercase())) } else { composed }
}

fn compose(word: Cow<'_, str>) -> Cow<'_, str> {
    match is_nfc_quick(word.chars()) {
        IsNormalized::Yes => word,
        _ => Cow::Owned(word.nfc().collect()),
    }
}

/// The letters of a word that is in normal form C.
pub(crate) fn letters(word: &str) -> impl Iterator<Item = &str> {
    word.graphemes(true)
}

/// Whether a character can stand alone as a letter: alphabetic, but no mark and no number such as `Ⅳ`.
pub(crate) fn is_base_letter(character: char) -> bool {
    character.is_alphabetic() && !character.is_numeric() && !is_combining_mark(character)
}

/// Whether a grapheme cluster is an alphabetic character with nothing but its marks and joiners.
pub(crate) fn is_alphabetic(letter: &str) -> bool {
    let mut characters = letter.chars();
    characters.next().is_some_and(is_base_letter)
        && characters
            .all(|other| other.is_alphabetic() || is_combining_mark(other) || JOINERS.contains(&other))
}

/// Whether every letter of the word is alphabetic.
pub(crate) fn is_letters_only(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphabetic()) || letters(word).all(is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn composed_and_decomposed_spellings_are_one_word() {
        assert_eq!(normalise("cafe\u{301}", false), "café");
        assert_eq!(normalise("\u{1112}\u{1161}\u{11ab}", false), "한");
        assert_eq!(normalise("CAFE\u{301}", true), "café");
    }

    #[test]
    fn lower_case_is_unicodes_own() {
        assert_eq!(normalise("ΟΔΟΣ", true), "οδος");
        assert_eq!(normalise("Iıİ", true), "iıi\u{307}");
        assert_eq!(letters("i\u{307}").count(), 1);
    }

    #[test]
    fn turkish_has_an_i_with_and_one_without_a_dot() {
        for (word, expected) in
            [("IĞDIR", "ığdır"), ("İstanbul", "istanbul"), ("I\u{307}zmir", "izmir"), ("iı", "iı")]
        {
            assert_eq!(normalise(word, Casing::LowerTurkic), expected);
        }
    }

    #[test]
    fn letters_only_accepts_marks_and_joiners_but_no_signs() {
        for word in ["wug", "naïve", "x\u{301}", "नमस्ते", "می\u{200c}خواهم", "한국", "日本", "ß"]
        {
            assert!(is_letters_only(word), "{word}");
        }
        for word in ["don't", "l’eau", "a1", "x-ray", "👍", "🇬🇧", "a\u{ad}b", "\u{301}", "1\u{301}"]
        {
            assert!(!is_letters_only(word), "{word}");
        }
    }

    proptest! {
        #[test]
        fn normalising_twice_changes_nothing(word in "\\PC{0,12}", lower_case: bool) {
            let once = normalise(&word, lower_case).into_owned();
            prop_assert_eq!(normalise(&once, lower_case), once.as_str());
        }
    }
}
