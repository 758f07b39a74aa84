//! `E[Π_t (1/K) Σ_k ω_t^(k)] = P(w)`, on models small enough to integrate numerically.
//!
//! States have one dimension. The generative model is written here a second time, in scalar code, and P(w) is
//! integrated over the noise step by step; the engine's side is only the bound.

use wug::Execution;
use wug::generate::{SymbolChoice, draw};
use wug::lexicon::Symbol;
use wug::model::flow::Direction;
use wug::model::{BoundConfig, Condition, Fitted, InferenceFlow, Kind, Model, ModelConfig, Resampling};

use super::common::{draws, made_up, tensor};

const DELTA: f64 = 0.2;
const SYMBOLS: usize = 3;

/// Settings that differ between the models.
#[derive(Debug, Clone, Copy)]
struct Case {
    generative: &'static str,
    inference: &'static str,
    direction: Direction,
    peek: bool,
    condition: Condition,
    bidi: bool,
}

impl Case {
    fn model(self) -> Model {
        let mut config = ModelConfig { kind: Kind::StateSpace, state: 1, ..ModelConfig::default() };
        config.generative.flow = self.generative.parse().expect("a flow");
        config.generative.hidden = vec![4];
        config.generative.direction = self.direction;
        config.generative.delta = DELTA;
        config.inference.flow =
            InferenceFlow::try_from(self.inference.to_owned()).expect("a flow or `shared`");
        config.inference.flow_hidden = vec![3];
        config.inference.direction = self.direction;
        config.inference.embedding = 2;
        config.inference.encoder = 3;
        config.inference.hidden = vec![4];
        config.inference.bidi = self.bidi;
        config.inference.condition = self.condition;
        config.bound.peek = self.peek;
        Model::new(&config, SYMBOLS).expect("a valid configuration")
    }
}

/// Made-up parameters. The emission is strong, so that particles differ in weight; q is somewhat too wide,
/// so that weights have a variance and the mean's error can be trusted.
fn parameters(model: &Model) -> Vec<f64> {
    let mut numbers = made_up(model.params(), 5, 0.5);
    for info in model.params().iter() {
        match info.name.as_str() {
            "generative.emission.weight" => numbers[info.range()].iter_mut().for_each(|x| *x *= 3.0),
            name if name.contains(".flow") => numbers[info.range()].iter_mut().for_each(|x| *x *= 0.6),
            "inference.proposal.1.bias" => numbers[info.range().end - 1] = 0.8,
            _ => {}
        }
    }
    numbers
}

/// `F_g` in scalar code, from the formulas of the specification.
struct Scalar<'a> {
    case: Case,
    model: &'a Model,
    numbers: &'a [f64],
}

impl Scalar<'_> {
    fn tensor(&self, name: &str) -> &[f64] {
        tensor(self.model, self.numbers, name)
    }

    /// Shift and scale of one affine flow for the state h.
    fn shift_and_scale(&self, name: &str, h: f64) -> (f64, f64) {
        let weight = self.tensor(&format!("{name}.0.state"));
        let bias = self.tensor(&format!("{name}.0.bias"));
        let hidden: Vec<f64> = weight.iter().zip(bias).map(|(w, b)| (w * h + b).tanh()).collect();
        let (weight, bias) =
            (self.tensor(&format!("{name}.1.weight")), self.tensor(&format!("{name}.1.bias")));
        let out = |row: usize| {
            bias[row] + (0..hidden.len()).map(|i| weight[row * hidden.len() + i] * hidden[i]).sum::<f64>()
        };
        let offset = ((1.0 - DELTA).exp() - 1.0).ln();
        (out(0), DELTA + (1.0 + (out(1) + offset).exp()).ln())
    }

    fn transition(&self, h: f64, noise: f64) -> f64 {
        let affine = |name: &str, x: f64| {
            let (shift, scale) = self.shift_and_scale(name, h);
            match self.case.direction {
                Direction::Forward => shift + scale * x,
                Direction::Inverse => (x - shift) / scale,
            }
        };
        match (self.case.generative, self.case.direction) {
            ("id", _) => noise,
            ("add", Direction::Forward) => h + noise,
            ("add", Direction::Inverse) => noise - h,
            ("diag" | "tril", _) => affine("generative.flow", noise),
            ("2xtril", Direction::Forward) => affine("generative.flow.1", affine("generative.flow.0", noise)),
            ("2xtril", Direction::Inverse) => affine("generative.flow.0", affine("generative.flow.1", noise)),
            other => panic!("{other:?} is not written out here"),
        }
    }

    fn emission(&self, h: f64, symbol: Symbol) -> f64 {
        let weight = self.tensor("generative.emission.weight");
        let bias = self.tensor("generative.emission.bias");
        let odds: Vec<f64> = weight.iter().zip(bias).map(|(w, b)| (w * h + b).exp()).collect();
        odds[usize::from(symbol)] / odds.iter().sum::<f64>()
    }

    /// `∫ r(ξ) P(w_t | h_t) P(w_{>t} | h_t) dξ` by the trapezoidal rule, which converges exponentially here.
    fn probability(&self, h: f64, word: &[Symbol]) -> f64 {
        let Some((&symbol, rest)) = word.split_first() else { return 1.0 };
        const STEP: f64 = 0.25;
        let integrand = |noise: f64| {
            let next = self.transition(h, noise);
            (-0.5 * noise * noise).exp() * self.emission(next, symbol) * self.probability(next, rest)
        };
        let sum: f64 = (-28..=28).map(|i| integrand(STEP * f64::from(i))).sum();
        sum * STEP / std::f64::consts::TAU.sqrt()
    }

    /// P(w).
    fn word(&self, word: &[Symbol]) -> f64 {
        self.probability(self.tensor("generative.start")[0], word)
    }
}

