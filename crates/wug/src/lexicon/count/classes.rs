//! What the common characters mean to the word counter, in a table.
//!
//! The rules of Unicode are those of `unicode-segmentation` and `unicode-normalization`; the table asks them once
//! about every character below U+2070, which covers the letters of the Latin, Greek, Cyrillic, Armenian and
//! Georgian scripts and the usual punctuation. Everything that is not clear from one character alone is left to
//! the careful path.

use std::sync::LazyLock;

use unicode_normalization::{IsNormalized, is_nfc_quick};
use unicode_segmentation::UnicodeSegmentation;

use super::super::letters;

/// One past the last character of the table.
const LIMIT: usize = 0x2070;

/// What one character means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Only the characters around it tell.
    Unclear,
    /// A word boundary on both sides.
    Break,
    /// A boundary on both sides unless it stands between two letters: apostrophe, full stop, colon.
    Middle,
    /// A letter, as it is to be counted.
    Letter(Letter),
}

/// A character in UTF-8, padded, so that it can be copied without a look at its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Letter {
    pub(crate) bytes: [u8; 4],
    pub(crate) length: u8,
}

impl From<char> for Letter {
    fn from(character: char) -> Self {
        let mut bytes = [0; 4];
        let length = character.encode_utf8(&mut bytes).len() as u8;
        Self { bytes, length }
    }
}

/// The classes of characters, for one rule of lower-casing.
pub(crate) struct Classes {
    table: Vec<Class>,
}

impl Classes {
    /// The table, made at the first use.
    pub(crate) fn get(keep_case: bool) -> &'static Self {
        static LOWER: LazyLock<Classes> = LazyLock::new(|| Classes::new(false));
        static AS_IS: LazyLock<Classes> = LazyLock::new(|| Classes::new(true));
        if keep_case { &AS_IS } else { &LOWER }
    }

    fn new(keep_case: bool) -> Self {
        let character = |number: usize| u32::try_from(number).ok().and_then(char::from_u32);
        let class =
            |number| character(number).map_or(Class::Unclear, |character| classify(character, keep_case));
        Self { table: (0..LIMIT).map(class).collect() }
    }

    /// The class of the character that begins at `index` of a text, and its length in bytes; none at the end.
    #[inline]
    pub(crate) fn at(&self, text: &[u8], index: usize) -> Option<(Class, usize)> {
        let first = *text.get(index)?;
        let continuation = |offset: usize| usize::from(text.get(index + offset).copied().unwrap_or(0) & 0x3f);
        let (number, length) = match first {
            0..=0x7f => (usize::from(first), 1),
            0x80..=0xdf => (usize::from(first & 0x1f) << 6 | continuation(1), 2),
            0xe0..=0xef => (usize::from(first & 0x0f) << 12 | continuation(1) << 6 | continuation(2), 3),
            0xf0.. => (LIMIT, 4),
        };
        Some((self.table.get(number).copied().unwrap_or(Class::Unclear), length))
    }
}

fn classify(character: char, keep_case: bool) -> Class {
    if is_plain_letter(character) {
        // The capital sigma becomes one of two letters, depending on its place.
        let mut lower = character.to_lowercase();
        return match (keep_case, lower.next(), lower.next()) {
            (true, ..) => Class::Letter(character.into()),
            (false, Some(lower), None) if character != 'Σ' && is_plain_letter(lower) => {
                Class::Letter(lower.into())
            }
            _ => Class::Unclear,
        };
    }
    if character.is_alphanumeric() {
        return Class::Unclear;
    }
    let segments = |text: String| text.split_word_bounds().count();
    match (segments(format!("a{character}a")), segments(format!("a{character}"))) {
        (3, 2) => Class::Break,
        (1, 2) => Class::Middle,
        _ => Class::Unclear,
    }
}

/// A letter that joins the letters around it to one word whatever they are, is one grapheme cluster and takes
/// part in no composition. Hebrew letters, which also join to quotation marks, are not plain.
fn is_plain_letter(character: char) -> bool {
    let joined = format!("a{character}{character}a");
    letters::is_base_letter(character)
        && is_nfc_quick(std::iter::once(character)) == IsNormalized::Yes
        && joined.graphemes(true).count() == 4
        && joined.split_word_bounds().count() == 1
        && format!("{character}'").split_word_bounds().count() == 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(character: char) -> Class {
        let mut bytes = [0; 4];
        let text = character.encode_utf8(&mut bytes);
        let (class, length) = Classes::get(false).at(text.as_bytes(), 0).unwrap();
        assert_eq!(length, text.len());
        class
    }

    #[test]
    fn the_table_knows_the_common_characters() {
        for (upper, lower) in
            [('A', 'a'), ('z', 'z'), ('É', 'é'), ('Ж', 'ж'), ('Ω', 'ω'), ('σ', 'σ'), ('Ḃ', 'ḃ'), ('ı', 'ı')]
        {
            assert_eq!(class(upper), Class::Letter(lower.into()), "{upper}");
        }
        for character in [' ', '\n', '-', ',', '"', '—', '“', '…', '\u{a0}'] {
            assert_eq!(class(character), Class::Break, "{character}");
        }
        for character in ['\'', '’', '.', '·'] {
            assert_eq!(class(character), Class::Middle, "{character}");
        }
        for character in ['0', '_', 'Σ', 'İ', 'ש', '\u{301}', '\u{1100}', '\u{200d}', '한', '👍', '日']
        {
            assert_eq!(class(character), Class::Unclear, "{character}");
        }
    }
}
