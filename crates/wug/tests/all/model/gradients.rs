//! The gradient of the whole bound against central differences, over a grid of settings.
//!
//! Every value of every setting occurs with every value of every other one. Each tensor is moved along random
//! directions. Particles are chosen by comparing weights with uniform numbers, so the bound jumps where a choice
//! changes; between the jumps the gradient holds the choices fixed. A jump within a difference would be divided by
//! the small step and fail the comparison: with these seeds there is none.

use tilegrad::{Graph, NoiseKey, Runner, Tile};
use wug::lexicon::Symbol;
use wug::model::flow::Direction;
use wug::model::{BoundConfig, Condition, InferenceFlow, Kind, Model, ModelConfig, Resampling};

use super::common::{made_up, normal};

const GENERATIVE: [&str; 8] = ["id", "add", "diag", "tril", "nvp", "2xtril", "3xdiag", "2xnvp"];
const INFERENCE: [&str; 9] = ["shared", "id", "add", "diag", "tril", "nvp", "2xtril", "3xdiag", "2xnvp"];
const PARTICLES: [usize; 3] = [1, 2, 5];
const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Inverse];
const RESAMPLING: [Resampling; 2] = [Resampling::One, Resampling::All];
const CONDITIONS: [Condition; 2] = [Condition::Data, Condition::DataState];

/// How many values each setting has, in the order of [`config`].
const CHOICES: [usize; 9] = [8, 9, 3, 2, 2, 2, 2, 2, 2];

/// One value for each setting.
type Row = [usize; 9];

/// Rows in which any two values of two settings meet. The two flows meet everywhere; each such pair takes the
/// other settings that bring together the most values that have not met.
fn grid() -> Vec<Row> {
    let mut met = std::collections::HashSet::new();
    let pairs = |row: &Row| {
        let row = *row;
        (0..row.len()).flat_map(move |i| (0..i).map(move |j| (i, row[i], j, row[j])))
    };
    let mut rows = Vec::new();
    for flows in 0..CHOICES[0] * CHOICES[1] {
        let others: usize = CHOICES[2..].iter().product();
        let row = |mut code: usize| {
            let mut row = [flows % CHOICES[0], flows / CHOICES[0], 0, 0, 0, 0, 0, 0, 0];
            for (value, count) in row[2..].iter_mut().zip(&CHOICES[2..]) {
                *value = code % count;
                code /= count;
            }
            row
        };
        let best =
            (0..others).map(row).max_by_key(|row| pairs(row).filter(|pair| !met.contains(pair)).count());
        let best = best.expect("there is a row");
        met.extend(pairs(&best));
        rows.push(best);
    }
    let wanted: usize = (0..CHOICES.len()).flat_map(|i| (0..i).map(move |j| CHOICES[i] * CHOICES[j])).sum();
    assert_eq!(met.len(), wanted, "every value meets every other one");
    rows
}

fn config(row: &Row) -> ModelConfig {
    let [f_g, f_q, particles, resampling, bidi, g_direction, q_direction, peek, condition] = *row;
    let (kind, state) = (Kind::StateSpace, 2 + (f_g + f_q) % 2);
    let mut config = ModelConfig { kind, state, ..ModelConfig::default() };
    config.generative.flow = GENERATIVE[f_g].parse().expect("a flow");
    config.generative.hidden = vec![3];
    config.generative.direction = DIRECTIONS[g_direction];
    config.inference.flow = InferenceFlow::try_from(INFERENCE[f_q].to_owned()).expect("a flow");
    config.inference.flow_hidden = vec![2, 3];
    config.inference.direction = DIRECTIONS[q_direction];
    config.inference.embedding = 2;
    config.inference.encoder = 2;
    config.inference.bidi = bidi == 1;
    config.inference.condition = CONDITIONS[condition];
    config.inference.hidden = vec![3];
    config.bound =
        BoundConfig { particles: PARTICLES[particles], peek: peek == 1, resampling: RESAMPLING[resampling] };
    config
}

