//! LD1NN: can the words of a list be told from its nonwords by their neighbours in the list alone?
//!
//! Keuleers & Brysbaert (2011), *Detecting inherent bias in lexical decision experiments with the LD1NN algorithm*, The Mental
//! Lexicon 6(1), 34–52. Stimuli are met one after the other. For each, look at the stimuli met before that are nearest to it by
//! Levenshtein distance (all of them at the smallest distance): the share of words among them is the probability of a word
//! response, 0.5 for the first stimulus. A logistic regression without intercept of the stimuli's kind on these probabilities
//! gives the odds `exp(b)`: 1 without bias, more if nearness in the list gives words and nonwords away.
//!
//! The result depends on the order, and words before nonwords looks like bias where there is none: the first nonwords have only
//! words to be compared with. An experiment has a random order for each participant, so [`ld1nn_random`] takes the mean over many.

use std::collections::BTreeMap;

use rand_core::Rng;
use serde::Serialize;
use thiserror::Error;

use super::logistic::{Fit, Separated, fit};
use super::parallel;
use super::word_index::{Found, Search, WordIndex};
use crate::lexicon::{Alphabet, AlphabetError, Symbol, letters};
use crate::random::{below, stream, streams};

/// The most stimuli: all pairs are compared.
pub const MAX_STIMULI: usize = 20_000;

/// What a participant of a lexical decision experiment sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stimulus {
    /// The letters.
    pub text: String,
    /// Whether it is a word.
    pub is_word: bool,
}

/// Why a list cannot be tested.
#[derive(Debug, Error)]
pub enum Ld1nnError {
    /// Only one kind of stimuli, or none.
    #[error("{words} words and {nonwords} nonwords: the test needs some of each")]
    OneKind {
        /// Words of the list.
        words: usize,
        /// Nonwords of the list.
        nonwords: usize,
    },
    /// More stimuli than can be compared.
    #[error("{found} stimuli; at most {MAX_STIMULI} can be compared with each other")]
    TooMany {
        /// How many there are.
        found: usize,
    },
    /// The regression has no solution.
    #[error("there are too few stimuli, or their kinds can be told apart perfectly")]
    Separated(#[from] Separated),
    /// Too many different letters.
    #[error(transparent)]
    Alphabet(#[from] AlphabetError),
}

/// The outcome of the test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bias {
    /// The coefficient and its standard error; the means over the orders if there are several.
    #[serde(flatten)]
    pub fit: Fit,
    /// The coefficients of the single orders.
    #[serde(skip)]
    pub orders: Vec<Fit>,
    /// For each stimulus of the list, the probability of a word response; the mean over the orders.
    pub probabilities: Vec<f64>,
}

/// The level of p below which a result is called significant.
pub const SIGNIFICANT: f64 = 0.05;
/// The share of orders that would be significant by chance, were they independent.
const BY_CHANCE: f64 = 0.05;

/// What the test says about a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The mean is significant.
    Biased,
    /// The mean is not, but it is near to that, or more orders are significant than chance would make.
    Doubtful,
    /// Neither the mean nor single orders show anything.
    NoneFound,
}

impl Bias {
    /// Orders in which p is below [`SIGNIFICANT`].
    pub fn significant_orders(&self) -> usize {
        self.orders.iter().filter(|fit| fit.p() < SIGNIFICANT).count()
    }

    /// What the test says.
    pub fn verdict(&self) -> Verdict {
        let p = self.fit.p();
        let by_chance = (BY_CHANCE * self.orders.len() as f64).max(1.0);
        if p < SIGNIFICANT {
            Verdict::Biased
        } else if p < 2.0 * SIGNIFICANT || self.significant_orders() as f64 > by_chance {
            Verdict::Doubtful
        } else {
            Verdict::NoneFound
        }
    }
}

/// The test with the stimuli in the order of the list.
///
/// # Errors
/// When there are too few or too many stimuli, or only one kind.
pub fn ld1nn_as_listed(stimuli: &[Stimulus], threads: usize) -> Result<Bias, Ld1nnError> {
    test(stimuli, &[(0..stimuli.len() as u32).collect()], threads)
}