fn mean_and_error(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0) / count).sqrt())
}

/// Every combination of what a bound can be, over flows and words that take turns.
fn cases() -> Vec<Case> {
    let generative = ["tril", "2xtril", "diag", "add", "id"];
    let inference = ["diag", "shared", "tril", "add", "id"];
    let mut cases = Vec::new();
    for peek in [false, true] {
        for condition in [Condition::Data, Condition::DataState] {
            for direction in [Direction::Forward, Direction::Inverse] {
                for (index, inference) in inference.into_iter().enumerate() {
                    let turn = cases.len() / 5;
                    let generative = generative[(turn + index) % 5];
                    cases.push(Case {
                        generative,
                        inference,
                        direction,
                        peek,
                        condition,
                        bidi: turn % 3 == 1,
                    });
                }
            }
        }
    }
    cases
}

const WORDS: [&[Symbol]; 3] = [&[1, 2, 0], &[2, 0], &[2, 1]];

#[test]
fn the_weights_are_unbiased() {
    for (index, case) in cases().into_iter().enumerate() {
        let model = case.model();
        let numbers = parameters(&model);
        let word = WORDS[index % WORDS.len()];
        let exact = Scalar { case, model: &model, numbers: &numbers }.word(word);
        for (particles, resampling) in [
            (1, Resampling::One),
            (2, Resampling::One),
            (2, Resampling::All),
            (5, Resampling::One),
            (5, Resampling::All),
        ] {
            let bound = BoundConfig { particles, resampling, peek: case.peek };
            let log_draws = draws(&model, &numbers, &bound, word, 24_000 / particles);
            let weights: Vec<f64> = log_draws.iter().map(|log| log.exp()).collect();
            let (mean, error) = mean_and_error(&weights);
            let what = || format!("{case:?} {bound:?} {word:?}");
            assert!(error < 0.03 * exact, "the error {error} of {exact} is too large: {}", what());
            assert!((mean - exact).abs() < 4.0 * error, "{mean} ± {error}, exactly {exact}: {}", what());
            let (bound, error) = mean_and_error(&log_draws);
            assert!(bound < exact.ln() + 4.0 * error, "{bound} ± {error}, above {}: {}", exact.ln(), what());
        }
    }
}

#[test]
fn the_bound_rises_with_the_particles() {
    let case = Case {
        generative: "2xtril",
        inference: "diag",
        direction: Direction::Forward,
        peek: true,
        condition: Condition::Data,
        bidi: false,
    };
    let model = case.model();
    let numbers = parameters(&model);
    let word = WORDS[0];
    let exact = Scalar { case, model: &model, numbers: &numbers }.word(word);
    for resampling in [Resampling::One, Resampling::All] {
        let (mut last, mut last_error) = (f64::NEG_INFINITY, 0.0);
        for particles in [1, 2, 5, 20] {
            let bound = BoundConfig { particles, resampling, peek: true };
            let log_draws = draws(&model, &numbers, &bound, word, 20_000);
            let weights: Vec<f64> = log_draws.iter().map(|log| log.exp()).collect();
            let (mean, error) = mean_and_error(&weights);
            assert!((mean - exact).abs() < 4.0 * error, "{mean} ± {error}, exactly {exact}: {bound:?}");
            let (mean, error) = mean_and_error(&log_draws);
            assert!(
                mean - last > 4.0 * (error + last_error),
                "{mean} ± {error} with {particles} particles, after {last} ± {last_error}"
            );
            (last, last_error) = (mean, error);
        }
        let exact = exact.ln();
        assert!(last < exact - 4.0 * last_error, "{last} ± {last_error} must stay below {exact}");
        if resampling == Resampling::All {
            // A single resampled particle forgets what the others knew: only a filter's bound becomes tight.
            assert!(last > exact - 0.2, "{last} comes close to {exact}");
        }
    }
}

/// Frequencies of sampled words are their probabilities, and a word does not depend on how many there are.
#[test]
fn sampled_words_follow_the_model() {
    const COUNT: usize = 100_000;
    for (generative, direction) in [("2xtril", Direction::Forward), ("diag", Direction::Inverse)] {
        let (inference, condition) = ("shared", Condition::Data);
        let case = Case { generative, inference, direction, peek: false, condition, bidi: false };
        let model = case.model();
        let numbers = parameters(&model);
        let single: Vec<f32> = numbers.iter().map(|&x| x as f32).collect();
        let fitted = Fitted::new(&model, &single);
        let draw =
            |count, threads| draw(fitted, SymbolChoice::Sampled, count, Execution { seed: 5, threads });
        let words = draw(COUNT, 2).expect("words");
        let scalar = Scalar { case, model: &model, numbers: &numbers };
        for letters in [&[][..], &[1], &[2], &[1, 2], &[2, 1], &[2, 2], &[1, 1]] {
            let exact = scalar.word(&[letters, &[0]].concat());
            let found = words.iter().filter(|word| word.as_slice() == letters).count() as f64 / COUNT as f64;
            let error = (exact * (1.0 - exact) / COUNT as f64).sqrt();
            assert!((found - exact).abs() < 4.0 * error, "{letters:?}: {found}, exactly {exact} ± {error}");
        }
        assert!(draw(5000, 1).expect("words") == words[..5000]);
    }
}
