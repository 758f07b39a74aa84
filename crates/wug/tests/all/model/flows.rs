//! Every flow goes through the same laws.

use tilegrad::{Graph, Lanes, NoiseKey, Params, Runner, Tile, Values, Var, VarId};
use wug::model::flow::{Direction, Family, FlowSizes, FlowSpec, Mapped};
use wug::model::{Declare, Init};

use super::common::{made_up, normal};

const DELTA: f64 = 0.1;
const WORDS: usize = 8;
const PARTICLES: usize = 3;

/// One flow, with states for each word or for each particle.
#[derive(Debug, Clone)]
struct Case {
    spec: FlowSpec,
    direction: Direction,
    state: usize,
    lanes: Lanes,
}

impl Case {
    /// All flows in all sizes.
    fn all() -> Vec<Self> {
        let mut cases = Vec::new();
        for family in Family::NAMES {
            for copies in ["", "2x", "3x"] {
                let spec: FlowSpec = format!("{copies}{family}").parse().expect("a flow");
                for state in [1, 2, 3, 4, 5, 8] {
                    if family == "nvp" && state == 1 {
                        continue;
                    }
                    for direction in [Direction::Forward, Direction::Inverse] {
                        for lanes in [Lanes::Word, Lanes::Particle] {
                            cases.push(Self { spec, direction, state, lanes });
                        }
                    }
                }
            }
        }
        cases
    }

    fn has_matrices(&self) -> bool {
        let name = self.spec.to_string();
        name.ends_with("diag") || name.ends_with("tril")
    }
}

/// What a map makes of one point.
#[derive(Debug, Clone)]
struct Point {
    value: Vec<f64>,
    log_det: f64,
}

/// The four maps of one point: f(x), f⁻¹(f(x)), f⁻¹(x), f(f⁻¹(x)).
type Maps = [Point; 4];

/// A flow ready to be run.
struct Machine {
    case: Case,
    params: Params,
    inits: Vec<Init>,
    runner: Runner<f64>,
    h: VarId,
    x: VarId,
    maps: [(VarId, Option<(VarId, Lanes)>); 4],
}

impl Machine {
    fn new(case: &Case) -> Self {
        let mut declare = Declare::default();
        let sizes = FlowSizes { state: case.state, hidden: &[6, 6], delta: DELTA };
        let flow = case.spec.build(&mut declare, "flow", sizes, case.direction);
        let (params, inits) = declare.finish();
        let graph = Graph::new(&params, PARTICLES);
        let h = graph.data(case.state, case.lanes);
        let x = graph.data(case.state, Lanes::Particle);
        let f = flow.given(&graph, h);
        let there = f.forward(x);
        let inverse = f.inverse(x);
        let maps = [there, f.inverse(there.value), inverse, f.forward(inverse.value)];
        let outputs: Vec<Var<'_>> =
            maps.iter().flat_map(|mapped| [Some(mapped.value), mapped.log_det]).flatten().collect();
        let program = graph.compile(WORDS, None, &outputs).expect("the flow can be recorded");
        let ids = |mapped: Mapped<'_>| {
            (mapped.value.id(), mapped.log_det.map(|log_det| (log_det.id(), log_det.shape().lanes)))
        };
        let (maps, h, x) = (maps.map(ids), h.id(), x.id());
        let runner = Runner::new(&params, vec![program], 1).expect("a thread");
        Self { case: case.clone(), params, inits, runner, h, x, maps }
    }

    /// All points of the tile, by word and then by particle; `shift` is added to every x.
    fn run(&mut self, numbers: &[f64], shift: &[f64]) -> Vec<Maps> {
        let d = self.case.state;
        let mut tile = Tile::new(self.runner.programs(), 0);
        for word in 0..WORDS {
            let program = &self.runner.programs()[0];
            let lanes = if self.case.lanes == Lanes::Word { 1 } else { PARTICLES };
            let h: Vec<f64> = (0..lanes * d).map(|i| normal(2, word * 100 + i)).collect();
            tile.set_data(program, self.h, word, &h);
            let x: Vec<f64> = (0..PARTICLES * d).map(|i| noise(word, i) + shift[i % d]).collect();
            tile.set_data(program, self.x, word, &x);
        }
        let maps = self.maps;
        let tiles = self.runner.forward(numbers, &[tile], NoiseKey { seed: 1, step: 0 }, |_, values| {
            let point = |i| maps.map(|map| read(&values, map, d, i / PARTICLES, i % PARTICLES));
            (0..WORDS * PARTICLES).map(point).collect::<Vec<_>>()
        });
        tiles.into_iter().flatten().collect()
    }

    /// The Jacobian of f at every point by five-point differences, row by row.
    fn jacobians(&mut self, numbers: &[f64]) -> Vec<Vec<Vec<f64>>> {
        let (d, h) = (self.case.state, 2e-4);
        let mut jacobians = vec![vec![vec![0.0; d]; d]; WORDS * PARTICLES];
        for column in 0..d {
            let mut at = |steps: f64| {
                let mut shift = vec![0.0; d];
                shift[column] = steps * h;
                self.run(numbers, &shift)
            };
            let [a, b, c, e] = [-2.0, -1.0, 1.0, 2.0].map(&mut at);
            for (point, jacobian) in jacobians.iter_mut().enumerate() {
                for (row, jacobian) in jacobian.iter_mut().enumerate() {
                    let y = |maps: &[Maps]| maps[point][0].value[row];
                    jacobian[column] = (8.0 * (y(&c) - y(&b)) - (y(&e) - y(&a))) / (12.0 * h);
                }
            }
        }
        jacobians
    }
}

