//! Lists in title case, as names are written: *Llaro*, *Gwythin*. Learnt with their capitals, a model mixes two alphabets and makes *HLlaro*.

use super::letters::{Casing, letters};
use super::read::quote;
use super::word_counts::WordCounts;

/// The smallest share of the words that must be in title case.
const LEAST: f64 = 0.9;

impl WordCounts {
    /// The words in lower case, if nearly all of them begin with a capital letter and have no other; what was done is added to what is
    /// told of the list. Other lists with capitals stay as they are, which is told, too.
    pub(crate) fn without_title_case(mut self, lower: Casing) -> (Self, bool) {
        let is_upper = |letter: &str| letter.chars().any(char::is_uppercase);
        let (mut title, mut small, mut mixed) = (0_usize, 0_usize, Vec::new());
        for word in self.words() {
            let mut own = letters(word);
            let begins = own.next().is_some_and(is_upper);
            match (begins, own.any(is_upper)) {
                (true, false) => title += 1,
                (false, false) => small += 1,
                (_, true) => mixed.push(word.to_owned()),
            }
        }
        // The table that they come from has no order.
        mixed.sort_unstable();
        let example = mixed.first().map(|word| quote(word));
        if title > 0 && title as f64 >= LEAST * self.types() as f64 {
            let others = self.types() - title;
            let others = match (others, example) {
                (0, _) => String::new(),
                (_, Some(example)) => {
                    format!("; so are {others} words with other capitals, such as {example}")
                }
                (_, None) => format!("; so are {others} words without one"),
            };
            let mut words = self.in_case(lower);
            words.tell(format!(
                "words begin with a capital letter: they are learnt in lower case, and words that are made begin with one{others}"
            ));
            return (words, true);
        }
        if title + mixed.len() > 0 && small + title + mixed.len() > 1 {
            self.tell(format!(
                "{} of {} words have capital letters, which are learnt as letters of their own (not with --lower-case)",
                title + mixed.len(),
                self.types()
            ));
        }
        (self, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> (WordCounts, bool) {
        WordCounts::from_counts(words.iter().map(|word| (*word, 1)))
            .unwrap()
            .without_title_case(Casing::Lower)
    }

    #[test]
    fn names_are_learnt_in_lower_case() {
        let (words, title) = read(&["Ada", "Zoë", "Łucja", "ada"]);
        assert!(!title && words.count("Ada") == 1);
        let names = ["Ada", "Zoë", "Łucja", "Kurt", "Alan", "Grace", "John", "Noam", "Édith", "McKenzie"];
        let (words, title) = read(&names);
        assert!(title && words.types() == 10);
        assert_eq!((words.count("zoë"), words.count("mckenzie"), words.count("Ada")), (1, 1, 0));
        let note = words.table().unwrap();
        assert!(note.ends_with("so are 1 words with other capitals, such as McKenzie"), "{note}");
    }

    #[test]
    fn other_lists_stay_as_they_are() {
        for (words, told) in
            [(&["haus", "maus"][..], false), (&["Haus", "gehen", "sehen"], true), (&["NATO", "UNO"], true)]
        {
            let (read, title) = read(words);
            assert!(!title && read.count(words[0]) == 1);
            assert_eq!(read.table().is_some(), told, "{words:?}");
        }
    }
}
