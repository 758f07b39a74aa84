//! Made-up inputs of a graph, and runs of it.

use std::ops::Range;

use super::{KEY, Size};
use crate::simd::Path;
use crate::{
    Element, Graph, Lanes, NoiseKey, Param, Params, Runner, Shape, Symbols, Tile, Values, Var, VarId,
};

/// A random number (SplitMix64).
fn next(state: &mut u64, range: Range<f32>) -> f32 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let unit = ((z ^ (z >> 31)) >> 40) as f32 / (1 << 24) as f32;
    range.start + (range.end - range.start) * unit
}

/// Data of one variable: all rows of the first word's first particle, of its second, and so on.
struct Data {
    id: VarId,
    shape: Shape,
    numbers: Vec<f32>,
}

/// A variable `broadcast(param) · data + data`, with the positions of its data.
struct Made {
    id: VarId,
    param: Param,
    factor: usize,
    constant: usize,
}

/// Made-up parameters, data and symbols. The numbers are single, so that both number types see the same.
pub(crate) struct Inputs {
    pub(crate) size: Size,
    random: u64,
    pub(super) params: Params,
    flat: Vec<f32>,
    weights: Vec<Param>,
    data: Vec<Data>,
    vars: Vec<Made>,
    symbols: Vec<Vec<u32>>,
}

impl Inputs {
    pub(crate) fn new(size: Size) -> Self {
        let random = (size.words * 100 + size.particles) as u64;
        let (weights, data, vars) = (Vec::new(), Vec::new(), Vec::new());
        let (flat, symbols) = (Vec::new(), Vec::new());
        Self { size, random, params: Params::new(), flat, weights, data, vars, symbols }
    }

    pub(crate) fn graph(&self) -> Graph {
        Graph::new(&self.params, self.size.particles)
    }

    fn name(&self) -> String {
        self.params.iter().len().to_string()
    }

    /// Numbers of a parameter that was declared last.
    fn fill(&mut self, param: Param, range: Range<f32>) -> Param {
        for _ in 0..param.rows * param.cols {
            self.flat.push(next(&mut self.random, range.clone()));
        }
        param
    }

    /// A parameter of random numbers.
    pub(crate) fn weight(&mut self, rows: usize, cols: usize) -> Param {
        let param = self.params.matrix(self.name(), rows, cols);
        self.weights.push(param);
        self.fill(param, -1.0..1.0)
    }

    /// A table of random numbers, which counts as a weight.
    pub(crate) fn table(&mut self, rows: usize, cols: usize) -> Param {
        let param = self.params.table(self.name(), rows, cols);
        self.weights.push(param);
        self.fill(param, -1.0..1.0)
    }