/// The noise x of a word; all particles' rows one after the other.
fn noise(word: usize, index: usize) -> f64 {
    normal(3, word * 100 + index)
}

fn read(
    values: &Values<'_, f64>,
    (value, log_det): (VarId, Option<(VarId, Lanes)>),
    rows: usize,
    word: usize,
    particle: usize,
) -> Point {
    let lane = particle * WORDS + word;
    let value = (0..rows).map(|row| values.get(value)[row * WORDS * PARTICLES + lane]).collect();
    let log_det = log_det
        .map_or(0.0, |(log_det, lanes)| values.get(log_det)[if lanes == Lanes::Word { word } else { lane }]);
    Point { value, log_det }
}

/// `log |det|` by elimination with row exchanges.
fn log_abs_det(mut matrix: Vec<Vec<f64>>) -> f64 {
    let mut sum = 0.0;
    while let Some(width) = matrix.first().map(Vec::len) {
        let largest = (0..width).max_by(|&i, &j| matrix[i][0].abs().total_cmp(&matrix[j][0].abs()));
        let pivot = matrix.swap_remove(largest.expect("a row"));
        sum += pivot[0].abs().ln();
        for row in &mut matrix {
            let factor = row[0] / pivot[0];
            *row = (1..width).map(|j| row[j] - factor * pivot[j]).collect();
        }
    }
    sum
}

