//! Counts against brute force, and the mixture against its definition.

use std::sync::Arc;

use proptest::prelude::*;
use tilegrad::{NoiseKey, Tile};

use super::contexts::{Contexts, Own, Totals};
use super::{LANES, ListCounts, Looks, training_data, training_rows};
use crate::evaluate::{Precision, log_probabilities, surprisals};
use crate::generate::SymbolChoice;
use crate::lexicon::{END, Lexicon, Symbol};
use crate::model::{CountsConfig, Fitted, Model, ModelConfig};
use crate::{Config, Execution};

const ORDER: usize = 4;

/// A word with an end symbol before it.
fn text(word: &[Symbol]) -> Vec<Symbol> {
    std::iter::once(END).chain(word.iter().copied()).collect()
}

/// How often each symbol follows a context, by looking at every place of every word.
fn brute_force(lexicon: &Lexicon, context: &[Symbol]) -> Vec<u64> {
    let mut counts = vec![0; lexicon.alphabet().symbol_count()];
    for word in lexicon.words() {
        let text = text(word.symbols);
        for place in 1..text.len() {
            if text[..place].ends_with(context) {
                counts[usize::from(text[place])] += word.count;
            }
        }
    }
    counts
}

fn totals(counts: &[u64]) -> Totals {
    let distinct = counts.iter().filter(|&&count| count > 0).count() as u64;
    Totals { total: counts.iter().sum(), distinct }
}

/// The longest context of at most `length` symbols before place `t + 1` of a text; none has more than the whole beginning.
fn context(text: &[Symbol], t: usize, length: usize) -> &[Symbol] {
    &text[(t + 1).saturating_sub(length)..=t]
}

fn words() -> impl Strategy<Value = Vec<(String, u64)>> {
    let counts = prop_oneof![Just(1u64).boxed(), (1u64..6).boxed()];
    proptest::collection::vec(("[abc]{1,6}", counts), 2..25)
}

proptest! {
    /// All contexts of all places, in the list and of other words.
    #[test]
    fn contexts_are_counted(list in words(), other in "[abc]{1,8}") {
        let lexicon = Lexicon::from_counts(list.iter().cloned().chain([("cab".to_owned(), 1)])).unwrap();
        let contexts = Contexts::of(&lexicon, ORDER);
        let others = [lexicon.alphabet().encode(&other).unwrap_or_default()];
        let mut levels = Vec::new();
        for word in lexicon.words().map(|word| word.symbols).chain(others.iter().map(Vec::as_slice)) {
            let text = text(word);
            for t in 0..word.len() {
                let whole = contexts.levels(&text[..=t], &mut levels);
                for length in 0..ORDER.min(t + 2) {
                    let counts = brute_force(&lexicon, context(&text, t, length));
                    match levels.get(length) {
                        Some(&level) => {
                            prop_assert_eq!(contexts.totals(level), totals(&counts));
                            let mut own = vec![0; counts.len()];
                            contexts.followers(&level).for_each(|(symbol, count)| own[usize::from(symbol)] = count);
                            prop_assert_eq!(&own, &counts);
                            let looked_up = |symbol| contexts.count(level, symbol);
                            prop_assert!((0..).zip(&counts).all(|(symbol, &count)| looked_up(symbol) == count));
                        }
                        None => prop_assert_eq!(counts.iter().sum::<u64>(), 0),
                    }
                }
                prop_assert_eq!(whole, levels.len() == t + 2);
            }
        }
    }

    /// What is left of the counts without a word is what a list has that counts it once less.
    #[test]
    fn a_word_does_not_see_itself(list in words(), pick: prop::sample::Index) {
        let list = list.into_iter().chain([("cab".to_owned(), 2), ("bcaa".to_owned(), 1)]);
        let lexicon = Lexicon::from_counts(list).unwrap();
        let contexts = Contexts::of(&lexicon, ORDER);
        let all: Vec<_> = lexicon.words().collect();
        let word = all[pick.index(all.len())];
        let (mut own, text, mut levels) = (Own::of(word.symbols), text(word.symbols), Vec::new());
        for t in 0..word.symbols.len() {
            contexts.levels(own.before(t), &mut levels);
            for (length, &level) in levels.iter().enumerate() {
                match length {
                    0 => own.begin(),
                    _ => own.lengthen(t, length),
                }
                let mut counts = brute_force(&lexicon, context(&text, t, length));
                for place in 1..text.len() {
                    if text[..place].ends_with(context(&text, t, length)) {
                        counts[usize::from(text[place])] -= 1;
                    }
                }
                let expected = (totals(&counts), counts[usize::from(text[t + 1])]);
                prop_assert_eq!(own.without(&contexts, level, t), expected);
            }
        }
    }
}

/// A small model with a gate, some of whose numbers are far from the start.
fn model(lexicon: &Lexicon, spread: f32) -> (Model, Vec<f32>) {
    let small = ["state=4", "generative.hidden=[6]", "choice_hidden=[5]"];
    let base = Config::default().with_overrides(&small).unwrap().model;
    let config = ModelConfig { counts: CountsConfig { order: ORDER, hidden: 3 }, ..base };
    let model = Model::new(&config, lexicon.alphabet().symbol_count()).unwrap();
    let mut parameters = model.initial_parameters(5);
    parameters.iter_mut().enumerate().for_each(|(i, x)| *x += spread * (1.7 * i as f32).sin());
    (model, parameters)
}

