//! Measures against models whose figures are known.

mod information;
mod log_probability;
mod membership;
mod shared_trajectories;
mod trajectories;

use crate::lexicon::Symbol;
use crate::model::{Fitted, Model, ModelConfig};

fn config(changes: &[&str]) -> ModelConfig {
    crate::Config::default().with_overrides(&[&["kind=state-space"], changes].concat()).unwrap().model
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

    /// Makes q a normal distribution with this mean and about this deviation, whatever the word.
    fn propose(&mut self, mean: f32, deviation: f32) {
        let Self { model, parameters } = self;
        let network: Vec<_> =
            model.params().iter().filter(|info| info.name.starts_with("inference.proposal")).collect();
        for info in &network {
            parameters[info.range()].fill(0.0);
        }
        let last = network.iter().rfind(|info| info.is_vector).unwrap().range();
        // The deviation is the softplus of a number, with an offset that makes it 1 at 0.
        parameters[last].copy_from_slice(&[mean, (deviation.exp_m1() / 1f32.exp_m1()).ln()]);
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
