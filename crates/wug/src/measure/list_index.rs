//! A lexicon arranged for measuring, and what is kept of it from one call to the next.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, Weak};

use super::bigrams::Bigrams;
use super::length_profile::{ProfileKey, Spread};
use super::positional::PositionalNgrams;
use super::reference::{Reference, ReferenceKey};
use super::word_index::WordIndex;
use crate::lexicon::{END, Lexicon, Symbol, WordId};
use crate::vowels::Vowels;

/// A lexicon that words are compared with. Every part of it is made when a measure first asks for it, and kept: hold on to this, and the next
/// words are measured at once. Equal lists share one in a process.
#[derive(Debug)]
pub struct ListIndex {
    /// Tells lists apart.
    key: Arc<str>,
    lexicon: Arc<Lexicon>,
    vowels: Vowels,
    neighbours: OnceLock<WordIndex>,
    bigrams: OnceLock<Bigrams>,
    positional: OnceLock<PositionalNgrams>,
    /// Places of the words in the order of their texts.
    by_text: OnceLock<Vec<WordId>>,
    symbol_logs: OnceLock<Vec<f64>>,
    pub(super) references: Kept<ReferenceKey, Arc<Reference>>,
    pub(super) profiles: Kept<ProfileKey, Arc<Spread>>,
}

/// The lists that are in use.
static SHARED: Kept<Arc<str>, Weak<ListIndex>> = Kept::new(64);

/// References that are kept for a list, some hundred kilobytes each: those of a model and a seed for every length.
const REFERENCES: usize = 64;
/// Spreads that are kept, some kilobytes each.
const PROFILES: usize = 4096;

impl ListIndex {
    /// Arranges a lexicon, or takes what was arranged before for an equal one that is still in use.
    pub fn of(lexicon: Arc<Lexicon>) -> Arc<Self> {
        let letters = lexicon.alphabet().letters().collect::<Vec<_>>().join(" ");
        let key: Arc<str> = format!("{} {letters}", lexicon.digest()).into();
        if let Some(found) = SHARED.get(&key).and_then(|found| found.upgrade()) {
            return found;
        }
        let made = Arc::new(Self::new(Arc::clone(&key), lexicon));
        SHARED.insert(key, Arc::downgrade(&made));
        made
    }

    fn new(key: Arc<str>, lexicon: Arc<Lexicon>) -> Self {
        Self {
            key,
            vowels: Vowels::of(lexicon.alphabet()),
            lexicon,
            neighbours: OnceLock::new(),
            bigrams: OnceLock::new(),
            positional: OnceLock::new(),
            by_text: OnceLock::new(),
            symbol_logs: OnceLock::new(),
            references: Kept::new(REFERENCES),
            profiles: Kept::new(PROFILES),
        }
    }

    /// The lexicon.
    pub fn lexicon(&self) -> &Arc<Lexicon> {
        &self.lexicon
    }

    pub(super) fn key(&self) -> Arc<str> {
        Arc::clone(&self.key)
    }

    pub(super) fn vowels(&self) -> Vowels {
        self.vowels
    }

    pub(super) fn neighbours(&self) -> &WordIndex {
        once(&self.neighbours, || WordIndex::of_lexicon(&self.lexicon))
    }

    pub(super) fn bigrams(&self) -> &Bigrams {
        once(&self.bigrams, || Bigrams::of(&self.lexicon))
    }

    pub(super) fn positional(&self) -> &PositionalNgrams {
        once(&self.positional, || PositionalNgrams::of(&self.lexicon))
    }

    /// The lexicon's number of a letter; [`END`] if it lacks it.
    pub(super) fn symbol(&self, letter: &str) -> Symbol {
        self.lexicon.alphabet().symbol(letter).unwrap_or(END)
    }

    /// A word's letters by their numbers.
    pub(super) fn symbols<'l>(&self, letters: impl IntoIterator<Item = &'l str>) -> Vec<Symbol> {
        letters.into_iter().map(|letter| self.symbol(letter)).collect()
    }

    /// How often a word in normal form C occurs; none if the lexicon lacks it.
    pub(super) fn count(&self, word: &str) -> Option<u64> {
        let text = |&id: &WordId| self.lexicon.vocabulary().text(id);
        let by_text = once(&self.by_text, || {
            let mut ids: Vec<WordId> = self.lexicon.words().map(|word| word.id).collect();
            ids.sort_unstable_by(|left, right| text(left).cmp(text(right)));
            ids
        });
        let found = by_text.binary_search_by(|id| text(id).cmp(word)).ok()?;
        Some(self.lexicon.count(by_text[found]))
    }

    /// For each symbol, the logarithm of its share among the letters and ends of the words, each word counted once.
    pub(super) fn symbol_logs(&self) -> &[f64] {
        once::<Vec<f64>>(&self.symbol_logs, || {
            let mut counts = vec![0_u64; self.lexicon.alphabet().symbol_count()];
            self.lexicon
                .words()
                .flat_map(|word| word.symbols)
                .for_each(|&symbol| counts[usize::from(symbol)] += 1);
            let all = counts.iter().sum::<u64>() as f64;
            counts.into_iter().map(|count| libm::log(count as f64 / all)).collect()
        })
    }
}

/// Makes a part outside of the lock: a process that forks meanwhile must not find it locked for ever. Threads that come at the same time may
/// make it twice.
fn once<T>(part: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    if let Some(made) = part.get() {
        return made;
    }
    let made = make();
    part.get_or_init(|| made)
}

/// Results that are kept. Whoever finds them locked does without, as a process does that was forked while they were.
#[derive(Debug)]
pub(super) struct Kept<K, V> {
    /// When there are more, all are dropped.
    most: usize,
    results: Mutex<BTreeMap<K, V>>,
}

impl<K: Ord, V: Clone> Kept<K, V> {
    const fn new(most: usize) -> Self {
        Self { most, results: Mutex::new(BTreeMap::new()) }
    }

    pub(super) fn get(&self, key: &K) -> Option<V> {
        self.results.try_lock().ok()?.get(key).cloned()
    }

    pub(super) fn insert(&self, key: K, value: V) {
        if let Ok(mut results) = self.results.try_lock() {
            if results.len() >= self.most {
                results.clear();
            }
            results.insert(key, value);
        }
    }
}