/// The test with the stimuli in random orders, which are a function of the seed. The coefficients' mean is over the orders, and
/// so is that of the standard errors: more orders make the mean more certain, not the list longer.
///
/// # Errors
/// When there are too few or too many stimuli, or only one kind.
pub fn ld1nn_random(
    stimuli: &[Stimulus],
    orders: usize,
    seed: u64,
    threads: usize,
) -> Result<Bias, Ld1nnError> {
    let orders: Vec<Vec<u32>> = (0..orders.max(1) as u128)
        .map(|number| shuffled(stimuli.len(), &mut stream(seed, streams::STIMULI_ORDER, number)))
        .collect();
    test(stimuli, &orders, threads)
}

/// The places 0, 1, … in random order (Fisher and Yates).
fn shuffled(length: usize, rng: &mut impl Rng) -> Vec<u32> {
    let mut places: Vec<u32> = (0..length as u32).collect();
    for last in (1..length).rev() {
        places.swap(last, below(rng, last as u64 + 1) as usize);
    }
    places
}

/// `orders` give each stimulus its place.
fn test(stimuli: &[Stimulus], orders: &[Vec<u32>], threads: usize) -> Result<Bias, Ld1nnError> {
    let words = stimuli.iter().filter(|stimulus| stimulus.is_word).count();
    let nonwords = stimuli.len() - words;
    if words == 0 || nonwords == 0 {
        return Err(Ld1nnError::OneKind { words, nonwords });
    }
    if stimuli.len() > MAX_STIMULI {
        return Err(Ld1nnError::TooMany { found: stimuli.len() });
    }
    let probabilities = probabilities(stimuli, orders, threads)?;
    let fits: Vec<Fit> = (0..orders.len())
        .map(|order| {
            let pairs = probabilities.iter().zip(stimuli);
            fit(&pairs.map(|(own, stimulus)| (own[order], stimulus.is_word)).collect::<Vec<_>>())
        })
        .collect::<Result<_, _>>()?;
    let mean = |value: fn(&Fit) -> f64| fits.iter().map(value).sum::<f64>() / fits.len() as f64;
    let fit =
        Fit { coefficient: mean(|fit| fit.coefficient), standard_error: mean(|fit| fit.standard_error) };
    let probabilities = probabilities.iter().map(|own| own.iter().sum::<f64>() / own.len() as f64).collect();
    Ok(Bias { fit, orders: fits, probabilities })
}

/// For each stimulus, its probability of a word response in each order.
fn probabilities(
    stimuli: &[Stimulus],
    orders: &[Vec<u32>],
    threads: usize,
) -> Result<Vec<Vec<f64>>, AlphabetError> {
    let texts: Vec<_> = stimuli.iter().map(|stimulus| letters::normalise(&stimulus.text, false)).collect();
    let alphabet = Alphabet::of_words(texts.iter().map(AsRef::as_ref))?;
    let spelt: Vec<Vec<Symbol>> = texts.iter().map(|text| alphabet.encode(text)).collect::<Result<_, _>>()?;
    // The end symbols of all agree.
    let index = WordIndex::of((0..).zip(spelt.iter().map(Vec::as_slice)));
    let own: Vec<usize> = (0..stimuli.len()).collect();
    Ok(parallel::map(&own, threads, |&own| {
        let mut rings = Rings::default();
        index.search(&spelt[own], &mut rings);
        let share = |order: &Vec<u32>| {
            let nearest = rings.0.values().find_map(|ring| {
                let earlier =
                    ring.iter().map(|&other| other as usize).filter(|&other| order[other] < order[own]);
                let (words, all) = earlier.fold((0_u32, 0_u32), |(words, all), other| {
                    (words + u32::from(stimuli[other].is_word), all + 1)
                });
                (all > 0).then(|| f64::from(words) / f64::from(all))
            });
            nearest.unwrap_or(0.5)
        };
        orders.iter().map(share).collect()
    }))
}

/// All words by their distance.
#[derive(Default)]
struct Rings(BTreeMap<usize, Vec<u32>>);

impl Search for Rings {
    fn bound(&self) -> usize {
        usize::MAX
    }

