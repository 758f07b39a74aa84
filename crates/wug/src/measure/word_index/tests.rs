use super::super::levenshtein::tests::textbook;
use super::*;
use proptest::prelude::*;

/// A search for all words within a distance, which falls once so many are found.
struct Within {
    bound: usize,
    enough: usize,
    found: Vec<(usize, usize, u32)>,
}

impl Search for Within {
    fn bound(&self) -> usize {
        self.bound
    }

    fn take(&mut self, found: Found<'_>) {
        assert_eq!(found.count(), found.ids().count());
        assert!(found.ids().is_sorted() && found.count() > 0);
        self.found.extend(found.ids().map(|id| (found.distance, found.length, id)));
        if self.found.len() >= self.enough {
            self.found.sort_unstable();
            self.bound = self.found[self.enough - 1].0;
        }
    }
}

/// Compares what is found on every path with what the textbook finds.
fn check(words: &[Vec<Symbol>], letters: &[Symbol], bound: usize, enough: usize) {
    let index = WordIndex::of((0..).zip(words.iter().map(Vec::as_slice)));
    let mut all: Vec<(usize, usize, u32)> =
        (0..).zip(words).map(|(id, word)| (textbook(letters, word), word.len(), id)).collect();
    all.sort_unstable();
    let last = enough.checked_sub(1).and_then(|place| all.get(place)).map_or(bound, |word| word.0.min(bound));
    all.retain(|word| word.0 <= last);
    for path in Path::available() {
        let mut search = Within { bound, enough, found: Vec::new() };
        index.search_on(path, letters, &mut search);
        search.found.retain(|word| word.0 <= last);
        search.found.sort_unstable();
        assert_eq!(search.found, all, "{letters:?} within {bound} or {enough} on {path}");
    }
}

/// Every bound, and the nearest words.
fn check_all(words: &[Vec<Symbol>], letters: &[Symbol]) {
    (0..9).chain([usize::MAX]).for_each(|bound| check(words, letters, bound, usize::MAX));
    [1, 2, 20].into_iter().for_each(|enough| check(words, letters, usize::MAX, enough));
}

fn spelt(
    symbols: Symbol,
    length: impl Into<prop::collection::SizeRange>,
) -> impl Strategy<Value = Vec<Symbol>> {
    prop::collection::vec(1..=symbols, length)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn short_words_of_few_letters(
        words in prop::collection::vec(spelt(3, 0..9), 0..200),
        letters in spelt(4, 0..11),
    ) {
        check_all(&words, &letters);
    }

    #[test]
    fn blocks_that_are_full_and_symbols_that_are_rare(
        words in prop::collection::vec(spelt(900, 2..4), 1000..1500),
        letters in spelt(901, 0..5),
    ) {
        check_all(&words, &letters);
    }

    #[test]
    fn many_words_of_some_length(
        words in prop::collection::vec(spelt(5, 6..9), 1500..2000),
        letters in spelt(5, 5..10),
    ) {
        check(&words, &letters, 4, usize::MAX);
        check(&words, &letters, usize::MAX, 20);
    }

    #[test]
    fn long_words_and_words_beyond_all_blocks(
        words in prop::collection::vec(spelt(2, 90..140), 1..60),
        letters in spelt(2, 80..150),
    ) {
        check_all(&words, &letters);
    }

    #[test]
    fn long_words_that_are_nearly_the_same(
        word in spelt(20, 90..128),
        changes in prop::collection::vec((0_usize..90, 1_u16..21, 0_usize..3), 60..90),
    ) {
        let change = |&(at, symbol, kind): &(usize, Symbol, usize)| {
            let more: &[Symbol] = if kind == 0 { &[] } else { &[symbol] };
            [&word[..at], more, &word[at + usize::from(kind < 2)..]].concat()
        };
        let words: Vec<_> = changes.iter().map(change).collect();
        check_all(&words, &word);
        check_all(&words, &words[0]);
    }
}

#[test]
fn words_that_are_all_alike() {
    let one_letter: Vec<Vec<Symbol>> = (0..300).map(|length| vec![1; length % 150]).collect();
    for length in [0, 1, 2, 70, 127, 128, 129, 149, 200] {
        check(&one_letter, &vec![1; length], 4, usize::MAX);
        check(&one_letter, &vec![2; length], usize::MAX, 20);
    }
    let same = vec![vec![1, 2, 3]; 1100];
    check_all(&same, &[1, 2, 3]);
    check_all(&same, &[3, 2, 1, 0]);
    check_all(&[], &[1, 2, 3]);
    check_all(&[vec![]], &[]);
}

#[test]
fn ten_thousand_words_at_distance_one() {
    let word: Vec<Symbol> = (1..=20).collect();
    let change = |change: usize| {
        let mut other = word.clone();
        other[change % 20] = 21 + (change / 20) as Symbol;
        other
    };
    let words: Vec<_> = (0..10_000).map(change).collect();
    check(&words, &word, usize::MAX, 20);
    check(&words, &words[77], 1, usize::MAX);
    let neighbourhood = WordIndex::of((0..).zip(words.iter().map(Vec::as_slice))).around(&word);
    assert_eq!((neighbourhood.substitutions, neighbourhood.old20), (10_000, Some(1.0)));
    // Of equals those with the lowest numbers.
    assert!(neighbourhood.nearest.into_iter().eq(0..5));
}

#[test]
fn the_nearest_lengths_come_first() {
    assert!(nearest_first(2, 6).eq([2, 1, 3, 0, 4, 5]));
    assert!(nearest_first(9, 3).eq([2, 1, 0]));
    assert_eq!(nearest_first(0, 0).next(), None);
}