fn lexicon() -> Lexicon {
    let words = ["abba", "baba", "caba", "cab", "bac", "acacia", "a", "cc", "abac", "abbc"];
    Lexicon::from_counts(words.map(|word| (word, 1))).unwrap()
}

fn counts_of(lexicon: &Lexicon, model: &Model, parameters: &[f32]) -> ListCounts {
    ListCounts::new(Arc::new(Contexts::of(lexicon, ORDER)), model.gate(parameters).unwrap())
}

/// The gate begins as Witten & Bell's interpolation, half and half with the network; in double precision, straight from the formula.
#[test]
fn the_gate_begins_as_witten_bell() {
    let lexicon = lexicon();
    let (model, mut parameters) = model(&lexicon, 0.0);
    for info in model.params().iter().filter(|info| info.name.starts_with("counts.gate")) {
        parameters[info.range()].fill(0.0);
    }
    let counts = counts_of(&lexicon, &model, &parameters);
    let mut looks = Looks::new(&counts);
    let mut row = Vec::new();
    for before in ["", "a", "ab", "abb", "cac", "bb", "ccc"] {
        let text = text(&lexicon.alphabet().encode(before).unwrap()[..before.len()]);
        looks.look([text.as_slice()].into_iter());
        looks.row(0, &mut row);
        let whole = |counts: &[u64]| counts.iter().sum::<u64>() as f64;
        let first = brute_force(&lexicon, &[]);
        let mut expected: Vec<f64> = first.iter().map(|&count| count as f64 / whole(&first)).collect();
        for length in 1..ORDER {
            // Beyond the whole beginning, each longer order interpolates with it once more.
            let own = brute_force(&lexicon, context(&text, text.len() - 1, length));
            if whole(&own) == 0.0 {
                break;
            }
            let share = whole(&own) / (whole(&own) + totals(&own).distinct as f64);
            for (p, &count) in expected.iter_mut().zip(&own) {
                *p = share * count as f64 / whole(&own) + (1.0 - share) * *p;
            }
        }
        assert!((looks.network()[0] - 0.5).abs() < 1e-6);
        for (found, expected) in row.iter().zip(&expected) {
            assert!((f64::from(*found) - 0.5 * expected).abs() < 1e-6, "{before}: {row:?}, {expected:?}");
        }
    }
}

/// The weights of the gate in double precision.
#[test]
fn weights_are_those_of_the_formula() {
    let lexicon = lexicon();
    let (model, parameters) = model(&lexicon, 0.8);
    let gate = model.gate(&parameters).unwrap();
    let shape = gate.shape();
    let number = |name: &str, row: usize, column: usize| {
        let info = model.params().find(&format!("counts.gate.{name}")).unwrap();
        f64::from(parameters[info.range()][row * info.cols + column])
    };
    let rows = shape.features() + shape.experts();
    let inputs: Vec<f32> = (0..rows * LANES).map(|i| 1.1 + (0.37 * i as f32).sin()).collect();
    let (mut hidden, mut weights) = (Vec::new(), Vec::new());
    gate.weigh(&inputs, &mut hidden, &mut weights);
    for lane in 0..LANES {
        let input = |row: usize| f64::from(inputs[row * LANES + lane]);
        let unit = |unit| {
            let sum: f64 = (0..shape.features()).map(|row| number("hidden", unit, row) * input(row)).sum();
            (sum + number("hidden.bias", unit, 0)).tanh()
        };
        let weight = |expert: usize| {
            let linear: f64 =
                (0..shape.features()).map(|row| number("linear", expert, row) * input(row)).sum();
            let output: f64 = (0..shape.hidden).map(|own| number("output", expert, own) * unit(own)).sum();
            input(shape.features() + expert) * (linear + output + number("bias", expert, 0)).exp()
        };
        let total: f64 = (0..shape.experts()).map(weight).sum();
        for expert in 0..shape.experts() {
            let found = f64::from(weights[expert * LANES + lane]);
            assert!((found - weight(expert) / total).abs() < 1e-5, "{lane} {expert}");
        }
    }
}

