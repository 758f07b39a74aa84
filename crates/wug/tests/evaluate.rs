//! Measures against models whose figures are known.

use std::collections::HashMap;

use wug::Execution;
use wug::evaluate::{
    Estimate, InformationSettings, Prior, SampledStates, Trajectories, WordProbabilities, cross_entropy,
    information, particle_filter, shared_trajectories, surprisals,
};
use wug::generate::{SymbolChoice, draw};
use wug::lexicon::{Lexicon, Symbol};
use wug::model::{Fitted, Model, ModelConfig, Parts, StateSpace};

fn config(changes: &[&str]) -> ModelConfig {
    wug::Config::default().with_overrides(changes).unwrap().model
}

fn state_space(model: &Model) -> &StateSpace {
    let Parts::StateSpace(parts) = model.parts() else { panic!("a state space model") };
    parts
}

fn set(model: &Model, parameters: &mut [f32], name: &str, numbers: &[f32]) {
    parameters[model.params().find(name).unwrap().range()].copy_from_slice(numbers);
}

/// d = 1 and F_g = add: `h_t = h_{t−1} + ξ_t`, so `P(w)` is an integral over as many normal numbers as there are
/// symbols.
struct RandomWalk {
    model: Model,
    parameters: Vec<f32>,
}

const WEIGHTS: [f64; 3] = [1.5, -2.0, 0.5];
const BIASES: [f64; 3] = [-0.5, 0.3, 0.1];
const START: f64 = 0.4;

impl RandomWalk {
    fn new() -> Self {
        // F_q = F_g, so that weights are bounded: q has not been trained, and a proposal that knows nothing of the last
        // state would have weights of infinite variance.
        let config = config(&["state=1", "generative.flow=add", "inference.flow=shared"]);
        let model = Model::new(&config, 3).unwrap();
        let mut parameters = model.initial_parameters(3);
        let single = |numbers: [f64; 3]| numbers.map(|number| number as f32);
        set(&model, &mut parameters, "generative.emission.weight", &single(WEIGHTS));
        set(&model, &mut parameters, "generative.emission.bias", &single(BIASES));
        set(&model, &mut parameters, "generative.start", &[START as f32]);
        Self { model, parameters }
    }

    fn fitted(&self) -> Fitted<'_> {
        Fitted::new(&self.model, &self.parameters)
    }

    /// `P(w)` on a grid of states: `α_t(h) = P(w_t|h) ∫ N(h − h'; 0, 1) α_{t−1}(h') dh'`.
    fn exact(word: &[Symbol]) -> f64 {
        let step = 0.02;
        let grid: Vec<f64> = (-600..=600).map(|i| f64::from(i) * step).collect();
        let density = |x: f64| (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let emission = |h: f64, symbol: Symbol| {
            let logit = |symbol: usize| (WEIGHTS[symbol] * h + BIASES[symbol]).exp();
            logit(usize::from(symbol)) / (0..3).map(logit).sum::<f64>()
        };
        let mut alpha: Option<Vec<f64>> = None;
        for &symbol in word {
            let before = |h: f64| match &alpha {
                None => density(h - START),
                Some(alpha) => grid.iter().zip(alpha).map(|(&other, a)| density(h - other) * a * step).sum(),
            };
            alpha = Some(grid.iter().map(|&h| emission(h, symbol) * before(h)).collect());
        }
        alpha.unwrap().iter().sum::<f64>() * step
    }
}

const WORDS: [&[Symbol]; 4] = [&[1, 0], &[2, 0], &[1, 2, 1, 0], &[2, 2, 2, 2, 0]];

#[test]
fn surprisals_are_those_of_the_beginnings_and_add_up() {
    let walk = RandomWalk::new();
    let found =
        surprisals(walk.fitted(), &WORDS, 200_000, Execution { seed: 1, threads: 2 }, &mut |_| ()).unwrap();
    for (word, found) in WORDS.iter().zip(found) {
        assert_eq!(found.surprisals.len(), word.len());
        let total: f64 = found.surprisals.iter().sum();
        assert!((total + found.log_probability.mean).abs() < 1e-9, "{word:?}: {found:?}");
        let mut before = 1.0;
        for (end, surprisal) in (1..).zip(&found.surprisals) {
            let exact = RandomWalk::exact(&word[..end]);
            let expected = -(exact / before).ln();
            assert!((surprisal - expected).abs() < 0.02, "{word:?}, {end}: {surprisal}, exact {expected}");
            before = exact;
        }
    }
}

