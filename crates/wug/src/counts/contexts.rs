//! Contexts of a list, as a tree that grows where it is looked at.
//!
//! The words stand one after the other in a text, with an end symbol before the first and after each: the end of a word is also the start of the
//! next. A node is a context, the last k symbols before a place of the text; its children are contexts with one older symbol more. No context
//! reaches beyond the start of its word. A node's children are made when they are first asked for, in time proportional to its places: a few words
//! cost milliseconds, and no list is counted further than it is used.

use std::sync::OnceLock;

use super::gate::Known;
use crate::lexicon::{END, Lexicon, Symbol};

/// How often each symbol follows each context of up to `order − 1` symbols.
#[derive(Debug)]
pub(crate) struct Contexts {
    symbols: usize,
    order: usize,
    text: Box<[Symbol]>,
    /// What each place of the text counts; none if all count 1.
    weights: Option<Box<[u32]>>,
    root: Node,
    /// Where the words begin, in the order of their symbols; sorted when it is first needed.
    starts: OnceLock<Box<[u32]>>,
    /// What is known of a context that counts 1.
    once: Known,
}

/// A context that has several places.
#[derive(Debug, Default)]
pub(crate) struct Node {
    /// Where the symbols that follow it stand, in order.
    places: Box<[u32]>,
    /// These symbols and what they count, by symbol.
    followers: Box<[(Symbol, u64)]>,
    total: u64,
    known: Known,
    children: OnceLock<Box<[(Symbol, Child)]>>,
}

#[derive(Debug)]
enum Child {
    /// A context with a single place.
    Single(u32),
    Many(Box<Node>),
}

/// A context that occurs in the list.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Level<'t> {
    /// At several places.
    Node(&'t Node),
    /// At one place.
    Single(u32),
}

/// What is known of the symbols that follow a context.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Totals {
    /// How often any symbol follows it; 0 if it does not occur.
    pub(crate) total: u64,
    /// How many different symbols follow it.
    pub(crate) distinct: u64,
}

impl Contexts {
    /// Counts the words of a lexicon, each with its weight.
    pub(crate) fn of(lexicon: &Lexicon, order: usize) -> Self {
        let (mut text, mut weights) = (vec![END], vec![0_u32]);
        for word in lexicon.words() {
            // Places are numbered in 32 bits.
            if text.len() + word.symbols.len() > u32::MAX as usize {
                break;
            }
            text.extend_from_slice(word.symbols);
            let weight = u32::try_from(word.count).unwrap_or(u32::MAX);
            weights.extend(std::iter::repeat_n(weight.max(1), word.symbols.len()));
        }
        let weights = weights[1..].iter().any(|&weight| weight != 1).then(|| weights.into());
        let symbols = lexicon.alphabet().symbol_count();
        let once = Known::of(Totals { total: 1, distinct: 1 });
        let (root, starts) = (Node::default(), OnceLock::new());
        let mut contexts = Self { symbols, order, root, starts, text: text.into(), weights, once };
        contexts.root = contexts.node((1..contexts.text.len() as u32).collect());
        contexts
    }

    /// Whether a word, with its end, is one of those that are counted.
    pub(crate) fn has(&self, word: &[Symbol]) -> bool {
        let from = |start: u32| &self.text[start as usize..];
        let text = |start: u32| {
            let end = from(start).iter().position(|&symbol| symbol == END);
            &from(start)[..end.map_or(0, |end| end + 1)]
        };
        let starts = self.starts.get_or_init(|| {
            let ends = self.text.iter().enumerate().filter(|(_, symbol)| **symbol == END);
            let mut starts: Box<[u32]> = ends.map(|(place, _)| place as u32 + 1).collect();
            starts.sort_unstable_by(|&one, &other| text(one).cmp(text(other)));
            starts
        });
        starts.binary_search_by(|&start| text(start).cmp(word)).is_ok()
    }

    /// Symbols of the alphabet, the end among them.
    pub(crate) fn symbols(&self) -> usize {
        self.symbols
    }

    /// Contexts have fewer symbols than this.
    pub(crate) fn order(&self) -> usize {
        self.order
    }

