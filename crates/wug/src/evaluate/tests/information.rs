//! Information and argmax symbols of models whose answers are known.

use super::{config, set};
use crate::Execution;
use crate::evaluate::{Estimate, InformationSettings, information};
use crate::generate::{SymbolChoice, draw};
use crate::model::{Fitted, Model};

#[test]
fn information_of_known_models() {
    let run = |model: &Model, parameters: &[f32], noise| {
        let settings = InformationSettings { positions: 2, states: 400, noise, repeats: 1, seed: 1 };
        information(Fitted::new(model, parameters), settings, 2).unwrap()
    };
    // F_g = ID: the signs of two numbers decide among four symbols.
    let model = Model::new(&config(&["state=2", "generative.flow=id"]), 4).unwrap();
    let mut parameters = model.initial_parameters(1);
    let size = 1e4;
    let corners =
        [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]].as_flattened().iter().map(|x| x * size);
    set(&model, &mut parameters, "generative.emission.weight", &corners.collect::<Vec<f32>>());
    set(&model, &mut parameters, "generative.emission.bias", &[0.0; 4]);
    let found = run(&model, &parameters, 2000);
    assert!((found.mean_information - 2.0).abs() < 0.005, "{found:?}");
    assert!(found.mean_symbol_entropy < 0.005, "{found:?}");
    // With n noise vectors the entropy of V equal symbols is too small by about (V − 1) / (2 n ln 2) bits.
    let expected = -3.0 / (2.0 * 20.0 * std::f64::consts::LN_2);
    let bias = run(&model, &parameters, 20).mean_information - 2.0;
    assert!((bias - expected).abs() < 0.02, "bias {bias}, expected about {expected}");
    let settings = InformationSettings { positions: 2, states: 100, noise: 20, repeats: 50, seed: 2 };
    let fitted = Fitted::new(&model, &parameters);
    let found = information(fitted, settings, 2).unwrap();
    for measured in [found.bias, found.living_bias] {
        assert!((measured.unwrap() - expected).abs() < 0.02, "{measured:?}, expected about {expected}");
    }
    // States that say nothing about symbols.
    set(&model, &mut parameters, "generative.emission.weight", &[0.0; 8]);
    let found = run(&model, &parameters, 20);
    assert!(found.mean_information.abs() < 1e-6, "{found:?}");
    assert!((found.mean_symbol_entropy - 2.0).abs() < 1e-6, "{found:?}");
}

/// Exact models: with parameters of zero every symbol is as probable as any other, and a symbol that is always drawn says nothing.
#[test]
fn information_of_exact_models_is_the_entropy_of_the_next_symbol() {
    for kind in ["kind=gru", "kind=choice", "kind=teacher-forced"] {
        let model = Model::new(&config(&[kind, "state=8"]), 16).unwrap();
        let parameters = vec![0.0; model.params().len()];
        let settings = InformationSettings { states: 300, positions: 3, ..Default::default() };
        let found = information(Fitted::new(&model, &parameters), settings, 1).unwrap();
        assert!((found.mean_information - 4.0).abs() < 1e-6, "{kind}: {found:?}");
        assert!((found.living_information.unwrap() - 4.0).abs() < 1e-6, "{kind}: {found:?}");
        assert_eq!(found.mean_symbol_entropy, 0.0);
    }
    let model = Model::new(&config(&["kind=gru", "state=8"]), 16).unwrap();
    let mut parameters = vec![0.0; model.params().len()];
    let bias: Vec<f32> = (0..16).map(|symbol| if symbol == 3 { 60.0 } else { 0.0 }).collect();
    set(&model, &mut parameters, "baseline.emission.bias", &bias);
    let settings = InformationSettings { states: 100, positions: 3, ..Default::default() };
    let found = information(Fitted::new(&model, &parameters), settings, 1).unwrap();
    assert!(found.mean_information < 1e-6, "{found:?}");
}

/// Symbols of a walk that says the whole number next to its state, and ends below ½: `log P(k | h) = −2 (h − k)²`
/// up to a constant.
const RUNGS: usize = 6;

/// `P(k | h)` of that walk.
fn rung(h: f64) -> [f64; RUNGS] {
    let p = std::array::from_fn(|k| (4.0 * h * k as f64 - 2.0 * (k * k) as f64).exp());
    p.map(|own: f64| own / p.iter().sum::<f64>())
}

