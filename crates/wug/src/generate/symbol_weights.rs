//! From logits to symbols, eight lanes at a time.

use bytemuck::Zeroable;
use tilegrad::simd::{Chunk8, Path, Simd, Task, Vector};

use super::noise_law::Restriction;
use super::steps::LANES;
use crate::lexicon::Symbol;
use crate::model::code::CellOrder;

/// Vectors in a row.
const WIDTH: usize = LANES / 8;

type Row = [Chunk8; WIDTH];

/// How a state becomes a symbol.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SymbolChoice {
    /// Drawn from `P(w_t | h_t)`.
    Sampled,
    /// Drawn from `softmax((E h_t + b) / temperature)`; the temperature must be positive.
    Tempered(f32),
    /// The most probable, the limit of temperature zero: all variety comes from the states.
    Argmax,
}

/// Unnormalised probabilities of a step's symbols: a row of lanes for each, in the order of the cells if there are any.
pub(crate) struct SymbolWeights<'a> {
    choice: SymbolChoice,
    cells: Option<&'a CellOrder>,
    weights: Vec<Row>,
    totals: Row,
}

impl<'a> SymbolWeights<'a> {
    /// With cells, the uniform number runs over them. Nothing is left to chance then once the noise is drawn, so the most probable
    /// symbol of a state is its own.
    pub(crate) fn new(choice: SymbolChoice, cells: Option<&'a CellOrder>) -> Self {
        let is_decided = cells.is_some() && choice == SymbolChoice::Argmax;
        let choice = if is_decided { SymbolChoice::Sampled } else { choice };
        Self { choice, cells, weights: Vec::new(), totals: Row::zeroed() }
    }

    /// The symbol of a row.
    fn symbol(&self, row: usize) -> usize {
        self.cells.map_or(row, |cells| cells.symbols()[row].into())
    }

    /// The row of a symbol.
    fn row(&self, symbol: Symbol) -> usize {
        self.cells.map_or(symbol.into(), |cells| cells.cell(symbol))
    }

    /// Takes over a step's logits.
    pub(crate) fn set(&mut self, logits: &[f32]) {
        let symbols = logits.len() / LANES;
        self.weights.resize(symbols, Row::zeroed());
        let places: Vec<usize> = (0..symbols).map(|row| self.symbol(row)).collect();
        Path::current().run(Softmax { to: self, places: &places, logits });
    }

    /// Restricts a lane's uniform number: symbols keep the part of its law that falls into their share.
    pub(crate) fn restrict(&mut self, lane: usize, restriction: Restriction) {
        let total = f64::from(bytemuck::cast_slice::<_, f32>(&self.totals)[lane]);
        let restriction = restriction.given(|symbol| self.share(lane, symbol));
        let weights: &mut [f32] = bytemuck::cast_slice_mut(&mut self.weights);
        let (mut end, mut new_total) = (0.0, 0.0_f32);
        for weight in weights[lane..].iter_mut().step_by(LANES) {
            let start = end;
            end += f64::from(*weight) / total;
            *weight = restriction.between(start, end) as f32;
            new_total += *weight;
        }
        bytemuck::cast_slice_mut::<_, f32>(&mut self.totals)[lane] = new_total;
    }

    /// Draws a symbol for each lane: where the running sum of the weights passes the uniform number's share of the
    /// total. A symbol without weight is never drawn.
    pub(crate) fn draw(&self, uniform: &[f32]) -> [Symbol; LANES] {
        let passed = Path::current().run(Draw { from: self, uniform });
        let passed: &[f32] = bytemuck::cast_slice(&passed);
        // No point exceeds the last sum, which is the total; numbers that are none must not lead out of the alphabet.
        let last = self.weights.len() - 1;
        std::array::from_fn(|lane| self.symbol((passed[lane] as usize).min(last)) as Symbol)
    }

    /// Where a symbol's share of the unit interval begins in a lane, and how long it is.
    pub(crate) fn share(&self, lane: usize, symbol: Symbol) -> (f64, f64) {
        let row = self.row(symbol);
        let total = f64::from(bytemuck::cast_slice::<_, f32>(&self.totals)[lane]);
        let weights: &[f32] = bytemuck::cast_slice(&self.weights);
        let mut shares = weights[lane..].iter().step_by(LANES).map(|&weight| f64::from(weight) / total);
        (shares.by_ref().take(row).sum(), shares.next().unwrap_or(0.0))
    }

    /// The probabilities of a lane's symbols.
    pub(crate) fn lane(&self, lane: usize) -> impl Iterator<Item = f64> {
        let numbers: &[f32] = bytemuck::cast_slice(&self.weights);
        let totals: &[f32] = bytemuck::cast_slice(&self.totals);
        let total = f64::from(totals[lane]);
        let row = |symbol: usize| self.row(symbol as Symbol);
        (0..self.weights.len()).map(move |symbol| f64::from(numbers[row(symbol) * LANES + lane]) / total)
    }
}

/// Takes over logits; the row of weight `i` is `places[i]`.
struct Softmax<'a, 'c> {
    to: &'a mut SymbolWeights<'c>,
    places: &'a [usize],
    logits: &'a [f32],
}

