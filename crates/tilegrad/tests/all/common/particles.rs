//! A second model: every particle carries a state of its own, and words resample their particles when
//! few of them have all the weight.
//!
//! `state' = tanh(A state + B state₀ + b) + softplus(c) · noise`, symbols by a softmax of the state.

use tilegrad::{Activation, Element, Graph, Lanes, Params, Program, Tile, VarId};

use super::{Setup, normal};

const STATE: usize = 3;
const SYMBOLS: usize = 5;
const STEPS: usize = 6;

pub(crate) struct ParticleStates<T: Element> {
    params: Params,
    program: Program<T>,
    /// For each step, 1 for every word that keeps its particles.
    pub(crate) kept: Vec<VarId>,
}

impl<T: Element> ParticleStates<T> {
    pub(crate) fn new(particles: usize) -> Self {
        let mut params = Params::new();
        let start = params.vector("start", STATE);
        let table = params.table("table", SYMBOLS, STATE);
        let transition = params.matrix("transition", STATE, STATE);
        let anchor = params.matrix("anchor", STATE, STATE);
        let bias = params.vector("bias", STATE);
        let spread = params.vector("spread", STATE);
        let emission = params.matrix("emission", SYMBOLS, STATE);

        let graph = Graph::new(&params, particles);
        let first = graph.symbols();
        let origin = graph.broadcast(start) + graph.embedding(table, first);
        let scale = graph.broadcast(spread).softplus();
        let uniform_weight = -(particles as f64).ln();
        let mut state = origin.expand();
        let mut weight = state.slice(0..1).scale(0.0, uniform_weight);
        let mut bound = weight.log_sum_exp();
        let mut kept = Vec::new();
        for step in 0..STEPS as u16 {
            let moved = graph.affine(&[(transition, state), (anchor, origin)], Some(bias), Activation::Tanh);
            state = moved + scale * graph.normal(2 * step, STATE, Lanes::Particle);
            let logits = graph.affine(&[(emission, state)], None, Activation::Identity);
            let joint = weight + logits.log_softmax_pick(graph.symbols());
            let gain = joint.log_sum_exp();
            bound = bound + gain;
            weight = joint - gain;
            let keep = weight.enough_particles(0.8);
            let parents = weight.ancestors(graph.uniform(2 * step + 1, 1, Lanes::Word), keep);
            state = state.gather(parents);
            weight = keep.select(weight, weight.scale(0.0, uniform_weight));
            kept.push(keep);
        }
        let outputs = kept.clone();
        let program = graph.compile(8, Some(-bound), &outputs).expect("a model without mistakes");
        let kept = kept.into_iter().map(tilegrad::Var::id).collect();
        Self { params, program, kept }
    }

    /// Made-up parameters, and `count` words of made-up symbols.
    pub(crate) fn setup(self, count: usize, threads: usize) -> Setup<T> {
        let flat = (0..self.params.len()).map(|i| normal(1, 0, i)).collect();
        let programs = vec![self.program];
        let tiles = (0..count).step_by(8).map(|first| {
            let mut tile = Tile::new(&programs, 0);
            let active = (count - first).min(8);
            for row in 0..=STEPS {
                for (word, symbol) in tile.symbol_row_mut(row)[..active].iter_mut().enumerate() {
                    *symbol = ((first + word) * 7 + row * row * 3) as u32 % SYMBOLS as u32;
                }
            }
            tile.set_active(active);
            tile.first_item = first as u32;
            tile.weight = T::from_f64(1.0 / count as f64);
            tile
        });
        let tiles = tiles.collect();
        Setup::new(self.params, programs, flat, tiles, threads)
    }
}
