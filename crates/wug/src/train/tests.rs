//! The loop, alone and in a folder.

mod fallback;
mod regularise;
mod resume;

use super::*;
use crate::{Error, Execution};

fn lexicon() -> Lexicon {
    Lexicon::from_counts([("wug", 5), ("wugs", 3), ("blick", 2), ("zo", 1)]).unwrap()
}

/// 100 steps with a report every second step.
fn config() -> Config {
    Config::default()
        .with_overrides(&[
            "words=1600",
            "batch=16",
            "generative.hidden=[4]",
            "inference.hidden=[4]",
            "flow_hidden=[4]",
            "encoder=4",
            "particles=2",
            "patience=0",
        ])
        .unwrap()
}

fn training(config: &Config, faults: &[u64]) -> Training {
    let mut training = Training::new(config, &lexicon(), 1).unwrap();
    training.faults = faults.to_vec();
    training
}

fn go_on(_: &Training, _: &Event) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Takes some steps, fallbacks among them.
fn take(training: &mut Training, steps: usize) -> Vec<Event> {
    (0..steps).map(|_| training.step().unwrap().unwrap()).collect()
}

/// The identity as F_g forgets every symbol: the best it can become is the i.i.d. model, in which states say
/// nothing about symbols.
#[test]
fn the_identity_trains_to_the_entropy_of_symbols() {
    use crate::evaluate::{Estimate, log_probabilities};
    use crate::lexicon::Statistics;
    let config = config()
        .with_overrides(&[
            "generative.flow=id",
            "state=2",
            "particles=1",
            "peek=false",
            "words=400000",
            "batch=64",
            "learning_rate=0.02",
            "ema_decay=0.99",
        ])
        .unwrap();
    let trained = super::train(&config, &lexicon(), 2, go_on).unwrap();
    let (model, parameters) = (&trained.model, &trained.parameters);
    let lexicon = lexicon().split(config.data.split, config.data.split_seed).train;
    let words: Vec<&[u16]> = lexicon.words().map(|word| word.symbols).collect();
    let execution = Execution { seed: 1, threads: 2 };
    let log_p = log_probabilities(trained.fitted(), &words, 1000, execution, &mut |_| {}).unwrap();
    let weights = lexicon.words().map(|word| word.count as f64 / lexicon.tokens() as f64);
    let cross_entropy: f64 = -weights.zip(&log_p).map(|(weight, log_p)| weight * log_p.mean).sum::<f64>();
    let best = Statistics::of(&lexicon).symbol_entropy;
    assert!((cross_entropy - best).abs() < 0.02, "{cross_entropy}, at best {best}");
    // I(w; ξ) in bits, over made-up noise.
    let view = |name: &str| &parameters[model.params().find(name).unwrap().range()];
    let (weight, bias) = (view("generative.emission.weight"), view("generative.emission.bias"));
    let mut mean = vec![0.0; bias.len()];
    let mut entropies = Vec::new();
    for draw in 0..400 {
        let noise = [((draw % 20) as f64 - 9.5) / 5.0, ((draw / 20) as f64 - 9.5) / 5.0];
        let logit = |s: usize| {
            f64::from(bias[s]) + (0..2).map(|i| f64::from(weight[2 * s + i]) * noise[i]).sum::<f64>()
        };
        let odds: Vec<f64> = (0..bias.len()).map(|symbol| logit(symbol).exp()).collect();
        let total: f64 = odds.iter().sum();
        odds.iter().zip(&mut mean).for_each(|(odds, mean)| *mean += odds / total / 400.0);
        entropies.push(odds.iter().map(|odds| -(odds / total) * (odds / total).log2()).sum());
    }
    let information = mean.iter().map(|p| -p * p.log2()).sum::<f64>() - Estimate::of(&entropies).mean;
    assert!((0.0..0.01).contains(&information), "{information} bits");
}