impl Task<f32> for Softmax<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<Element = f32>>(self) {
        let Self { to, places, logits } = self;
        let inverse = match to.choice {
            SymbolChoice::Tempered(temperature) => temperature.recip(),
            SymbolChoice::Sampled | SymbolChoice::Argmax => 1.0,
        };
        let (inverse, argmax) = (S::Vector::splat(inverse), to.choice == SymbolChoice::Argmax);
        let logit = |row: usize, v: usize| S::Vector::load(&logits[row * LANES + 8 * v..]);
        let (one, zero) = (S::Vector::splat(1.0), S::Vector::zeroed());
        for v in 0..WIDTH {
            let mut largest = S::Vector::constant(f64::NEG_INFINITY);
            for &row in places {
                largest = logit(row, v).max(largest);
            }
            let mut total = zero;
            for (weights, &row) in to.weights.iter_mut().zip(places) {
                let x = logit(row, v);
                // The largest logit has weight 1, so a total is never zero.
                let weight = if argmax {
                    // The first of equals: later ones find that the weight is given away.
                    (largest - x).where_positive(zero, one - total)
                } else {
                    ((x - largest) * inverse).exp()
                };
                total += weight;
                S::vectors_mut(weights)[v] = weight;
            }
            S::vectors_mut(&mut to.totals)[v] = total;
        }
    }
}

/// For each lane, how many symbols the running sum of the weights passes before it reaches the uniform number's share.
struct Draw<'a> {
    from: &'a SymbolWeights<'a>,
    uniform: &'a [f32],
}

impl Task<f32> for Draw<'_> {
    type Output = Row;

    #[inline(always)]
    fn run<S: Simd<Element = f32>>(self) -> Row {
        let Self { from, uniform } = self;
        let (one, zero) = (S::Vector::splat(1.0), S::Vector::zeroed());
        let mut passed = Row::zeroed();
        for v in 0..WIDTH {
            let point = S::Vector::load(&uniform[8 * v..]) * S::vectors(&from.totals)[v];
            let (mut sum, mut count) = (zero, zero);
            for weights in &from.weights {
                sum += S::vectors(weights)[v];
                count += (point - sum).where_positive(one, zero);
            }
            S::vectors_mut(&mut passed)[v] = count;
        }
        passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Logits of five symbols, other ones in each lane.
    fn logits() -> Vec<f32> {
        (0..5 * LANES).map(|i| ((i * i % 97) as f32 * 0.37).sin() * 3.0).collect()
    }

    #[test]
    fn probabilities_are_the_softmax_at_every_temperature() {
        let logits = logits();
        for (choice, inverse) in [(SymbolChoice::Sampled, 1.0), (SymbolChoice::Tempered(0.5), 2.0)] {
            let mut weights = SymbolWeights::new(choice, None);
            weights.set(&logits);
            for lane in 0..LANES {
                let column = || (0..5).map(|row| (inverse * f64::from(logits[row * LANES + lane])).exp());
                let total: f64 = column().sum();
                for (found, expected) in weights.lane(lane).zip(column()) {
                    assert!(
                        (found - expected / total).abs() < 1e-6,
                        "{found}, expected {}",
                        expected / total
                    );
                }
            }
        }
    }

    #[test]
    fn a_draw_is_the_inverse_of_the_cumulative_distribution() {
        let logits = logits();
        let mut weights = SymbolWeights::new(SymbolChoice::Sampled, None);
        weights.set(&logits);
        for step in 0..50 {
            let u = (step as f32 + 0.5) / 50.0;
            for (lane, symbol) in weights.draw(&[u; LANES]).into_iter().enumerate() {
                let below: f64 = weights.lane(lane).take(symbol.into()).sum();
                let own = weights.lane(lane).nth(symbol.into()).unwrap();
                assert!(below - 1e-6 < f64::from(u) && f64::from(u) < below + own + 1e-6);
            }
        }
    }

    /// Averaged over all middles, an arc leaves the probabilities as they are.
    #[test]
    fn arcs_keep_the_prior() {
        let logits = logits();
        let mut whole = SymbolWeights::new(SymbolChoice::Sampled, None);
        whole.set(&logits);
        for length in [0.0, 0.1, 0.5, 0.9] {
            let mut means = [0.0; 5];
            for step in 0..1000 {
                let mut weights = SymbolWeights::new(SymbolChoice::Sampled, None);
                weights.set(&logits);
                let middle = (f64::from(step) + 0.5) / 1000.0;
                weights.restrict(9, Restriction::Arc { middle, length });
                weights.lane(9).zip(&mut means).for_each(|(p, mean)| *mean += p / 1000.0);
            }
            for (mean, p) in means.iter().zip(whole.lane(9)) {
                assert!((mean - p).abs() < 2e-3, "{length}: {mean}, expected {p}");
            }
        }
    }

    #[test]
    fn argmax_is_the_first_of_the_largest() {
        let mut logits = logits();
        (0..LANES).for_each(|lane| logits[3 * LANES + lane] = logits[LANES + lane].max(4.0));
        (0..LANES).for_each(|lane| logits[LANES + lane] = logits[3 * LANES + lane]);
        let mut weights = SymbolWeights::new(SymbolChoice::Argmax, None);
        weights.set(&logits);
        for u in [1e-7, 0.5, 1.0 - f32::EPSILON / 2.0] {
            assert!(weights.draw(&[u; LANES]).iter().all(|&symbol| symbol == 1));
        }
    }
}