const SYMBOLS: usize = 4;
const WORDS: [&[Symbol]; 3] = [&[1, 3, 0], &[2, 2, 0], &[3, 1, 2]];
const KEY: NoiseKey = NoiseKey { seed: 4, step: 7 };

/// Compares the derivative along directions within each tensor; returns the tensors whose gradient is zero.
fn check(config: &ModelConfig, what: &str) -> Vec<String> {
    let model = Model::new(config, SYMBOLS).expect("a valid configuration");
    let graph = Graph::new(model.params(), model.particles());
    let loss = -model.log_probability(&graph, WORDS[0].len(), &config.bound);
    let program = graph.compile::<f64>(8, Some(loss), &[]).expect("a program");
    let loss = loss.id();
    let mut runner = Runner::new(model.params(), vec![program], 1).expect("a thread");
    let mut tile = Tile::new(runner.programs(), 0);
    model.fill_tile(&mut tile, WORDS.into_iter());
    let mut numbers = made_up(model.params(), 2, 0.9);
    let mut gradient = vec![0.0; numbers.len()];
    runner.gradient(&numbers, std::slice::from_ref(&tile), KEY, &mut gradient);
    // Small, so that choices stay as they are; five points afford it.
    let step = 2e-6;
    let mut zero = Vec::new();
    for info in model.params().iter() {
        let own = gradient[info.range()].to_vec();
        let norm = own.iter().map(|g| g * g).sum::<f64>().sqrt();
        if norm == 0.0 {
            zero.push(info.name.clone());
        }
        for direction in 0..2 {
            let direction: Vec<f64> = (0..own.len()).map(|i| normal(20 + direction, i)).collect();
            let length = direction.iter().map(|v| v * v).sum::<f64>().sqrt();
            let origin = numbers[info.range()].to_vec();
            let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|steps| {
                for ((number, origin), v) in numbers[info.range()].iter_mut().zip(&origin).zip(&direction) {
                    *number = origin + steps * step * v / length;
                }
                let sum = runner.forward(&numbers, std::slice::from_ref(&tile), KEY, |_, values| {
                    values.get(loss)[..WORDS.len()].iter().sum::<f64>()
                });
                sum[0]
            });
            numbers[info.range()].copy_from_slice(&origin);
            let difference = (8.0 * (c - b) - (d - a)) / (12.0 * step);
            let slope: f64 = own.iter().zip(&direction).map(|(g, v)| g * v / length).sum();
            assert!(
                (slope - difference).abs() < 1e-6 * norm + 1e-8,
                "{}: gradient {slope}, difference {difference}, norm {norm}; {what}",
                info.name
            );
        }
    }
    zero
}

#[test]
fn gradients_are_those_of_differences() {
    for row in grid() {
        let config = config(&row);
        let zero = check(&config, &format!("{config:?}"));
        // Only the first state may be without influence, when nothing depends on states.
        let forgets = |flow: &str| flow == "id" || flow == "shared";
        let stateless = GENERATIVE[row[0]] == "id"
            && forgets(INFERENCE[row[1]])
            && config.inference.condition == Condition::Data;
        let expected: &[&str] = if stateless { &["generative.start"] } else { &[] };
        assert_eq!(zero, expected, "{config:?}");
    }
}

#[test]
fn gradients_of_the_baseline_are_those_of_differences() {
    let config = ModelConfig { kind: Kind::Gru, state: 3, ..ModelConfig::default() };
    assert_eq!(check(&config, "baseline"), [""; 0]);
}

#[test]
fn gradients_of_the_choice_flow_and_its_counterpart_are_those_of_differences() {
    let mut config = ModelConfig { state: 3, ..ModelConfig::default() };
    (config.generative.hidden, config.generative.choice_hidden) = (vec![3, 3, 2], vec![4]);
    for kind in [Kind::Choice, Kind::TeacherForced] {
        // The memory after the last symbol is not used, but all that makes memories is, before.
        assert_eq!(check(&ModelConfig { kind, ..config.clone() }, kind.name()), [""; 0]);
    }
}
