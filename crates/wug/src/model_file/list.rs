//! The words that a model was trained on, as its file holds them.

use crate::lexicon::packed::{PackedError, PackedList};
use crate::lexicon::{Lexicon, LexiconError, WordCounts};

/// Names of the tensors: words that were learnt or held out, and words that the filter dropped.
const KEPT: [&str; 2] = ["lexicon.words", "lexicon.counts"];
const DROPPED: [&str; 2] = ["lexicon.dropped.words", "lexicon.dropped.counts"];

/// The words that a model was trained and tested on, and those that its list has beside them, in few bytes.
///
/// With it, a model file alone is enough to make new words, to score and to match, wherever it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredList {
    kept: PackedList,
    dropped: Option<PackedList>,
}

impl StoredList {
    /// Packs the words of a lexicon.
    pub fn of(lexicon: &Lexicon) -> Self {
        let kept = lexicon.words().map(|word| (word.text, word.count)).collect();
        let dropped: Vec<(&str, u64)> =
            lexicon.dropped().iter().map(|(word, count)| (word.as_ref(), *count)).collect();
        let dropped = (!dropped.is_empty()).then(|| PackedList::pack(dropped));
        Self { kept: PackedList::pack(kept), dropped }
    }

    /// The words that were learnt or held out; they know of the others.
    ///
    /// # Errors
    /// When the list is damaged.
    pub fn lexicon(&self) -> Result<Lexicon, LexiconError> {
        let kept = self.kept.unpack().map_err(damaged)?;
        if kept.is_empty() || kept.iter().any(|(_, count)| *count == 0) {
            return Err(LexiconError::Stored { reason: "a word never occurs, or there is none".into() });
        }
        kept.iter()
            .try_fold(0_u64, |sum, (_, count)| sum.checked_add(*count))
            .ok_or(LexiconError::TooManyTokens)?;
        Ok(Lexicon::from_distinct(kept)?.with_dropped(self.unpack_dropped()?))
    }

    /// All words of the list. `name` is what the list was called.
    ///
    /// # Errors
    /// When the list is damaged.
    pub fn words(&self, name: &str) -> Result<WordCounts, LexiconError> {
        let mut words = WordCounts::new(name);
        for (word, count) in self.kept.unpack().map_err(damaged)?.into_iter().chain(self.unpack_dropped()?) {
            words.add(&word, count).map_err(LexiconError::from)?;
            words.lines += 1;
        }
        Ok(words)
    }

    fn unpack_dropped(&self) -> Result<Vec<(Box<str>, u64)>, LexiconError> {
        self.dropped.as_ref().map_or(Ok(Vec::new()), |dropped| dropped.unpack().map_err(damaged))
    }

    /// The tensors' names and bytes.
    pub(crate) fn tensors(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        let lists = [(KEPT, Some(&self.kept)), (DROPPED, self.dropped.as_ref())];
        lists.into_iter().filter_map(|(names, list)| Some((names, list?))).flat_map(
            |([words, counts], list)| [(words, list.words.as_slice()), (counts, list.counts.as_slice())],
        )
    }

    /// The list that a file holds in its tensors; none if it has no tensors of these names. The inner error is the name of a
    /// tensor that is missing.
    pub(super) fn from_tensors<E>(
        tensor: impl Fn(&str) -> Result<Option<Vec<u8>>, E>,
    ) -> Result<Result<Option<Self>, &'static str>, E> {
        let mut lists = [None, None];
        for (list, names) in lists.iter_mut().zip([KEPT, DROPPED]) {
            *list = match (tensor(names[0])?, tensor(names[1])?) {
                (None, None) => None,
                (Some(words), Some(counts)) => Some(PackedList { words, counts }),
                (None, Some(_)) => return Ok(Err(names[0])),
                (Some(_), None) => return Ok(Err(names[1])),
            };
        }
        Ok(match lists {
            [Some(kept), dropped] => Ok(Some(Self { kept, dropped })),
            [None, None] => Ok(None),
            [None, Some(_)] => Err(KEPT[0]),
        })
    }
}

fn damaged(error: PackedError) -> LexiconError {
    LexiconError::Stored { reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Filter;

    #[test]
    fn a_list_comes_back_with_what_was_dropped() {
        let mut words = WordCounts::new("list");
        for (word, count) in [("wug", 20), ("blick", 12), ("x", 90), ("rare", 2), ("zoë", 10)] {
            words.add(word, count).unwrap();
        }
        let (lexicon, _) = words.into_lexicon(&Filter::PAPER).unwrap();
        let list = StoredList::of(&lexicon);
        assert_eq!(list.lexicon().unwrap(), lexicon);
        let all = list.words("list").unwrap();
        assert_eq!((all.types(), all.count("rare"), all.count("x"), all.tokens()), (5, 2, 90, 134));
        assert_eq!(list.tensors().count(), 4);
        let whole = Lexicon::from_counts([("wug", 1)]).unwrap();
        assert_eq!(StoredList::of(&whole).tensors().count(), 2);
    }

    #[test]
    fn words_that_never_occur_are_no_lexicon() {
        let list = StoredList { kept: PackedList::pack(vec![("wug", 0)]), dropped: None };
        assert!(list.lexicon().unwrap_err().to_string().contains("never occurs"));
        let list = StoredList { kept: PackedList::pack(Vec::new()), dropped: None };
        assert!(list.lexicon().is_err());
        let list = StoredList { kept: PackedList::pack(vec![("a", u64::MAX), ("b", 1)]), dropped: None };
        assert!(matches!(list.lexicon(), Err(LexiconError::TooManyTokens)));
        assert!(matches!(list.words("list"), Err(LexiconError::TooManyTokens)));
    }
}
