//! The bound where the two flows are one: `s = f_g⁻¹ ∘ f_q` is the identity and Jacobians cancel.

use tilegrad::noise::Noise;
use tilegrad::{Graph, Lanes, NoiseKey, Runner, Tile, Var};

use super::{BoundConfig, InferenceFlow, Kind, Model, ModelConfig, Parts, Resampling};
use crate::random::streams::Bound;

const WORD: &[u16] = &[2, 3, 1, 0];

fn model(flow: &str, inference: InferenceFlow) -> Model {
    let mut config = ModelConfig { kind: Kind::StateSpace, state: 3, ..ModelConfig::default() };
    config.generative.flow = flow.parse().unwrap();
    config.generative.hidden = vec![5];
    config.inference.flow = inference;
    config.inference.flow_hidden = vec![5];
    config.bound = BoundConfig { particles: 1, peek: false, resampling: Resampling::One };
    Model::new(&config, 4).unwrap()
}

const FLOWS: [&str; 6] = ["id", "add", "diag", "tril", "nvp", "2xtril"];

/// Made-up parameters: weights keep the variance of their inputs, vectors have deviation 0.3.
fn made_up(model: &Model) -> Vec<f64> {
    let mut numbers = vec![0.0; model.params().len()];
    for info in model.params().iter() {
        let deviation = if info.is_vector { 0.3 } else { 1.0 / (info.cols as f64).sqrt() };
        for index in info.range() {
            let [a, b] = Noise::new(17).uniform_f64(3, 0, index as u32, 0);
            numbers[index] = deviation * (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos();
        }
    }
    numbers
}

const WORDS: usize = 64;

/// What is recorded for the word, in each lane of a tile.
fn run(model: &Model, numbers: &[f64], record: impl for<'g> Fn(&'g Graph) -> Var<'g>) -> Vec<f64> {
    let graph = Graph::new(model.params(), 1);
    let found = record(&graph);
    let program = graph.compile::<f64>(WORDS, None, &[found]).unwrap();
    let id = found.id();
    let mut runner = Runner::new(model.params(), vec![program], 1).unwrap();
    let mut tile = Tile::new(runner.programs(), 0);
    model.fill_tile(&mut tile, std::iter::repeat_n(WORD, WORDS));
    runner
        .forward(numbers, &[tile], NoiseKey { seed: 1, step: 0 }, |_, values| values.get(id).to_vec())
        .concat()
}

fn bound(model: &Model, numbers: &[f64]) -> Vec<f64> {
    run(model, numbers, |graph| model.log_probability(graph, WORD.len(), &model.config().bound))
}

/// `Σ_t log P(w_t | h_t) + log r(ξ_t) − log q(ξ_t)`: no inverse, no determinant.
fn without_jacobians<'g>(graph: &'g Graph, model: &Model) -> Var<'g> {
    let Parts::StateSpace(parts) = &model.parts else { panic!("the paper's model") };
    let symbols: Vec<_> = WORD.iter().map(|_| graph.symbols()).collect();
    let encoded = parts.inference.encode(graph, &symbols);
    let mut state = parts.generative.initial_state(graph);
    let mut total: Option<Var<'g>> = None;
    for (t, (&symbol, encoded)) in symbols.iter().zip(&encoded).enumerate() {
        let q = parts.inference.proposal(graph, encoded, state, None);
        let noise = graph.normal(Bound::Proposal.at(t), model.config().state, Lanes::Particle);
        let xi = q.scale.mul_add(noise, q.mean);
        let log_q = noise.standard_normal_log_density() - q.scale.sum_ln();
        let next = parts.generative.transition(graph, state).forward(xi).value;
        let likelihood = parts.generative.emission().log_probability(graph, next, symbol);
        let gain = (likelihood + xi.standard_normal_log_density() - log_q).sum_particles();
        total = Some(total.map_or(gain, |total| total + gain));
        state = next.sum_particles();
    }
    total.unwrap()
}

#[test]
fn a_shared_flow_needs_no_jacobians_to_the_last_bit() {
    for flow in FLOWS {
        let model = model(flow, InferenceFlow::Shared);
        let numbers = made_up(&model);
        let expected = run(&model, &numbers, |graph| without_jacobians(graph, &model));
        assert_eq!(bound(&model, &numbers), expected, "{flow}");
    }
}

/// The general formula with F_q a second copy of F_g comes to the same.
#[test]
fn a_copy_of_the_flow_comes_to_the_same_as_sharing_it() {
    for flow in FLOWS {
        let shared = model(flow, InferenceFlow::Shared);
        let copied = model(flow, InferenceFlow::Own(flow.parse().unwrap()));
        let numbers = made_up(&shared);
        let mut copy = vec![0.0; copied.params().len()];
        for info in copied.params().iter() {
            let source = info.name.replace("inference.flow", "generative.flow");
            let source = shared.params().find(&source).unwrap();
            copy[info.range()].copy_from_slice(&numbers[source.range()]);
        }
        let (one, other) = (bound(&shared, &numbers), bound(&copied, &copy));
        for (one, other) in one.iter().zip(&other) {
            assert!((one - other).abs() < 1e-9, "{flow}: {one} {other}");
        }
    }
}
