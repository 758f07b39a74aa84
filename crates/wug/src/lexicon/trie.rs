//! A prefix trie over a lexicon, laid out for walking.

use super::alphabet::{END, Symbol};
use super::{Lexicon, WordId};

/// All prefixes of the words that occur in a lexicon. Words are whole paths with the end symbol, so every leaf is
/// a word and every other node a proper prefix.
///
/// Nodes lie in flat arrays in depth-first order, a node before its children and children by rising symbol: a
/// walk over the trie is a loop over [`Trie::nodes`], with one slot of state for each depth.
#[derive(Debug, Clone)]
pub(crate) struct Trie {
    symbols: Vec<Symbol>,
    depths: Vec<u32>,
    /// For each node the index after its last descendant.
    ends: Vec<usize>,
    /// For each leaf its word; [`NO_WORD`] elsewhere.
    words: Vec<WordId>,
}

const NO_WORD: WordId = WordId::MAX;

/// A node of a [`Trie`]: a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    /// The node's place in depth-first order.
    pub index: usize,
    /// The last symbol of the prefix.
    pub symbol: Symbol,
    /// The length of the prefix, at least 1.
    pub depth: usize,
    /// The index after the node's last descendant: go there to leave out the subtree.
    pub end: usize,
    /// The word, if the prefix is a whole one.
    pub word: Option<WordId>,
}

impl Trie {
    /// The trie of the words that occur in the lexicon.
    pub(crate) fn of(lexicon: &Lexicon) -> Self {
        let mut words: Vec<(&[Symbol], WordId)> =
            lexicon.words().map(|word| (word.symbols, word.id)).collect();
        words.sort_unstable();
        let mut trie = Self { symbols: Vec::new(), depths: Vec::new(), ends: Vec::new(), words: Vec::new() };
        let mut open: Vec<usize> = Vec::new();
        let mut previous: &[Symbol] = &[];
        for (symbols, id) in words {
            let shared = previous.iter().zip(symbols).take_while(|(left, right)| left == right).count();
            trie.close(&mut open, shared);
            for &symbol in &symbols[shared..] {
                open.push(trie.symbols.len());
                trie.symbols.push(symbol);
                trie.depths.push(open.len() as u32);
                trie.ends.push(0);
                trie.words.push(if symbol == END { id } else { NO_WORD });
            }
            previous = symbols;
        }
        trie.close(&mut open, 0);
        trie
    }

    /// Ends the open nodes beyond a depth.
    fn close(&mut self, open: &mut Vec<usize>, depth: usize) {
        for index in open.drain(depth..) {
            self.ends[index] = self.symbols.len();
        }
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.symbols.len()
    }

    /// The length of the longest word, with the end symbol.
    pub(crate) fn depth(&self) -> usize {
        self.depths.iter().copied().max().unwrap_or(0) as usize
    }

    /// The node of an index.
    ///
    /// # Panics
    /// If there is none.
    pub(crate) fn node(&self, index: usize) -> Node {
        Node {
            index,
            symbol: self.symbols[index],
            depth: self.depths[index] as usize,
            end: self.ends[index],
            word: (self.words[index] != NO_WORD).then_some(self.words[index]),
        }
    }

    /// All nodes in depth-first order.
    pub(crate) fn nodes(&self) -> impl ExactSizeIterator<Item = Node> {
        (0..self.len()).map(|index| self.node(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{Filter, SplitKind, bundled};
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    impl Trie {
        /// The nodes one symbol longer, by rising symbol; of none, the nodes of depth 1.
        fn children(&self, parent: Option<Node>) -> impl Iterator<Item = Node> {
            let (mut next, end) = parent.map_or((0, self.len()), |node| (node.index + 1, node.end));
            std::iter::from_fn(move || {
                let node = (next < end).then(|| self.node(next))?;
                next = node.end;
                Some(node)
            })
        }

        /// The word that is spelt by symbols, which must include the end symbol.
        fn find(&self, symbols: &[Symbol]) -> Option<WordId> {
            let mut node = None;
            for &symbol in symbols {
                node = Some(self.children(node).find(|child| child.symbol == symbol)?);
            }
            node?.word
        }
    }

    /// The prefixes that a walk over the nodes spells.
    fn walk(trie: &Trie) -> Vec<(Vec<Symbol>, Node)> {
        let mut path = Vec::new();
        trie.nodes()
            .map(|node| {
                path.truncate(node.depth - 1);
                path.push(node.symbol);
                (path.clone(), node)
            })
            .collect()
    }

    /// For each node, how often the words below it occur.
    fn totals(trie: &Trie, counts: &[u64]) -> Vec<u64> {
        let mut totals = vec![0; trie.len()];
        let mut path: Vec<usize> = Vec::new();
        for node in trie.nodes() {
            path.truncate(node.depth - 1);
            path.push(node.index);
            if let Some(word) = node.word {
                path.iter().for_each(|&above| totals[above] += counts[word as usize]);
            }
        }
        totals
    }

    proptest! {
        #[test]
        fn the_walk_meets_every_prefix_once_and_every_word(words in proptest::collection::vec(("[abc]{1,4}", 1u64..9), 1..40)) {
            let lexicon = Lexicon::from_counts(words).unwrap();
            let trie = Trie::of(&lexicon);
            let mut prefixes: BTreeMap<&[Symbol], u64> = BTreeMap::new();
            for word in lexicon.words() {
                for length in 1..=word.symbols.len() {
                    *prefixes.entry(&word.symbols[..length]).or_default() += word.count;
                }
                prop_assert_eq!(trie.find(word.symbols), Some(word.id));
                prop_assert_eq!(trie.find(&word.symbols[..word.symbols.len() - 1]), None);
            }
            let totals = totals(&trie, lexicon.counts());
            let walked: Vec<(Vec<Symbol>, u64)> =
                walk(&trie).into_iter().map(|(prefix, node)| (prefix, totals[node.index])).collect();
            let expected: Vec<(Vec<Symbol>, u64)> =
                prefixes.into_iter().map(|(prefix, count)| (prefix.to_vec(), count)).collect();
            prop_assert_eq!(walked, expected);
        }
    }

    #[test]
    fn children_partition_their_parent() {
        let (lexicon, _) = bundled().unwrap().into_lexicon(&Filter::PAPER).unwrap();
        let trie = Trie::of(&lexicon);
        assert_eq!(trie.depth(), 13);
        let totals = totals(&trie, lexicon.counts());
        assert_eq!(trie.children(None).map(|node| totals[node.index]).sum::<u64>(), lexicon.tokens());
        for node in trie.nodes() {
            let below: u64 = trie.children(Some(node)).map(|child| totals[child.index]).sum();
            assert_eq!(below, if node.word.is_some() { 0 } else { totals[node.index] });
        }
        let found: BTreeSet<WordId> = trie.nodes().filter_map(|node| node.word).collect();
        assert_eq!(found.len(), lexicon.types());
    }

    #[test]
    fn a_part_has_only_its_own_words() {
        let lexicon = Lexicon::from_counts((0..50u64).map(|number| (format!("w{number}"), 1))).unwrap();
        let split = lexicon.split(SplitKind::Types, 1);
        let trie = Trie::of(&split.test);
        assert_eq!(trie.nodes().filter(|node| node.word.is_some()).count(), 5);
        assert!(split.train.words().all(|word| trie.find(word.symbols).is_none()));
        let one = Lexicon::from_counts([("w", 1)]).unwrap();
        assert!(Trie::of(&one.split(SplitKind::Types, 0).test).len() == 0);
    }
}
