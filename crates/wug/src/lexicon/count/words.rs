//! Finds the words of a text and counts them.
//!
//! A text is cut at ASCII white space, and each piece at the word boundaries of UAX #29. A segment is counted if it
//! is a word under the rules of [`CountRules`]. That is the careful path. The quick path handles words of plain
//! letters between clear boundaries, nearly all of most texts, and hands the rest of a piece to the careful one
//! from a boundary on.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

use super::super::letters;
use super::super::read::MAX_WORD;
use super::ascii::leading_letters;
use super::classes::{Class, Classes};
use super::table::Table;
use super::{CountRules, LeftOut};

/// Words of the quick path are shorter than this, in bytes.
const QUICK: usize = 64;

const APOSTROPHES: [char; 2] = ['\'', '’'];

/// A word whose first part is no elision, and whose last is no word.
const TODAY: [&str; 2] = ["aujourd", "hui"];

/// Words counted so far.
pub(crate) struct Words {
    pub(crate) table: Table,
    pub(crate) left_out: LeftOut,
    rules: CountRules,
    classes: &'static Classes,
}

impl Words {
    pub(crate) fn new(rules: CountRules) -> Self {
        Self {
            table: Table::default(),
            left_out: LeftOut::default(),
            rules,
            classes: Classes::get(rules.keep_case),
        }
    }

    /// Counts the words of a text.
    pub(crate) fn count(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut index = 0;
        while let Some((class, length)) = self.classes.at(bytes, index) {
            if matches!(class, Class::Break | Class::Middle) {
                index += length;
                continue;
            }
            let end = if matches!(class, Class::Letter(_)) { self.count_quickly(bytes, index) } else { None };
            index = end.unwrap_or_else(|| self.count_carefully(text, index));
        }
    }

    /// Counts the word of plain letters that begins at `start` and returns its end; none if it takes a closer look.
    #[inline]
    fn count_quickly(&mut self, text: &[u8], start: usize) -> Option<usize> {
        if let Some(window) = text[start..].first_chunk() {
            let (length, key) = leading_letters(*window, self.rules.keep_case);
            if (1..window.len()).contains(&length) && self.is_end(text, start + length) {
                self.table.add_key(key);
                return Some(start + length);
            }
        }
        let (mut buffer, mut length, mut index) = ([0; QUICK], 0, start);
        while let Some((Class::Letter(letter), bytes)) = self.classes.at(text, index) {
            *buffer[length..].first_chunk_mut()? = letter.bytes;
            length += usize::from(letter.length);
            index += bytes;
        }
        self.is_end(text, index).then(|| {
            self.table.add_buffered(&buffer, length);
            index
        })
    }

    /// Whether a run of plain letters that stops at `index` is a whole word for certain.
    #[inline]
    fn is_end(&self, text: &[u8], index: usize) -> bool {
        match self.classes.at(text, index) {
            None | Some((Class::Break, _)) => true,
            // It may be the apostrophe of a cut form.
            Some((Class::Middle, _)) if self.rules.elision => false,
            Some((Class::Middle, bytes)) => {
                matches!(self.classes.at(text, index + bytes), None | Some((Class::Break | Class::Middle, _)))
            }
            Some(_) => false,
        }
    }

    /// Counts the words from `start`, a word boundary, to the next white space and returns its place.
    fn count_carefully(&mut self, text: &str, start: usize) -> usize {
        let rest = &text[start..];
        let end = rest.find(|character: char| character.is_ascii_whitespace()).unwrap_or(rest.len());
        self.count_piece(&rest[..end]);
        start + end
    }

    /// Counts the words of a piece without white space, by the book.
    fn count_piece(&mut self, piece: &str) {
        let mut segments = piece.split_word_bounds().peekable();
        while let Some(segment) = segments.next() {
            // Plain text marks emphasis with underscores, which Unicode joins to the word.
            let segment = segment.trim_matches('_');
            if !segment.contains(char::is_alphanumeric) {
                continue;
            }
            if self.rules.elision && segments.peek().is_some_and(|next| next.starts_with(APOSTROPHES)) {
                self.left_out.apostrophe += 1;
                continue;
            }
            match judge(segment, self.rules) {
                Verdict::Word(word) => self.table.add(&word),
                Verdict::Apostrophe => self.left_out.apostrophe += 1,
                Verdict::NotLetters => self.left_out.not_letters += 1,
                Verdict::TooLong => self.left_out.too_long += 1,
            }
        }
    }
}

/// What becomes of a segment with letters or digits.
enum Verdict<'a> {
    Word(Cow<'a, str>),
    Apostrophe,
    NotLetters,
    TooLong,
}