/// What training computes for a word of the list is what scores give by a list without the word.
#[test]
fn training_scores_a_word_as_if_it_were_new() {
    let lexicon = lexicon();
    let (model, parameters) = model(&lexicon, 0.5);
    let shape = model.gate_shape().unwrap();
    let contexts = Contexts::of(&lexicon, ORDER);
    for word in lexicon.words() {
        let others =
            lexicon.words().filter(|other| other.id != word.id).map(|other| (other.text, other.count));
        let others = Lexicon::from_counts(others).unwrap().spelt(lexicon.alphabet()).unwrap();
        let counts = counts_of(&others, &model, &parameters);
        let fitted = Fitted::new(&model, &parameters).with_counts(Some(&counts));
        let execution = Execution { seed: 1, threads: 1 };
        let score = log_probabilities(fitted, &[word.symbols], 1, execution, &mut |_| {}).unwrap()[0].mean;
        let recorded = model.gate_program::<f32>(word.symbols.len(), 8).unwrap().unwrap();
        let mut runner = model.runner(vec![recorded.program], 1).unwrap();
        let mut tile = Tile::new(runner.programs(), 0);
        model.fill_tile(&mut tile, [word.symbols].into_iter());
        let data = training_data(&contexts, shape, word.symbols);
        for (&var, numbers) in recorded.data.iter().zip(data.chunks_exact(training_rows(shape))) {
            tile.set_data(&runner.programs()[0], var, 0, numbers);
        }
        let key = NoiseKey { seed: 0, step: 0 };
        let loss =
            runner.forward(&parameters, &[tile], key, |_, values| f64::from(values.get(recorded.loss)[0]))[0];
        assert!((score + loss).abs() < 1e-4, "{}: {score}, {}", word.text, -loss);
    }
}

/// Probabilities of all short words and of what is left add up, and words are sampled as often as scores say.
#[test]
fn samples_follow_the_scores() {
    let lexicon = lexicon();
    let (model, parameters) = model(&lexicon, 0.5);
    let counts = counts_of(&lexicon, &model, &parameters);
    let fitted = Fitted::new(&model, &parameters).with_counts(Some(&counts));
    let execution = Execution { seed: 3, threads: 2 };
    // All words of up to three letters, and all beginnings of three letters.
    let letters: Vec<Symbol> = (1..lexicon.alphabet().symbol_count() as Symbol).collect();
    let mut all: Vec<Vec<Symbol>> = vec![Vec::new()];
    let mut longest = all.clone();
    for _ in 0..3 {
        longest = longest
            .iter()
            .flat_map(|word| {
                letters.iter().map(move |&letter| word.iter().copied().chain([letter]).collect())
            })
            .collect();
        all.extend(longest.iter().cloned());
    }
    let ended: Vec<Vec<Symbol>> =
        all.iter().map(|word| word.iter().copied().chain([END]).collect()).collect();
    let refs: Vec<&[Symbol]> = ended.iter().map(Vec::as_slice).collect();
    let precision = Precision { particles: 1, error: None };
    let found = surprisals(fitted, &refs, precision, execution, &mut |_| {}).unwrap();
    let found: Vec<Vec<f64>> = found.into_iter().map(|own| own.surprisals).collect();
    let word_p: Vec<f64> = found.iter().map(|own| (-own.iter().sum::<f64>()).exp()).collect();
    let beginnings = found.iter().zip(&ended).filter(|(_, word)| word.len() == 4);
    let longer: f64 =
        beginnings.map(|(own, _)| (-own[..3].iter().sum::<f64>()).exp() * (1.0 - (-own[3]).exp())).sum();
    let total: f64 = word_p.iter().sum::<f64>() + longer;
    assert!((total - 1.0).abs() < 1e-5, "{total}");

    const COUNT: usize = 200_000;
    let sampled = crate::generate::draw(fitted, SymbolChoice::Sampled, COUNT, execution).unwrap();
    let (mut statistic, mut cells) = (0.0, 0);
    for (word, p) in all.iter().zip(&word_p) {
        let expected = p * COUNT as f64;
        if expected >= 10.0 {
            let observed = sampled.iter().filter(|own| own.as_slice() == word.as_slice()).count() as f64;
            statistic += (observed - expected).powi(2) / expected;
            cells += 1;
        }
    }
    // Mean and deviation of chi-square with as many degrees of freedom.
    let cells = f64::from(cells);
    assert!(cells > 20.0 && statistic < cells + 4.0 * (2.0 * cells).sqrt(), "{statistic} in {cells} cells");
}

/// A word of the list is scored as by the list without it, if that is asked for; another word as ever.
#[test]
fn a_word_of_the_list_is_left_out() {
    let lexicon = lexicon();
    let (model, parameters) = model(&lexicon, 0.7);
    let counts = counts_of(&lexicon, &model, &parameters);
    let execution = Execution { seed: 1, threads: 1 };
    let score = |counts: &ListCounts, word: &[Symbol], leaves_out: bool| {
        let fitted = Fitted::new(&model, &parameters).with_counts(Some(counts));
        let fitted = if leaves_out { fitted.leaving_out() } else { fitted };
        log_probabilities(fitted, &[word], 1, execution, &mut |_| {}).unwrap()[0].mean
    };
    for word in lexicon.words() {
        let others = lexicon.words().filter(|other| other.id != word.id).map(|other| (other.text, 1));
        let without = counts_of(&Lexicon::from_counts(others).unwrap(), &model, &parameters);
        let (found, expected) = (score(&counts, word.symbols, true), score(&without, word.symbols, false));
        assert!((found - expected).abs() < 1e-5, "{}: {found}, {expected}", word.text);
        assert!((found - score(&counts, word.symbols, false)).abs() > 1e-3, "{}", word.text);
    }
    let other = lexicon.alphabet().encode("abab").unwrap();
    assert_eq!(score(&counts, &other, true), score(&counts, &other, false));
}