/// Its `Ī` over `positions` from a grid of states; over words that have not ended, or over all states.
fn exact_information(positions: usize, living: bool) -> f64 {
    let step = 0.1;
    let grid: Vec<f64> = (-120..=120).map(|i| f64::from(i) * step).collect();
    let density = |x: f64| (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let bits = |p: [f64; RUNGS]| p.iter().filter(|&&p| p > 0.0).map(|p| -p * p.log2()).sum::<f64>();
    let information = |h: f64| {
        let (mut mixture, mut conditional) = ([0.0; RUNGS], 0.0);
        for &noise in &grid {
            let (weight, p) = (density(noise) * step, rung(h + noise));
            mixture.iter_mut().zip(p).for_each(|(sum, p)| *sum += weight * p);
            conditional += weight * bits(p);
        }
        bits(mixture) - conditional
    };
    let goes_on = |h: f64| if living { 1.0 - rung(h)[0] } else { 1.0 };
    let mut total = information(1.0);
    let mut before: Vec<f64> = grid.iter().map(|&h| density(h - 1.0) * goes_on(h)).collect();
    for _ in 1..positions {
        let mass: f64 = before.iter().sum();
        total += grid.iter().zip(&before).map(|(&h, own)| own * information(h)).sum::<f64>() / mass;
        let arrives = |h: f64| -> f64 {
            grid.iter().zip(&before).map(|(&from, own)| density(h - from) * own * step).sum()
        };
        before = grid.iter().map(|&h| arrives(h) * goes_on(h)).collect();
    }
    total / positions as f64
}

#[test]
fn information_over_all_states_and_over_living_words() {
    let model = Model::new(&config(&["state=1", "generative.flow=add"]), RUNGS).unwrap();
    let mut parameters = model.initial_parameters(1);
    let (weights, biases): (Vec<f32>, Vec<f32>) =
        (0..RUNGS).map(|k| (4.0 * k as f32, -2.0 * (k * k) as f32)).unzip();
    set(&model, &mut parameters, "generative.emission.weight", &weights);
    set(&model, &mut parameters, "generative.emission.bias", &biases);
    set(&model, &mut parameters, "generative.start", &[1.0]);
    let run = |states, seed| {
        let settings = InformationSettings { positions: 6, states, noise: 300, repeats: 1, seed };
        information(Fitted::new(&model, &parameters), settings, 2).unwrap()
    };
    let found = run(3000, 1);
    let (error, living) = (found.information_error.unwrap(), found.living_information.unwrap());
    // Few noise vectors take about (V − 1) / (2 n ln 2) bits away.
    let bias = (RUNGS - 1) as f64 / (2.0 * 300.0 * std::f64::consts::LN_2);
    let (all, alive) = (exact_information(6, false), exact_information(6, true));
    assert!(alive > all + 0.1, "the two must differ: {all}, {alive}");
    assert!((found.mean_information - all).abs() < 4.0 * error + bias, "{found:?}, exact {all}");
    assert!((living - alive).abs() < 4.0 * error + bias, "{found:?}, exact {alive}");
    // The stated error is the deviation over seeds.
    let several: Vec<_> = (0..40).map(|seed| run(40, seed)).collect();
    let means: Vec<f64> = several.iter().map(|found| found.mean_information).collect();
    let seen = Estimate::of(&means).error * 40f64.sqrt();
    let stated = several.iter().filter_map(|found| found.information_error).sum::<f64>() / 40.0;
    assert!(stated < 1.5 * seen && seen < 1.5 * stated, "stated {stated}, seen {seen}");
    assert_eq!(run(1, 1).information_error, None);
}

#[test]
fn argmax_symbols_are_the_most_probable() {
    // F_g = ID: the sign of a number decides between a letter and the end.
    let model = Model::new(&config(&["state=1", "generative.flow=id"]), 2).unwrap();
    let mut parameters = model.initial_parameters(1);
    let mut words = |weight: f32, choice| {
        set(&model, &mut parameters, "generative.emission.weight", &[weight, -weight]);
        set(&model, &mut parameters, "generative.emission.bias", &[0.0; 2]);
        draw(Fitted::new(&model, &parameters), choice, 500, Execution::default()).unwrap()
    };
    let certain = words(1e6, SymbolChoice::Sampled);
    assert!(certain.iter().any(Vec::is_empty) && certain.iter().any(|word| word.len() > 5));
    assert_eq!(words(1e6, SymbolChoice::Argmax), certain);
    assert_eq!(words(1e-3, SymbolChoice::Argmax), certain);
    assert_ne!(words(1e-3, SymbolChoice::Sampled), certain);
}
