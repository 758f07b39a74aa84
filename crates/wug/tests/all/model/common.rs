//! Made-up numbers, and log-probabilities in double precision.

use tilegrad::noise::Noise;
use tilegrad::{Graph, NoiseKey, Params, Runner, Tile};
use wug::lexicon::Symbol;
use wug::model::{BoundConfig, Model};

/// A standard normal number of its own for each stream and item.
pub(crate) fn normal(stream: u16, item: usize) -> f64 {
    let [a, b] = Noise::new(17).uniform_f64(stream, 0, item as u32, 0);
    (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

/// Made-up parameters: weights keep the variance of their inputs times `gain²`, vectors have deviation 0.3.
pub(crate) fn made_up(params: &Params, stream: u16, gain: f64) -> Vec<f64> {
    let mut numbers = vec![0.0; params.len()];
    for info in params.iter() {
        let deviation = if info.is_vector { 0.3 } else { gain / (info.cols as f64).sqrt() };
        for index in info.range() {
            numbers[index] = deviation * normal(stream, index);
        }
    }
    numbers
}

/// The numbers of a parameter by its name.
pub(crate) fn tensor<'a>(model: &Model, numbers: &'a [f64], name: &str) -> &'a [f64] {
    let info = model.params().find(name).unwrap_or_else(|| panic!("there is no parameter {name}"));
    &numbers[info.range()]
}

/// Words of a tile.
const WORDS: usize = 64;

/// `count` draws of the bound of one word, each with noise of its own.
pub(crate) fn draws(
    model: &Model,
    numbers: &[f64],
    bound: &BoundConfig,
    word: &[Symbol],
    count: usize,
) -> Vec<f64> {
    let words: Vec<&[Symbol]> = vec![word; count];
    bounds(model, numbers, bound, &words)
}

/// The log-probability, or a draw of its bound, of each of some words of one length.
pub(crate) fn bounds(model: &Model, numbers: &[f64], bound: &BoundConfig, words: &[&[Symbol]]) -> Vec<f64> {
    let graph = Graph::new(model.params(), bound.particles);
    let log_p = model.log_probability(&graph, words[0].len(), bound);
    let program = graph.compile::<f64>(WORDS, None, &[log_p]).expect("the model can be recorded");
    let log_p = log_p.id();
    let mut runner = Runner::new(model.params(), vec![program], 2).expect("threads");
    let tiles: Vec<Tile<f64>> = words
        .chunks(WORDS)
        .enumerate()
        .map(|(number, words)| {
            let mut tile = Tile::new(runner.programs(), 0);
            model.fill_tile(&mut tile, words.iter().copied());
            tile.first_item = (number * WORDS) as u32;
            tile
        })
        .collect();
    let found = runner.forward(numbers, &tiles, NoiseKey { seed: 1, step: 0 }, |number, values| {
        values.get(log_p)[..tiles[number].active()].to_vec()
    });
    found.concat()
}
