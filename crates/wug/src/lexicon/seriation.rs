//! The alphabet as a line on which letters of like use are neighbours.
//!
//! A symbol's use is what stands before it and after it. Two symbols are as far apart as these distributions are (one
//! minus Bhattacharyya's coefficient, for both sides). The order is a short path through all symbols that begins with the end
//! symbol: always to the nearest symbol left, then improved by turning pieces of the path round (2-opt).

use super::{END, Lexicon, Symbol};

/// More symbols than these are not compared: rarer ones follow as they are.
const MAX: usize = 400;
/// Rounds of improvement; a few are enough.
const ROUNDS: usize = 50;

impl Lexicon {
    /// All symbols in an order in which neighbours occur in like contexts, the end symbol first. A function of the words
    /// and their counts.
    pub fn cell_order(&self) -> Vec<Symbol> {
        let symbols = self.alphabet().symbol_count();
        let mut uses = vec![0u64; symbols];
        self.words().for_each(|word| word.symbols.iter().for_each(|&s| uses[usize::from(s)] += word.count));
        let mut common: Vec<Symbol> = (0..symbols as u32).map(|symbol| symbol as Symbol).collect();
        common[1..].sort_by_key(|&symbol| std::cmp::Reverse(uses[usize::from(symbol)]));
        let mut rare = common.split_off(symbols.min(MAX));
        rare.sort_unstable();
        let distances = Distances::new(self, &common);
        let mut order: Vec<Symbol> = distances.path().into_iter().map(|place| common[place]).collect();
        debug_assert_eq!(order[0], END);
        order.extend(rare);
        order
    }
}

/// Distances between symbols by their place in a list.
struct Distances {
    count: usize,
    numbers: Vec<f64>,
}

impl Distances {
    fn new(lexicon: &Lexicon, symbols: &[Symbol]) -> Self {
        let count = symbols.len();
        let mut places = vec![None; lexicon.alphabet().symbol_count()];
        symbols.iter().enumerate().for_each(|(place, &symbol)| places[usize::from(symbol)] = Some(place));
        // How often each symbol stands before and after each other one.
        let mut contexts = vec![0.0; 2 * count * count];
        for word in lexicon.words() {
            let mut before = Some(0);
            for &symbol in word.symbols {
                let own = places[usize::from(symbol)];
                if let (Some(before), Some(own)) = (before, own) {
                    contexts[own * 2 * count + before] += word.count as f64;
                    contexts[before * 2 * count + count + own] += word.count as f64;
                }
                before = own;
            }
        }
        for side in contexts.chunks_exact_mut(count) {
            let total = side.iter().sum::<f64>().max(f64::MIN_POSITIVE);
            side.iter_mut().for_each(|number| *number = (*number / total).sqrt());
        }
        let row = |place: usize| &contexts[place * 2 * count..][..2 * count];
        let distance = |a: usize, b: usize| 2.0 - row(a).iter().zip(row(b)).map(|(x, y)| x * y).sum::<f64>();
        let numbers = (0..count * count).map(|pair| distance(pair / count, pair % count)).collect();
        Self { count, numbers }
    }

    fn between(&self, a: usize, b: usize) -> f64 {
        self.numbers[a * self.count + b]
    }

    /// A short path through all places from the first on.
    fn path(&self) -> Vec<usize> {
        let mut left: Vec<usize> = (1..self.count).collect();
        let mut path = vec![0];
        while !left.is_empty() {
            let last = path[path.len() - 1];
            let near = |&(_, &a): &(usize, &usize), &(_, &b): &(usize, &usize)| {
                self.between(last, a).total_cmp(&self.between(last, b))
            };
            let (index, _) = left.iter().enumerate().min_by(near).unwrap_or((0, &0));
            path.push(left.swap_remove(index));
        }
        for _ in 0..ROUNDS {
            if !self.improve(&mut path) {
                break;
            }
        }
        path
    }

    /// Turns round every piece of the path that is better the other way; whether there was one.
    fn improve(&self, path: &mut [usize]) -> bool {
        let mut improved = false;
        for first in 1..path.len() {
            for last in first + 1..path.len() {
                let next = path.get(last + 1).copied();
                let joined = |end: usize| next.map_or(0.0, |next| self.between(end, next));
                let before = path[first - 1];
                let now = self.between(before, path[first]) + joined(path[last]);
                let turned = self.between(before, path[last]) + joined(path[first]);
                if turned < now - 1e-9 {
                    path[first..=last].reverse();
                    improved = true;
                }
            }
        }
        improved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(lexicon: &Lexicon) -> String {
        let order = lexicon.cell_order();
        assert_eq!(order[0], END);
        order[1..].iter().filter_map(|&symbol| lexicon.alphabet().letter(symbol)).collect()
    }

    #[test]
    fn vowels_and_consonants_come_apart() {
        let mut words = Vec::new();
        for (c, v) in [("p", "a"), ("t", "o"), ("k", "a"), ("p", "o"), ("t", "i"), ("k", "i")] {
            words.extend([(format!("{c}{v}"), 3), (format!("{c}{v}{c}{v}"), 1)]);
        }
        let order = letters(&Lexicon::from_counts(words).unwrap());
        let vowels: Vec<usize> = "aio".chars().map(|vowel| order.find(vowel).unwrap()).collect();
        let spread = vowels.iter().max().unwrap() - vowels.iter().min().unwrap();
        assert_eq!(spread, 2, "{order}");
    }

    #[test]
    fn every_symbol_comes_once() {
        for letters in [1, 2, 5, 700] {
            let words =
                (0..letters).map(|i| (char::from_u32(0x4e00 + i).unwrap().to_string(), u64::from(i) + 1));
            let lexicon = Lexicon::from_counts(words).unwrap();
            let mut order = lexicon.cell_order();
            order.sort_unstable();
            assert!(order.iter().enumerate().all(|(place, &symbol)| place == usize::from(symbol)));
            assert_eq!(order.len(), letters as usize + 1);
        }
    }
}