    /// The contexts that `before` ends with and that occur in the list, from the empty one on, each one symbol longer than the one before it. `before` is
    /// a word's beginning with an end symbol before it, or at least its last `order − 1` symbols. Returns whether the last is the whole beginning.
    pub(crate) fn levels<'t>(&'t self, before: &[Symbol], levels: &mut Vec<Level<'t>>) -> bool {
        levels.clear();
        let mut level = Level::Node(&self.root);
        levels.push(level);
        for (length, &symbol) in (1..self.order).zip(before.iter().rev()) {
            let longer = match level {
                Level::Node(node) => node.child(self, length, symbol),
                Level::Single(place) => (self.older(place, length) == symbol).then_some(level),
            };
            let Some(longer) = longer else { break };
            level = longer;
            levels.push(level);
            if symbol == END {
                return true;
            }
        }
        false
    }

    /// How often a symbol follows a context.
    pub(crate) fn count(&self, level: Level<'_>, symbol: Symbol) -> u64 {
        match level {
            Level::Node(node) => node
                .followers
                .binary_search_by_key(&symbol, |pair| pair.0)
                .map_or(0, |at| node.followers[at].1),
            Level::Single(place) if self.text[place as usize] == symbol => self.weight(place),
            Level::Single(_) => 0,
        }
    }

    /// The symbols that follow a context, with how often they do.
    pub(crate) fn followers<'l>(&'l self, level: &'l Level<'l>) -> impl Iterator<Item = (Symbol, u64)> + 'l {
        let (many, single) = match *level {
            Level::Node(node) => (&node.followers[..], None),
            Level::Single(place) => (&[][..], Some((self.text[place as usize], self.weight(place)))),
        };
        many.iter().copied().chain(single)
    }

    /// All of them together.
    pub(crate) fn totals(&self, level: Level<'_>) -> Totals {
        match level {
            Level::Node(node) => Totals { total: node.total, distinct: node.followers.len() as u64 },
            Level::Single(place) => Totals { total: self.weight(place), distinct: 1 },
        }
    }

    /// What a gate may know of a context.
    pub(crate) fn known(&self, level: Level<'_>) -> Known {
        match level {
            Level::Node(node) => node.known,
            Level::Single(place) if self.weights.is_some() => Known::of(self.totals(Level::Single(place))),
            Level::Single(_) => self.once,
        }
    }

    fn weight(&self, place: u32) -> u64 {
        self.weights.as_ref().map_or(1, |weights| weights[place as usize].into())
    }

    /// The oldest symbol of the context of `length` symbols before a place.
    fn older(&self, place: u32, length: usize) -> Symbol {
        self.text[place as usize - length]
    }

    fn node(&self, places: Box<[u32]>) -> Node {
        let mut followers: Vec<(Symbol, u64)> =
            places.iter().map(|&place| (self.text[place as usize], self.weight(place))).collect();
        if followers.len() > self.symbols {
            let mut counts = vec![0; self.symbols];
            followers.iter().for_each(|&(symbol, weight)| counts[usize::from(symbol)] += weight);
            followers = (0..).zip(counts).filter(|pair| pair.1 > 0).collect();
        } else {
            followers.sort_unstable_by_key(|pair| pair.0);
            followers.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                kept.1 += if same { next.1 } else { 0 };
                same
            });
        }
        let total = followers.iter().map(|pair| pair.1).sum();
        let known = Known::of(Totals { total, distinct: followers.len() as u64 });
        Node { places, followers: followers.into(), total, known, children: OnceLock::new() }
    }
}

impl Node {
    /// The context with one older symbol more, of `length` symbols then.
    fn child<'t>(&'t self, contexts: &Contexts, length: usize, symbol: Symbol) -> Option<Level<'t>> {
        let children = self.children.get_or_init(|| self.expand(contexts, length));
        let at = children.binary_search_by_key(&symbol, |child| child.0).ok()?;
        Some(match &children[at].1 {
            Child::Single(place) => Level::Single(*place),
            Child::Many(node) => Level::Node(node),
        })
    }

    fn expand(&self, contexts: &Contexts, length: usize) -> Box<[(Symbol, Child)]> {
        // By the older symbol, and places in order among equals.
        let mut starts = vec![0_u32; contexts.symbols + 1];
        for &place in &self.places {
            starts[usize::from(contexts.older(place, length)) + 1] += 1;
        }
        (1..starts.len()).for_each(|symbol| starts[symbol] += starts[symbol - 1]);
        let mut next = starts.clone();
        let mut sorted = vec![0; self.places.len()];
        for &place in &self.places {
            let to = &mut next[usize::from(contexts.older(place, length))];
            sorted[*to as usize] = place;
            *to += 1;
        }
        let children = starts.windows(2).enumerate().filter(|(_, pair)| pair[0] < pair[1]);
        children
            .map(|(symbol, pair)| {
                let places = &sorted[pair[0] as usize..pair[1] as usize];
                let child = match places {
                    [place] => Child::Single(*place),
                    places => Child::Many(Box::new(contexts.node(places.into()))),
                };
                (symbol as Symbol, child)
            })
            .collect()
    }
}

/// What one word adds to the counts of the contexts of one of its places: it is taken off in training.
#[derive(Debug, Clone, Default)]
pub(crate) struct Own {
    /// The word with an end symbol before it.
    text: Vec<Symbol>,
    /// Places that have the same context as the place at hand so far.
    alike: Vec<usize>,
}

impl Own {
    /// Of a word with its end symbol.
    pub(crate) fn of(word: &[Symbol]) -> Self {
        let text = std::iter::once(END).chain(word.iter().copied()).collect();
        Self { text, alike: Vec::new() }
    }

    /// The symbols before symbol `t`, from the end symbol before the word on.
    pub(crate) fn before(&self, t: usize) -> &[Symbol] {
        &self.text[..=t]
    }

    /// Begins with the empty context.
    pub(crate) fn begin(&mut self) {
        self.alike.clear();
        self.alike.extend(0..self.text.len() - 1);
    }

    /// Goes on to the context of `length` symbols before symbol `t`.
    pub(crate) fn lengthen(&mut self, t: usize, length: usize) {
        let symbol = self.text[t + 1 - length];
        let text = &self.text;
        self.alike.retain(|&other| other + 1 >= length && text[other + 1 - length] == symbol);
    }

    /// What is left of a context's counts without the word, and of the count of symbol `t`.
    pub(crate) fn without(&self, contexts: &Contexts, level: Level<'_>, t: usize) -> (Totals, u64) {
        let Totals { total, distinct } = contexts.totals(level);
        let follows = |other: &usize| self.text[other + 1];
        let mut gone = 0;
        for (index, other) in self.alike.iter().enumerate() {
            let symbol = follows(other);
            let is_first = self.alike[..index].iter().all(|before| follows(before) != symbol);
            if is_first {
                let own = self.alike[index..].iter().filter(|&other| follows(other) == symbol).count() as u64;
                gone += u64::from(contexts.count(level, symbol) <= own);
            }
        }
        let own = self.alike.iter().filter(|&other| follows(other) == self.text[t + 1]).count() as u64;
        let totals = Totals {
            total: total.saturating_sub(self.alike.len() as u64),
            distinct: distinct.saturating_sub(gone),
        };
        (totals, contexts.count(level, self.text[t + 1]).saturating_sub(own))
    }
}
