//! Where the two flows are one: `s = f_g⁻¹ ∘ f_q` is the identity and Jacobians cancel.

use tilegrad::{Graph, Lanes, NoiseKey, Runner, Tile, Var};
use wug::model::{BoundConfig, InferenceFlow, Model, ModelConfig, Parts, Survivors};

use super::common::{log_probabilities, made_up};

const WORD: &[u16] = &[2, 3, 1, 0];

fn model(flow: &str, inference: InferenceFlow) -> Model {
    let mut config = ModelConfig { state: 3, ..ModelConfig::default() };
    config.generative.flow = flow.parse().expect("a flow");
    config.generative.hidden = vec![5];
    config.inference.flow = inference;
    config.inference.flow_hidden = vec![5];
    config.bound = BoundConfig { particles: 1, peek: false, survivors: Survivors::One };
    Model::new(&config, 4).expect("a valid configuration")
}

const FLOWS: [&str; 6] = ["id", "add", "diag", "tril", "nvp", "2xtril"];

/// `Σ_t log P(w_t | h_t) + log r(ξ_t) − log q(ξ_t)`: no inverse, no determinant.
fn without_jacobians<'g>(graph: &'g Graph, model: &Model) -> Var<'g> {
    let Parts::StateSpace(parts) = model.parts() else { panic!("a state space model") };
    let symbols: Vec<_> = WORD.iter().map(|_| graph.symbols()).collect();
    let inference = parts.inference.as_ref().expect("an inference model");
    let encoded = inference.encode(graph, &symbols);
    let mut state = parts.generative.initial_state(graph);
    let mut total: Option<Var<'g>> = None;
    for (t, (&symbol, encoded)) in symbols.iter().zip(&encoded).enumerate() {
        let q = inference.proposal(graph, encoded, state, None);
        let noise = graph.normal(4 * t as u16, model.config().state, Lanes::Particle);
        let xi = q.scale.mul_add(noise, q.mean);
        let log_q = noise.standard_normal_log_density() - q.scale.sum_ln();
        let next = parts.generative.transition(graph, state).forward(xi).value;
        let likelihood = parts.generative.emission().log_probability(graph, next, symbol);
        let gain = (likelihood + xi.standard_normal_log_density() - log_q).sum_particles();
        total = Some(total.map_or(gain, |total| total + gain));
        state = next.sum_particles();
    }
    total.expect("a word has symbols")
}

#[test]
fn a_shared_flow_needs_no_jacobians_to_the_last_bit() {
    for flow in FLOWS {
        let model = model(flow, InferenceFlow::Shared);
        let numbers = made_up(model.params(), 3, 1.0);
        let graph = Graph::new(model.params(), 1);
        let log_p = without_jacobians(&graph, &model);
        let program = graph.compile::<f64>(64, None, &[log_p]).expect("a program");
        let id = log_p.id();
        let mut runner = Runner::new(model.params(), vec![program], 1).expect("a thread");
        let mut tile = Tile::new(runner.programs(), 0);
        model.fill_tile(&mut tile, std::iter::repeat_n(WORD, 64));
        let key = NoiseKey { seed: 1, step: 0 };
        let expected = runner.forward(&numbers, &[tile], key, |_, values| values.get(id).to_vec()).concat();
        let words = vec![WORD; 64];
        assert_eq!(log_probabilities(&model, &numbers, &model.config().bound, &words), expected, "{flow}");
    }
}

/// The general formula with F_q a second copy of F_g comes to the same.
#[test]
fn a_copy_of_the_flow_comes_to_the_same_as_sharing_it() {
    for flow in FLOWS {
        let shared = model(flow, InferenceFlow::Shared);
        let copied = model(flow, InferenceFlow::Own(flow.parse().expect("a flow")));
        let numbers = made_up(shared.params(), 3, 1.0);
        let mut copy = vec![0.0; copied.params().len()];
        for info in copied.params().iter() {
            let source = info.name.replace("inference.flow", "generative.flow");
            let source = shared.params().find(&source).expect("the same parameter");
            copy[info.range()].copy_from_slice(&numbers[source.range()]);
        }
        let words = vec![WORD; 64];
        let one = log_probabilities(&shared, &numbers, &shared.config().bound, &words);
        let other = log_probabilities(&copied, &copy, &copied.config().bound, &words);
        for (one, other) in one.iter().zip(&other) {
            assert!((one - other).abs() < 1e-9, "{flow}: {one} {other}");
        }
    }
}
