//! The baseline against the chain rule in scalar code.

use wug::lexicon::Symbol;
use wug::model::{BoundConfig, Kind, Model, ModelConfig, Resampling};

use super::common::{bounds, made_up, tensor};

const STATE: usize = 3;
const SYMBOLS: usize = 3;
/// The baseline has no particles.
const BOUND: BoundConfig = BoundConfig { particles: 1, peek: false, resampling: Resampling::One };

fn model() -> Model {
    let config = ModelConfig { kind: Kind::Gru, state: STATE, ..ModelConfig::default() };
    Model::new(&config, SYMBOLS).expect("a valid configuration")
}

/// `W x`, row by row.
fn product(weight: &[f64], x: &[f64]) -> Vec<f64> {
    weight.chunks_exact(x.len()).map(|row| row.iter().zip(x).map(|(w, x)| w * x).sum()).collect()
}

/// `log P(w)` from the formulas in the module's documentation.
fn chain_rule(model: &Model, numbers: &[f64], word: &[Symbol]) -> f64 {
    let get = |name: &str| tensor(model, numbers, &format!("baseline.{name}"));
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    let mut state = get("gru.start").to_vec();
    let mut previous = 0;
    let mut total = 0.0;
    for &symbol in word {
        let input = &get("embedding")[previous * STATE..][..STATE];
        let (wx, us) = (product(get("gru.gates.input"), input), product(get("gru.gates.state"), &state));
        let gate = |i: usize| sigmoid(wx[i] + us[i] + get("gru.gates.bias")[i]);
        let (nx, ns) =
            (product(get("gru.candidate.input"), input), product(get("gru.candidate.state"), &state));
        state = (0..STATE)
            .map(|i| {
                let (reset, update) = (gate(i), gate(STATE + i));
                let past = ns[i] + get("gru.candidate.state_bias")[i];
                let candidate = (nx[i] + get("gru.candidate.bias")[i] + reset * past).tanh();
                (1.0 - update) * candidate + update * state[i]
            })
            .collect();
        let logits = product(get("emission.weight"), &state);
        let odds: Vec<f64> = logits.iter().zip(get("emission.bias")).map(|(e, b)| (e + b).exp()).collect();
        previous = usize::from(symbol);
        total += (odds[previous] / odds.iter().sum::<f64>()).ln();
    }
    total
}

/// All sequences of `length` letters, each followed by `last`.
fn sequences(length: usize, last: &[Symbol]) -> Vec<Vec<Symbol>> {
    let count = (SYMBOLS - 1).pow(length as u32);
    let letters = |number: usize| (0..length).map(move |place| 1 + (number >> place & 1) as Symbol);
    (0..count).map(|number| letters(number).chain(last.iter().copied()).collect()).collect()
}

#[test]
fn bounds_follow_the_chain_rule() {
    let model = model();
    let numbers = made_up(model.params(), 9, 1.5);
    for length in 0..6 {
        let words = sequences(length, &[0]);
        let slices: Vec<&[Symbol]> = words.iter().map(Vec::as_slice).collect();
        let found = bounds(&model, &numbers, &BOUND, &slices);
        for (word, found) in words.iter().zip(found) {
            let expected = chain_rule(&model, &numbers, word);
            assert!((found - expected).abs() < 1e-12, "{word:?}: {found} {expected}");
        }
    }
}

/// The probabilities of all words of up to n letters, and of all beginnings of more letters, sum to one.
#[test]
fn probabilities_sum_to_one() {
    let model = model();
    let numbers = made_up(model.params(), 9, 1.5);
    let sum = |words: Vec<Vec<Symbol>>| -> f64 {
        let slices: Vec<&[Symbol]> = words.iter().map(Vec::as_slice).collect();
        let logs = bounds(&model, &numbers, &BOUND, &slices);
        logs.iter().map(|log| log.exp()).sum()
    };
    let mut ended = 0.0;
    for length in 0..7 {
        ended += sum(sequences(length, &[0]));
        let open = sum(sequences(length + 1, &[]));
        assert!((ended + open - 1.0).abs() < 1e-12, "{ended} + {open}");
        assert!(ended < 1.0);
    }
}
