//! Exact models: the chain rule, and the paper's mixture.

use std::collections::HashMap;

use super::{WORDS, config, set};
use crate::Execution;
use crate::evaluate::{
    ModelTrajectories, WordProbabilities, cross_entropy, log_probabilities, shared_trajectories,
};
use crate::generate::{SymbolChoice, draw};
use crate::lexicon::{Lexicon, Symbol};
use crate::model::{Fitted, Model};

/// A baseline over two letters, whose states matter.
fn baseline() -> (Model, Vec<f32>) {
    let model = Model::new(&config(&["kind=gru", "state=4"]), 3).unwrap();
    let parameters = model.initial_parameters(2).iter().map(|number| 2.0 * number).collect();
    (model, parameters)
}

#[test]
fn sampled_words_of_the_baseline_come_as_often_as_the_chain_rule_says() {
    let (model, parameters) = baseline();
    let fitted = Fitted::new(&model, &parameters);
    let exact = log_probabilities(fitted, &WORDS, 1, Execution::default(), &mut |_| ()).unwrap();
    let count = 40_000;
    let words = draw(fitted, SymbolChoice::Sampled, count, Execution { seed: 3, threads: 2 }).unwrap();
    for (word, exact) in WORDS.iter().zip(exact) {
        let p = exact.mean.exp();
        let letters = &word[..word.len() - 1];
        let found = words.iter().filter(|word| word.as_slice() == letters).count() as f64 / count as f64;
        let error = (p * (1.0 - p) / count as f64).sqrt();
        assert!(exact.error == 0.0 && (found - p).abs() < 4.0 * error, "{word:?}: {found}, exact {p}");
    }
}

#[test]
fn the_mixture_is_exact_where_states_say_nothing_and_not_where_they_do() {
    let (model, mut parameters) = baseline();
    let lexicon = Lexicon::from_counts([("a", 4), ("b", 3), ("aba", 2), ("bbbb", 1)]).unwrap();
    let compare = |parameters: &[f32]| -> (f64, f64) {
        let mut mixture = f64::NAN;
        let execution = Execution { seed: 1, threads: 2 };
        let mut source = ModelTrajectories::new(Fitted::new(&model, parameters), execution).unwrap();
        let reached = |found: WordProbabilities| mixture = found.cross_entropy(&lexicon);
        shared_trajectories(&lexicon, 5000, 2, &mut source, reached, &mut |_| ());
        let words: Vec<&[Symbol]> = lexicon.words().map(|word| word.symbols).collect();
        let found =
            log_probabilities(Fitted::new(&model, parameters), &words, 1, Execution::default(), &mut |_| ())
                .unwrap();
        let logs: Vec<f64> = found.iter().map(|word| word.mean).collect();
        (mixture, cross_entropy(&lexicon, &logs))
    };
    let (mixture, exact) = compare(&parameters);
    assert!((mixture - exact).abs() > 1e-3, "{mixture}, {exact}");
    set(&model, &mut parameters, "baseline.emission.weight", &[0.0; 12]);
    let (mixture, exact) = compare(&parameters);
    assert!((mixture - exact).abs() < 1e-5, "{mixture}, {exact}");
}

/// `P̂(w) = Σ_s P(s) Π_t P(w_t | s_<t)` over all sequences of symbols, which is what the paper's mixture tends to.
#[test]
fn the_mixture_tends_to_the_sum_over_all_sampled_sequences() {
    const LONGEST: usize = 4;
    let (model, parameters) = baseline();
    let fitted = Fitted::new(&model, &parameters);
    let lexicon = Lexicon::from_counts([("a", 4), ("b", 3), ("aba", 2), ("bb", 1)]).unwrap();
    // Probabilities of all sequences, whether or not they are words.
    let mut sequences: Vec<Vec<Symbol>> = vec![Vec::new()];
    let mut longest = sequences.clone();
    for _ in 0..LONGEST {
        longest =
            longest.iter().flat_map(|own| (0..3).map(|next| [own.as_slice(), &[next]].concat())).collect();
        sequences.extend(longest.iter().cloned());
    }
    let slices: Vec<&[Symbol]> = sequences[1..].iter().map(Vec::as_slice).collect();
    let found = log_probabilities(fitted, &slices, 1, Execution::default(), &mut |_| ()).unwrap();
    let mut probabilities: HashMap<Vec<Symbol>, f64> = HashMap::from([(Vec::new(), 1.0)]);
    probabilities.extend(slices.iter().zip(found).map(|(own, found)| (own.to_vec(), found.mean.exp())));
    let mixture = |word: &[Symbol]| -> f64 {
        let given = sequences.iter().filter(|own| own.len() + 1 == word.len());
        let term = |own: &Vec<Symbol>| -> f64 {
            let steps = word.iter().enumerate().map(|(t, &symbol)| {
                let before = &own[..t];
                probabilities[&[before, &[symbol]].concat()] / probabilities[before]
            });
            probabilities[own] * steps.product::<f64>()
        };
        given.map(term).sum()
    };
    let logs: Vec<f64> = lexicon.words().map(|word| mixture(word.symbols).ln()).collect();
    let exact = cross_entropy(&lexicon, &logs);
    let estimates: Vec<f64> = (0..8)
        .map(|seed| {
            let mut estimate = f64::NAN;
            let mut source = ModelTrajectories::new(fitted, Execution { seed, threads: 2 }).unwrap();
            let reached = |found: WordProbabilities| estimate = found.cross_entropy(&lexicon);
            shared_trajectories(&lexicon, 10_000, 2, &mut source, reached, &mut |_| ());
            estimate
        })
        .collect();
    let mean = estimates.iter().sum::<f64>() / 8.0;
    let variance = estimates.iter().map(|estimate| (estimate - mean).powi(2)).sum::<f64>() / 7.0;
    let error = (variance / 8.0).sqrt();
    assert!(error < 2e-3 && (mean - exact).abs() < 4.0 * error, "{mean} ± {error}, exactly {exact}");
}