    /// Random data.
    pub(crate) fn random_data<'g>(
        &mut self,
        graph: &'g Graph,
        shape: (usize, Lanes),
        range: Range<f32>,
    ) -> Var<'g> {
        let mut random = self.random;
        let var = self.given(graph, shape, |_, _, _| next(&mut random, range.clone()));
        self.random = random;
        var
    }

    /// Data of given numbers: `number(row, word, particle)`.
    pub(crate) fn given<'g>(
        &mut self,
        graph: &'g Graph,
        (rows, lanes): (usize, Lanes),
        mut number: impl FnMut(usize, usize, usize) -> f32,
    ) -> Var<'g> {
        let var = graph.data(rows, lanes);
        let particles = if lanes == Lanes::Word { 1 } else { self.size.particles };
        let mut numbers = Vec::new();
        for word in 0..self.size.words {
            for particle in 0..particles {
                for row in 0..rows {
                    numbers.push(number(row, word, particle));
                }
            }
        }
        self.data.push(Data { id: var.id(), shape: var.shape(), numbers });
        var
    }

    /// A variable with random numbers in `range` and a gradient towards parameters.
    pub(crate) fn var<'g>(&mut self, graph: &'g Graph, shape: (usize, Lanes), range: Range<f32>) -> Var<'g> {
        let param = self.params.matrix(self.name(), shape.0, 1);
        self.fill(param, -0.1..0.1);
        let at = self.data.len();
        let factor = self.random_data(graph, shape, -1.0..1.0);
        let constant = self.random_data(graph, shape, range.start + 0.1..range.end - 0.1);
        let var = graph.broadcast(param) * factor + constant;
        self.vars.push(Made { id: var.id(), param, factor: at, constant: at + 1 });
        var
    }

    /// Random symbols below `limit`.
    pub(crate) fn symbols<'g>(&mut self, graph: &'g Graph, limit: usize) -> Symbols<'g> {
        let row = (0..self.size.words).map(|_| next(&mut self.random, 0.0..limit as f32) as u32).collect();
        self.symbols.push(row);
        graph.symbols()
    }

    fn datum(&self, at: usize, row: usize, word: usize, particle: usize) -> f64 {
        let Data { shape, numbers, .. } = &self.data[at];
        let lane = match shape.lanes {
            Lanes::Word => word,
            Lanes::Particle => word * self.size.particles + particle,
        };
        f64::from(numbers[lane * shape.rows + row])
    }

    /// The number of variable `index` (in the order of [`Inputs::var`]) in one lane.
    pub(crate) fn at(&self, index: usize, row: usize, word: usize, particle: usize) -> f64 {
        let Made { param, factor, constant, .. } = self.vars[index];
        f64::from(self.flat[param.offset + row]) * self.datum(factor, row, word, particle)
            + self.datum(constant, row, word, particle)
    }

    /// The slope of that number with respect to its row's parameter.
    pub(crate) fn slope_at(&self, index: usize, row: usize, word: usize, particle: usize) -> f64 {
        self.datum(self.vars[index].factor, row, word, particle)
    }

    /// A number of weight `index`, in the order of [`Inputs::weight`].
    pub(crate) fn weight_at(&self, index: usize, row: usize, col: usize) -> f64 {
        let param = self.weights[index];
        f64::from(self.flat[param.offset + row * param.cols + col])
    }

    pub(crate) fn symbol_at(&self, index: usize, word: usize) -> usize {
        self.symbols[index][word] as usize
    }

    /// `Σ projection · x` over rows and particles: a loss. The projection is the last data.
    pub(crate) fn project<'g>(&mut self, graph: &'g Graph, x: Var<'g>) -> Var<'g> {
        let shape = x.shape();
        let projection = self.random_data(graph, (shape.rows, shape.lanes), -1.0..1.0);
        let sum = (x * projection).sum_rows();
        if shape.lanes == Lanes::Word { sum } else { sum.sum_particles() }
    }

    /// The sum of projections of all variables.
    pub(super) fn project_vars<'g>(&mut self, graph: &'g Graph) -> Option<Var<'g>> {
        let vars: Vec<Var<'g>> = self.vars.iter().map(|made| Var { graph, id: made.id }).collect();
        vars.into_iter().map(|var| self.project(graph, var)).reduce(|sum, x| sum + x)
    }

    /// Compiles, and fills tiles with `together` words each.
    pub(crate) fn run<T: Element>(
        &self,
        graph: &Graph,
        together: usize,
        loss: Option<Var<'_>>,
        outputs: &[Var<'_>],
    ) -> Run<T> {
        let programs =
            vec![graph.compile::<T>(together.next_multiple_of(8), loss, outputs).expect("a sound graph")];
        let number = |&x: &f32| T::from_f64(f64::from(x));
        let mut tiles = Vec::new();
        for first in (0..self.size.words).step_by(together) {
            let mut tile = Tile::new(&programs, 0);
            let active = together.min(self.size.words - first);
            for word in 0..active {
                for (row, symbols) in self.symbols.iter().enumerate() {
                    tile.symbol_row_mut(row)[word] = symbols[first + word];
                }
                for data in &self.data {
                    let count = data.numbers.len() / self.size.words;
                    let own: Vec<T> =
                        data.numbers[(first + word) * count..][..count].iter().map(number).collect();
                    tile.set_data(&programs[0], data.id, word, &own);
                }
            }
            tile.set_active(active);
            tile.weight = T::from_f64(0.75);
            tile.first_item = first as u32;
            tiles.push(tile);
        }
        let runner = Runner::new(&self.params, programs, 1).expect("one thread");
        let flat: Vec<T> = self.flat.iter().map(number).collect();
        Run { runner, tiles, flat }
    }
}

/// A program with its tiles and parameters.
pub(crate) struct Run<T: Element> {
    pub(crate) runner: Runner<T>,
    pub(crate) tiles: Vec<Tile<T>>,
    pub(crate) flat: Vec<T>,
}

impl<T: Element> Run<T> {
    /// The same on another path.
    pub(crate) fn on_path(self, path: Path) -> Self {
        Self { runner: self.runner.on_path(path), ..self }
    }

    /// Loss and gradient.
    pub(crate) fn gradient(&mut self) -> (f64, Vec<f64>) {
        self.gradient_of(0..self.tiles.len())
    }

    pub(crate) fn gradient_of(&mut self, tiles: Range<usize>) -> (f64, Vec<f64>) {
        let mut gradient = vec![T::default(); self.flat.len()];
        let loss = self.runner.gradient(&self.flat, &self.tiles[tiles], KEY, &mut gradient);
        (loss, gradient.into_iter().map(T::to_f64).collect())
    }

    /// The numbers of an output, those of each word together: all rows of its first particle, its second …
    pub(crate) fn values(&mut self, output: VarId) -> Vec<f64> {
        self.values_with(KEY, output)
    }

    pub(crate) fn values_with(&mut self, key: NoiseKey, output: VarId) -> Vec<f64> {
        let program = &self.runner.programs()[0];
        let (shape, capacity) = (program.shape(output), program.dims().words);
        let lanes = program.dims().lanes(shape.lanes);
        let count = shape.rows * lanes / capacity;
        let active: Vec<usize> = self.tiles.iter().map(Tile::active).collect();
        let tiles =
            self.runner.forward(&self.flat, &self.tiles, key, |tile, values: Values<'_, T>| -> Vec<f64> {
                let numbers = values.get(output);
                let number = |i: usize| {
                    let (word, particle, row) = (i / count, i % count / shape.rows, i % shape.rows);
                    numbers[row * lanes + particle * capacity + word].to_f64()
                };
                (0..active[tile] * count).map(number).collect()
            });
        tiles.concat()
    }
}

impl Run<f64> {
    /// The gradient by five-point central differences.
    pub(super) fn differences(&mut self) -> Vec<f64> {
        let (h, count) = (1.0 / 512.0, self.flat.len());
        let slope = |i: usize| {
            let own = self.flat[i];
            let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|steps| {
                self.flat[i] = own + steps * h;
                self.gradient().0
            });
            self.flat[i] = own;
            (8.0 * (c - b) - (d - a)) / (12.0 * h)
        };
        (0..count).map(slope).collect()
    }
}