#[test]
fn the_particle_filter_is_unbiased() {
    let walk = RandomWalk::new();
    for particles in [8, 64] {
        let mut found = vec![Vec::new(); WORDS.len()];
        for seed in 0..400 {
            let words = particle_filter(
                walk.fitted(),
                &WORDS,
                particles,
                Execution { seed, threads: 1 },
                &mut |_| (),
            )
            .unwrap();
            found.iter_mut().zip(words).for_each(|(found, word)| found.push(word.mean.exp()));
        }
        for (word, found) in WORDS.iter().zip(found) {
            let (exact, found) = (RandomWalk::exact(word), Estimate::of(&found));
            assert!(
                (found.mean - exact).abs() < 4.0 * found.error && found.error < 0.1 * exact,
                "{word:?} with {particles} particles: {found:?}, exact {exact}"
            );
        }
    }
}

#[test]
fn the_stated_error_of_a_word_is_its_error() {
    let walk = RandomWalk::new();
    let word: &[Symbol] = WORDS[3];
    // Enough particles for the error to be small: it is stated to first order.
    let found: Vec<Estimate> = (0..150)
        .map(|seed| {
            particle_filter(walk.fitted(), &[word], 8000, Execution { seed, threads: 1 }, &mut |_| ())
                .unwrap()[0]
        })
        .collect();
    let means: Vec<f64> = found.iter().map(|found| found.mean).collect();
    let seen = Estimate::of(&means).error * 150f64.sqrt();
    let stated = found.iter().map(|found| found.error).sum::<f64>() / 150.0;
    assert!(stated < 1.3 * seen && seen < 1.3 * stated, "stated {stated}, seen {seen}");
}

#[test]
fn more_particles_make_the_cross_entropy_fall() {
    let walk = RandomWalk::new();
    let word: &[Symbol] = WORDS[3];
    let exact = -RandomWalk::exact(word).ln();
    let mut before: Option<Estimate> = None;
    for (particles, runs) in [(8, 300), (32, 300), (128, 300), (512, 300), (4096, 100)] {
        let found: Vec<f64> = (0..runs)
            .map(|seed| {
                -particle_filter(
                    walk.fitted(),
                    &[word],
                    particles,
                    Execution { seed, threads: 1 },
                    &mut |_| (),
                )
                .unwrap()[0]
                    .mean
            })
            .collect();
        let found = Estimate::of(&found);
        assert!(found.mean > exact - 3.0 * found.error, "{particles}: {found:?} below {exact}");
        if let Some(before) = before {
            let error = before.error.hypot(found.error);
            assert!(found.mean < before.mean + 2.0 * error, "{particles}: {found:?} after {before:?}");
        }
        before = Some(found);
    }
    let last = before.unwrap();
    assert!((last.mean - exact).abs() < 0.01, "{last:?}, exact {exact}");
}

#[test]
fn a_word_is_estimated_alike_in_any_company_and_on_any_number_of_threads() {
    let walk = RandomWalk::new();
    let run = |words: &[&[Symbol]], threads| {
        particle_filter(walk.fitted(), words, 20_000, Execution { seed: 7, threads }, &mut |_| ()).unwrap()
    };
    let all = run(&WORDS, 1);
    assert_eq!(run(&WORDS, 3), all);
    assert_eq!(run(&[WORDS[2]], 2), [all[2]]);
}

/// The particle filter and shared trajectories agree with the integral.
#[test]
fn shared_trajectories_meet_the_integral() {
    let walk = RandomWalk::new();
    let lexicon = Lexicon::from_counts([("a", 4), ("b", 3), ("aba", 2), ("bbbb", 1)]).unwrap();
    let found = shared(walk.fitted(), &lexicon, 200_000);
    for word in lexicon.words() {
        let exact = RandomWalk::exact(word.symbols).ln();
        let found = found.log_probabilities[word.id as usize];
        assert!((found - exact).abs() < 0.02, "{}: {found}, exact {exact}", word.text);
    }
}

fn shared(fitted: Fitted<'_>, lexicon: &Lexicon, trajectories: u64) -> WordProbabilities {
    let mut last = None;
    let generative = &state_space(fitted.model()).generative;
    let source = |positions| Prior::new(fitted, generative, positions, Execution { seed: 1, threads: 2 });
    shared_trajectories(lexicon, trajectories, 2, source, |found| last = Some(found), &mut |_| ()).unwrap();
    last.unwrap()
}

