//! The reference step: one importance-weighted bound with its gradient, the same computation in every
//! engine that the benchmarks compare (`benches/peers/step_data.py` spells it out).

use tilegrad::{Activation, Element, Graph, Lanes, Param, Params, Program, Tile, Triangle, VarId};

pub(crate) const STEPS: usize = 8;
pub(crate) const PARTICLES: usize = 10;
pub(crate) const FEATURES: usize = 16;
pub(crate) const SYMBOLS: usize = 28;

/// Sizes of the model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) state: usize,
    pub(crate) hidden: usize,
    pub(crate) steps: usize,
    pub(crate) particles: usize,
}

pub(crate) struct Reference<T: Element> {
    pub(crate) params: Params,
    pub(crate) programs: Vec<Program<T>>,
    pub(crate) sizes: Sizes,
    /// For each step: encoder features, noise of the simulation, noise of the proposal.
    inputs: Vec<[VarId; 3]>,
}

struct Layer {
    weight: [Param; 2],
    bias: [Param; 2],
}

impl Layer {
    fn new(params: &mut Params, name: &str, sizes: Sizes) -> Self {
        let out = sizes.state + sizes.state * (sizes.state + 1) / 2;
        let first = params.matrix(format!("{name}.0.weight"), sizes.hidden, sizes.state);
        let first_bias = params.vector(format!("{name}.0.bias"), sizes.hidden);
        let second = params.matrix(format!("{name}.1.weight"), out, sizes.hidden);
        let second_bias = params.vector(format!("{name}.1.bias"), out);
        Self { weight: [first, second], bias: [first_bias, second_bias] }
    }
}

impl<T: Element> Reference<T> {
    /// Records the step for tiles of `words` words.
    pub(crate) fn new(sizes: Sizes, words: usize) -> Self {
        let Sizes { state: d, hidden, steps, particles } = sizes;
        let mut params = Params::new();
        let start = params.vector("start", d);
        let layers = ["flow.0", "flow.1"].map(|name| Layer::new(&mut params, name, sizes));
        let see_simulation = params.matrix("inference.0.simulation", hidden, d);
        let see_state = params.matrix("inference.0.state", hidden, d);
        let see_data = params.matrix("inference.0.data", hidden, FEATURES);
        let inference_bias = params.vector("inference.0.bias", hidden);
        let inference_out = params.matrix("inference.1.weight", 2 * d, hidden);
        let inference_out_bias = params.vector("inference.1.bias", 2 * d);
        let emission = params.matrix("emission.weight", SYMBOLS, d);
        let emission_bias = params.vector("emission.bias", SYMBOLS);

        let graph = Graph::new(&params, particles);
        let mut inputs = Vec::new();
        let mut state = graph.broadcast(start);
        let mut bound = None;
        for _ in 0..steps {
            let symbols = graph.symbols();
            let features = graph.data(FEATURES, Lanes::Word);
            let simulation_noise = graph.data(d, Lanes::Particle);
            let proposal_noise = graph.data(d, Lanes::Particle);
            inputs.push([features.id(), simulation_noise.id(), proposal_noise.id()]);

            let flows = layers.each_ref().map(|layer| {
                let hidden = graph.affine(&[(layer.weight[0], state)], Some(layer.bias[0]), Activation::Tanh);
                let out =
                    graph.affine(&[(layer.weight[1], hidden)], Some(layer.bias[1]), Activation::Identity);
                let diagonal = out.slice(d..2 * d).shifted_softplus(0.0, 0.1);
                let below = (d > 1).then(|| out.slice(2 * d..out.rows()));
                (out.slice(0..d), Triangle::new(below, diagonal), diagonal.sum_ln())
            });
            let simulated =
                flows.iter().fold(simulation_noise, |x, (shift, g, _)| g.product(x, Some(*shift)));
            let seen = [(see_simulation, simulated), (see_state, state), (see_data, features)];
            let hidden = graph.affine(&seen, Some(inference_bias), Activation::Tanh);
            let out =
                graph.affine(&[(inference_out, hidden)], Some(inference_out_bias), Activation::Identity);
            let scale = out.slice(d..2 * d).shifted_softplus(0.0, 1e-3);
            let proposal = scale.mul_add(proposal_noise, out.slice(0..d));
            let log_q = proposal_noise.standard_normal_log_density() - scale.sum_ln();
            let noise = flows.iter().rev().fold(proposal, |y, (shift, g, _)| g.solve(y, Some(*shift)));
            let log_p = noise.standard_normal_log_density() - (flows[0].2 + flows[1].2);
            let logits = graph.affine(&[(emission, proposal)], Some(emission_bias), Activation::Identity);
            let log_weight = logits.log_softmax_pick(symbols) + log_p - log_q;
            let gain = log_weight.log_sum_exp() - (particles as f64).ln();
            bound = Some(bound.map_or(gain, |bound| bound + gain));
            state = proposal.gather(log_weight.choose_largest());
        }
        let loss = bound.map(|bound| -bound);
        let programs = vec![graph.compile(words, loss, &[]).expect("the step is recorded without mistakes")];
        Self { params, programs, sizes, inputs }
    }

    /// Tiles for `count` words; the loss is the mean over all words.
    /// `features(t, word)`, `noise(which, t, word)` (K × d numbers) and `symbol(t, word)` give the inputs.
    pub(crate) fn tiles(
        &self,
        count: usize,
        features: impl Fn(usize, usize) -> Vec<T>,
        noise: impl Fn(usize, usize, usize) -> Vec<T>,
        symbol: impl Fn(usize, usize) -> u32,
    ) -> Vec<Tile<T>> {
        let program = &self.programs[0];
        let words = program.dims().words;
        let mut tiles = Vec::new();
        for first in (0..count).step_by(words) {
            let mut tile = Tile::new(&self.programs, 0);
            let active = words.min(count - first);
            for (t, inputs) in self.inputs.iter().enumerate() {
                for word in 0..active {
                    tile.symbol_row_mut(t)[word] = symbol(t, first + word);
                    tile.set_data(program, inputs[0], word, &features(t, first + word));
                    tile.set_data(program, inputs[1], word, &noise(0, t, first + word));
                    tile.set_data(program, inputs[2], word, &noise(1, t, first + word));
                }
            }
            tile.weight = T::from_f64(1.0 / count as f64);
            tile.set_active(active);
            tiles.push(tile);
        }
        tiles
    }
}