    fn take(&mut self, found: Found<'_>) {
        self.0.entry(found.distance).or_default().extend(found.ids());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stimuli(words: &[&str], nonwords: &[&str]) -> Vec<Stimulus> {
        let kind = |texts: &[&str], is_word| -> Vec<Stimulus> {
            texts.iter().map(|text| Stimulus { text: (*text).into(), is_word }).collect()
        };
        [kind(words, true), kind(nonwords, false)].concat()
    }

    #[test]
    fn probabilities_by_hand() {
        let list = stimuli(&["cat", "cot"], &["cxt", "zzz", "Жук"]);
        let bias = ld1nn_as_listed(&list, 1).unwrap();
        // cot ← cat; cxt ← cat, cot; zzz ← all three, at distance 3; Жук ← all four.
        assert_eq!(bias.probabilities, [0.5, 1.0, 1.0, 2.0 / 3.0, 0.5]);
        assert_eq!(bias.orders, [bias.fit]);
    }

    #[test]
    fn orders_are_a_function_of_the_seed_and_threads_do_not_matter() {
        let words: Vec<String> = (0..60u32).map(|number| format!("{:b}a", number + 64)).collect();
        let nonwords: Vec<String> = (0..60u32).map(|number| format!("{:b}b", number * 2 + 64)).collect();
        let list: Vec<Stimulus> = (words.iter().map(|text| (text, true)))
            .chain(nonwords.iter().map(|text| (text, false)))
            .map(|(text, is_word)| Stimulus { text: text.clone(), is_word })
            .collect();
        let bias = ld1nn_random(&list, 20, 1, 1).unwrap();
        assert_eq!(bias, ld1nn_random(&list, 20, 1, 3).unwrap());
        assert_ne!(bias, ld1nn_random(&list, 20, 2, 1).unwrap());
        // The last letter gives the kind away.
        assert!(bias.fit.odds() > 2.0 && bias.fit.p() < 0.05, "{:?}", bias.fit);
        assert_eq!(bias.orders.len(), 20);
        let reversed: Vec<Stimulus> = list.iter().rev().cloned().collect();
        assert_ne!(ld1nn_as_listed(&list, 1).unwrap().fit, ld1nn_as_listed(&reversed, 1).unwrap().fit);
    }

    #[test]
    fn a_verdict_looks_at_the_orders_too() {
        let fit = |p: f64| {
            // The z of a two-sided p, by bisection.
            let (mut low, mut high) = (0.0, 10.0);
            for _ in 0..60 {
                let middle = (low + high) / 2.0;
                let p_there = Fit { coefficient: middle, standard_error: 1.0 }.p();
                if p_there > p { low = middle } else { high = middle }
            }
            Fit { coefficient: low, standard_error: 1.0 }
        };
        let bias = |p: f64, significant: usize| {
            let orders = (0..100).map(|order| fit(if order < significant { 0.01 } else { 0.3 })).collect();
            Bias { fit: fit(p), orders, probabilities: Vec::new() }.verdict()
        };
        assert_eq!(bias(0.04, 0), Verdict::Biased);
        assert_eq!(bias(0.09, 18), Verdict::Doubtful);
        assert_eq!(bias(0.09, 0), Verdict::Doubtful);
        assert_eq!(bias(0.3, 18), Verdict::Doubtful);
        assert_eq!(bias(0.3, 5), Verdict::NoneFound);
    }

    #[test]
    fn an_order_is_a_permutation() {
        let mut places = shuffled(100, &mut stream(1, streams::STIMULI_ORDER, 0));
        assert_ne!(places, (0..100).collect::<Vec<_>>());
        places.sort_unstable();
        assert_eq!(places, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn lists_that_cannot_be_tested() {
        let test = |words: &[&str], nonwords: &[&str]| ld1nn_as_listed(&stimuli(words, nonwords), 1);
        assert!(matches!(test(&[], &[]), Err(Ld1nnError::OneKind { words: 0, nonwords: 0 })));
        assert!(matches!(test(&["a"], &[]), Err(Ld1nnError::OneKind { words: 1, nonwords: 0 })));
        assert!(test(&["aaa", "aab", "aac"], &["a"]).is_ok());
        // The word has only a nonword before it, the other nonword only a word: no odds are small enough.
        let list = [("zz", false), ("zza", true), ("zzab", false)];
        let list = list.map(|(text, is_word)| Stimulus { text: text.into(), is_word });
        assert!(matches!(ld1nn_as_listed(&list, 1), Err(Ld1nnError::Separated(_))));
        let many = vec![Stimulus { text: "a".into(), is_word: true }; MAX_STIMULI];
        let many = [many, stimuli(&[], &["b"])].concat();
        assert!(matches!(ld1nn_as_listed(&many, 1), Err(Ld1nnError::TooMany { .. })));
    }
}