fn judge(segment: &str, rules: CountRules) -> Verdict<'_> {
    let word = letters::normalise(segment, !rules.keep_case);
    if word.len() > MAX_WORD {
        return Verdict::TooLong;
    }
    if letters::is_letters_only(&word) {
        return Verdict::Word(word);
    }
    let parts: Vec<&str> = word.split(APOSTROPHES).collect();
    if !parts.iter().all(|part| !part.is_empty() && letters::is_letters_only(part)) {
        Verdict::NotLetters
    } else if rules.elision {
        let is_today = parts.ends_with(&TODAY) || parts.ends_with(&["Aujourd", "hui"]);
        match parts.last() {
            Some(last) if !is_today => Verdict::Word((*last).to_owned().into()),
            _ => Verdict::Apostrophe,
        }
    } else if rules.keep_apostrophes {
        Verdict::Word(parts.join("'").into())
    } else {
        Verdict::Apostrophe
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counted(text: &str, rules: CountRules) -> (Vec<(Box<str>, u64)>, LeftOut) {
        let mut words = Words::new(rules);
        words.count(text);
        (words.table.into_sorted(), words.left_out)
    }

    /// Only the careful path, piece by piece.
    fn by_the_book(text: &str, rules: CountRules) -> (Vec<(Box<str>, u64)>, LeftOut) {
        let mut words = Words::new(rules);
        text.split(|character: char| character.is_ascii_whitespace())
            .for_each(|piece| words.count_piece(piece));
        (words.table.into_sorted(), words.left_out)
    }

    fn list(text: &str, rules: CountRules) -> String {
        let mut words: Vec<String> =
            counted(text, rules).0.into_iter().map(|(word, count)| format!("{word}:{count}")).collect();
        words.sort();
        words.join(" ")
    }

    #[test]
    fn words_of_a_text() {
        let rules = CountRules::default();
        assert_eq!(list("The end. The END, (the) \"end\"!", rules), "end:3 the:3");
        assert_eq!(list("don't rock-n-roll dogs' 'tis U.S.A. a.b", rules), "dogs:1 n:1 rock:1 roll:1 tis:1");
        assert_eq!(list("_so_ _very well_ snake_case 3rd R2D2 3,000", rules), "so:1 very:1 well:1");
        assert_eq!(list("“Café”—cafe\u{301}… CAFÉ", rules), "café:3");
        assert_eq!(list("ΟΔΟΣ οδός Straße ИЖ", rules), "straße:1 οδος:1 οδός:1 иж:1");
        assert_eq!(list("\u{1112}\u{1161}\u{11ab} 한 👍a🇬🇧b 日本", rules), "a:1 b:1 日:1 本:1 한:2");
        let (_, left_out) = counted(&format!("don't l’eau a1 {}", "x".repeat(2000)), rules);
        assert_eq!(left_out, LeftOut { apostrophe: 2, not_letters: 1, too_long: 1 });
    }

    #[test]
    fn rules_can_be_loosened() {
        let rules = CountRules { keep_case: true, keep_apostrophes: true, elision: false };
        assert_eq!(list("Don't don’t 'Don' a1", rules), "Don't:1 Don:1 don't:1");
    }

    #[test]
    fn elided_parts_are_dropped() {
        let rules = CountRules { elision: true, ..CountRules::default() };
        assert_eq!(list("L'homme qu'il l’homme d'une, J'ai", rules), "ai:1 homme:2 il:1 une:1");
        assert_eq!(list("dell'arte un po' quell’altro dell' arte", rules), "altro:1 arte:2 un:1");
        assert_eq!(list("Aujourd'hui d’aujourd’hui presqu'île hui", rules), "hui:1 île:1");
        assert_eq!(list("«l'École» m'_a_ d'1", rules), "a:1 école:1");
        let (_, left_out) = counted("po' aujourd'hui l'eau d'1", rules);
        assert_eq!(left_out, LeftOut { apostrophe: 3, not_letters: 1, too_long: 0 });
    }

    #[test]
    fn long_words_take_the_careful_path() {
        for length in [15, 16, 17, 55, 56, 59, 60, 61, 64, 65, 1024] {
            for letter in ["x", "é", "ẃ"] {
                if length * letter.len() <= MAX_WORD {
                    let word = letter.repeat(length);
                    assert_eq!(counted(&word, CountRules::default()).0, [(word.into(), 1)]);
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn the_quick_path_agrees_with_the_book(
            text in "([a-cA-CéÉσΣΩжЖıİשक्한하\u{301}\u{200d}\u{ad}👍日カ]|[ \n\t_0-1.,:;'’\"“”—-]|\\PC){0,40}",
            keep_case: bool, keep_apostrophes: bool, elision: bool,
        ) {
            let rules = CountRules { keep_case, keep_apostrophes, elision };
            prop_assert_eq!(counted(&text, rules), by_the_book(&text, rules));
        }

        #[test]
        fn a_cut_at_white_space_does_not_show(left in "[a-zé'_ 1\u{301}]{0,20}", right in "[a-zé'_ 1\u{301}]{0,20}") {
            let rules = CountRules::default();
            let mut apart = Words::new(rules);
            apart.count(&format!("{left} "));
            apart.count(&right);
            prop_assert_eq!((apart.table.into_sorted(), apart.left_out), counted(&format!("{left} {right}"), rules));
        }
    }
}