fn distance(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn the_determinant_of_the_checker_is_right() {
    let matrix = vec![vec![0.0, 2.0, 1.0], vec![3.0, 1.0, 0.0], vec![1.0, 0.0, 4.0]];
    assert!((log_abs_det(matrix) - 25.0_f64.ln()).abs() < 1e-14);
}

#[test]
fn every_flow_is_inverted_and_knows_its_determinant() {
    for case in Case::all() {
        let mut machine = Machine::new(&case);
        let numbers = made_up(&machine.params, 1, 1.0);
        let points = machine.run(&numbers, &vec![0.0; case.state]);
        let jacobians = machine.jacobians(&numbers);
        for (index, ([there, back, inverse, forth], jacobian)) in points.iter().zip(jacobians).enumerate() {
            let (word, particle) = (index / PARTICLES, index % PARTICLES);
            let x: Vec<f64> = (0..case.state).map(|i| noise(word, particle * case.state + i)).collect();
            let context = || format!("{case:?}, word {word}, particle {particle}");
            assert!(distance(&back.value, &x) < 1e-9, "f⁻¹(f(x)) ≠ x: {}", context());
            assert!(distance(&forth.value, &x) < 1e-9, "f(f⁻¹(x)) ≠ x: {}", context());
            assert!((there.log_det + back.log_det).abs() < 1e-9, "f⁻¹ after f: {}", context());
            assert!((inverse.log_det + forth.log_det).abs() < 1e-9, "f after f⁻¹: {}", context());
            let expected = log_abs_det(jacobian.clone());
            assert!(
                (there.log_det - expected).abs() < 1e-7,
                "log-determinant {} but the Jacobian's is {expected}: {}",
                there.log_det,
                context()
            );
            if case.spec.to_string() != "id" && !case.spec.to_string().ends_with("xid") {
                let still = x.iter().zip(&there.value).position(|(x, y)| (x - y).abs() < 1e-6);
                assert_eq!(still, None, "a coordinate does not move: {}", context());
            }
            if case.has_matrices() && case.direction == Direction::Forward {
                for (row, entries) in jacobian.iter().enumerate() {
                    let smallest = DELTA.powi(case.spec.copies as i32);
                    assert!(entries[row] >= smallest, "diagonal {}: {}", entries[row], context());
                    let above = entries[row + 1..].iter().all(|entry| entry.abs() < 1e-9);
                    assert!(above, "not lower triangular: {}", context());
                }
            }
        }
    }
}

/// A fresh flow is near the identity, but for `add`: with a last layer of zeros it is the identity, so
/// the diagonal of its matrices is 1.
#[test]
fn flows_start_at_the_identity() {
    let is_other = |case: &Case| case.spec.to_string().ends_with("add");
    for case in Case::all().into_iter().filter(|case| !is_other(case)) {
        let mut machine = Machine::new(&case);
        let first: Vec<f64> =
            Init::numbers(&machine.inits, &machine.params, 1).into_iter().map(f64::from).collect();
        let start = vec![0.0; case.state];
        for [there, ..] in machine.run(&first, &start) {
            let allowed = 0.5 * (case.spec.copies * case.state) as f64;
            assert!(there.log_det.abs() <= allowed, "{case:?}: {}", there.log_det);
        }
        let zeros = vec![0.0; first.len()];
        for (index, [there, ..]) in machine.run(&zeros, &start).iter().enumerate() {
            let (word, particle) = (index / PARTICLES, index % PARTICLES);
            let x: Vec<f64> = (0..case.state).map(|i| noise(word, particle * case.state + i)).collect();
            assert!(distance(&there.value, &x) < 1e-12, "{case:?}");
            assert!(there.log_det.abs() < 1e-12, "{case:?}");
        }
    }
}

/// However far a network goes, the diagonal stays at δ or above, and a coupling's scale at 1/e or above.
#[test]
fn scales_are_bounded_below() {
    for case in Case::all() {
        let mut machine = Machine::new(&case);
        let mut numbers = vec![0.0; machine.params.len()];
        for info in machine.params.iter().filter(|info| info.is_vector) {
            numbers[info.range()].fill(-100.0);
        }
        let [there, ..] = &machine.run(&numbers, &vec![0.0; case.state])[0];
        let sign = if case.direction == Direction::Forward { 1.0 } else { -1.0 };
        // The scales are the first half of the outputs of a coupling's last layer.
        let last = machine.params.iter().filter(|info| info.name.ends_with(".2.bias"));
        let scales: usize = last.map(|info| info.rows / 2).sum();
        let expected = if case.has_matrices() {
            sign * (case.spec.copies * case.state) as f64 * DELTA.ln()
        } else {
            -sign * scales as f64
        };
        assert!((there.log_det - expected).abs() < 1e-6, "{case:?}: {} {expected}", there.log_det);
        assert!(there.value.iter().all(|y| y.is_finite()), "{case:?}");
    }
}