/// What all words of up to twelve letters lack is the empty word, which no lexicon has, and hardly anything else.
#[test]
fn all_words_of_a_tiny_alphabet_sum_to_one() {
    let model = Model::new(&config(&["state=4", "generative.flow=2xtril"]), 3).unwrap();
    let mut parameters = model.initial_parameters(5);
    set(&model, &mut parameters, "generative.emission.bias", &[1.5, 0.0, 0.0]);
    let mut words = vec![String::new()];
    let mut all: Vec<(String, u64)> = Vec::new();
    for _ in 0..12 {
        words = words.iter().flat_map(|word| [format!("{word}a"), format!("{word}b")]).collect();
        all.extend(words.iter().map(|word| (word.clone(), 1)));
    }
    let lexicon = Lexicon::from_counts(all).unwrap();
    let found = shared(Fitted::new(&model, &parameters), &lexicon, 50_000);
    let total: f64 = found.log_probabilities.iter().map(|log| log.exp()).sum();
    let empty = particle_filter(
        Fitted::new(&model, &parameters),
        &[&[0]],
        100_000,
        Execution::default(),
        &mut |_| (),
    )
    .unwrap()[0];
    let missing = 1.0 - total - empty.mean.exp();
    assert!(missing.abs() < 2e-3, "{missing} missing, {empty:?} of the empty word");
}

#[test]
fn information_of_known_models() {
    let run = |model: &Model, parameters: &[f32], noise| {
        let settings = InformationSettings { positions: 2, states: 400, noise, repeats: 1, seed: 1 };
        information(Fitted::new(model, parameters), &state_space(model).generative, settings, 2).unwrap()
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
    let measured = information(fitted, &state_space(&model).generative, settings, 2).unwrap().bias;
    assert!((measured.unwrap() - expected).abs() < 0.02, "{measured:?}, expected about {expected}");
    // States that say nothing about symbols.
    set(&model, &mut parameters, "generative.emission.weight", &[0.0; 8]);
    let found = run(&model, &parameters, 20);
    assert!(found.mean_information.abs() < 1e-6, "{found:?}");
    assert!((found.mean_symbol_entropy - 2.0).abs() < 1e-6, "{found:?}");
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
        information(Fitted::new(&model, &parameters), &state_space(&model).generative, settings, 2).unwrap()
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
    let exact = particle_filter(fitted, &WORDS, 1, Execution::default(), &mut |_| ()).unwrap();
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
    let Parts::Baseline(parts) = model.parts() else { panic!("a baseline") };
    let lexicon = Lexicon::from_counts([("a", 4), ("b", 3), ("aba", 2), ("bbbb", 1)]).unwrap();
    let compare = |parameters: &[f32]| -> (f64, f64) {
        let mut mixture = f64::NAN;
        let source =
            |_| SampledStates::new(Fitted::new(&model, parameters), parts, Execution { seed: 1, threads: 2 });
        let reached = |found: WordProbabilities| mixture = found.cross_entropy(&lexicon);
        shared_trajectories(&lexicon, 5000, 2, source, reached, &mut |_| ()).unwrap();
        let words: Vec<&[Symbol]> = lexicon.words().map(|word| word.symbols).collect();
        let found =
            particle_filter(Fitted::new(&model, parameters), &words, 1, Execution::default(), &mut |_| ())
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
    let Parts::Baseline(parts) = model.parts() else { panic!("a baseline") };
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
    let found = particle_filter(fitted, &slices, 1, Execution::default(), &mut |_| ()).unwrap();
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
            let source = |_| SampledStates::new(fitted, parts, Execution { seed, threads: 2 });
            let reached = |found: WordProbabilities| estimate = found.cross_entropy(&lexicon);
            shared_trajectories(&lexicon, 10_000, 2, source, reached, &mut |_| ()).unwrap();
            estimate
        })
        .collect();
    let mean = estimates.iter().sum::<f64>() / 8.0;
    let variance = estimates.iter().map(|estimate| (estimate - mean).powi(2)).sum::<f64>() / 7.0;
    let error = (variance / 8.0).sqrt();
    assert!(error < 2e-3 && (mean - exact).abs() < 4.0 * error, "{mean} ± {error}, exactly {exact}");
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

/// A source is only asked for blocks that exist.
#[test]
fn a_lexicon_of_one_word_needs_no_more() {
    struct Nothing;
    impl Trajectories for Nothing {
        fn fill(&mut self, _: &wug::evaluate::Rows, blocks: &mut [wug::evaluate::Block]) {
            assert_eq!(blocks.len(), 1);
        }
    }
    let lexicon = Lexicon::from_counts([("a", 1)]).unwrap();
    let mut points = 0;
    shared_trajectories(&lexicon, 7, 1, |_| Ok(Nothing), |_| points += 1, &mut |_| ()).unwrap();
    assert_eq!(points, 1);
}
