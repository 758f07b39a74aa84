use crate::check::{Inputs, KEY, Run, Size, assert_close, check, config, lanes, sizes};
use crate::{Graph, Lanes, NoiseKey, Var};
use proptest::prelude::*;

/// Data of one row per particle in steps that neither number type can round across a border.
fn weights<'g>(graph: &'g Graph, inputs: &mut Inputs) -> Var<'g> {
    inputs.given(graph, (1, Lanes::Particle), |_, word, k| weight(word, k) as f32)
}

fn weight(word: usize, particle: usize) -> f64 {
    ((word * 7 + particle * 5) % 11) as f64 / 4.0 - 1.5
}

/// A number between 0 and 1 for each word.
fn uniform<'g>(graph: &'g Graph, inputs: &mut Inputs) -> Var<'g> {
    inputs.given(graph, (1, Lanes::Word), |_, word, _| unit(word) as f32)
}

fn unit(word: usize) -> f64 {
    ((word * 5 + 3) % 17) as f64 / 17.0 + 0.01
}

fn weights_of(size: Size, word: usize) -> Vec<f64> {
    (0..size.particles).map(|k| weight(word, k)).collect()
}

/// The particle whose part of the sum of `e^weight` holds the share `unit`.
fn chosen(weights: &[f64], unit: f64) -> usize {
    let total: f64 = weights.iter().map(|x| x.exp()).sum();
    let mut sum = 0.0;
    weights
        .iter()
        .position(|x| {
            sum += x.exp();
            sum >= unit * total
        })
        .unwrap_or(weights.len() - 1)
}

fn largest(weights: &[f64]) -> usize {
    let max = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    weights.iter().position(|&x| x == max).unwrap_or(0)
}

fn is_enough(weights: &[f64], share: f64) -> bool {
    let sum: f64 = weights.iter().map(|x| x.exp()).sum();
    let squares: f64 = weights.iter().map(|x| (2.0 * x).exp()).sum();
    sum * sum / squares >= share * weights.len() as f64
}

proptest! {
    #![proptest_config(config(40))]
    #[test]
    fn one_drawn_particle_per_word(size in sizes(), rows in 1..4_usize) {
        check(
            size,
            |graph, inputs| {
                let index = weights(graph, inputs).choose(uniform(graph, inputs));
                inputs.var(graph, (rows, Lanes::Particle), -1.0..1.0).gather(index)
            },
            |inputs, word, _| {
                let particle = chosen(&weights_of(size, word), unit(word));
                (0..rows).map(|row| inputs.at(0, row, word, particle)).collect()
            },
        );
    }

    #[test]
    fn the_heaviest_particle_of_each_word(size in sizes(), rows in 1..4_usize) {
        check(
            size,
            |graph, inputs| {
                let index = weights(graph, inputs).choose_largest();
                inputs.var(graph, (rows, Lanes::Particle), -1.0..1.0).gather(index)
            },
            |inputs, word, _| {
                let particle = largest(&weights_of(size, word));
                (0..rows).map(|row| inputs.at(0, row, word, particle)).collect()
            },
        );
    }

    #[test]
    fn ancestors_of_every_particle(size in sizes(), rows in 1..4_usize, share in 0.2..1.0_f64) {
        check(
            size,
            |graph, inputs| {
                let weights = weights(graph, inputs);
                let index = weights.ancestors(uniform(graph, inputs), weights.enough_particles(share));
                inputs.var(graph, (rows, Lanes::Particle), -1.0..1.0).gather(index)
            },
            |inputs, word, k| {
                let weights = weights_of(size, word);
                let point = (k as f64 + f64::from(unit(word) as f32)) / size.particles as f64;
                let particle = if is_enough(&weights, share) { k } else { chosen(&weights, point) };
                (0..rows).map(|row| inputs.at(0, row, word, particle)).collect()
            },
        );
    }

    #[test]
    fn enough_particles(size in sizes(), share in 0.1..1.1_f64) {
        check(
            size,
            |graph, inputs| {
                let enough = weights(graph, inputs).enough_particles(share);
                enough * inputs.var(graph, (1, Lanes::Word), 0.5..1.0)
            },
            |inputs, word, _| {
                let enough = is_enough(&weights_of(size, word), share);
                vec![if enough { inputs.at(0, 0, word, 0) } else { 0.0 }]
            },
        );
    }

    #[test]
    fn selection(size in sizes(), rows in 1..4_usize, mask in lanes(), options in lanes()) {
        let mask = if options == Lanes::Word { Lanes::Word } else { mask };
        let positive = |word: usize, k: usize| !(word + 2 * k).is_multiple_of(3);
        check(
            size,
            |graph, inputs| {
                let mask = inputs.given(graph, (1, mask), |_, word, k| if positive(word, k) { 0.5 } else { -0.5 });
                let yes = inputs.var(graph, (rows, options), -1.0..1.0);
                mask.select(yes, inputs.var(graph, (rows, options), -1.0..1.0))
            },
            |inputs, word, particle| {
                let k = if mask == Lanes::Word { 0 } else { particle };
                let option = if positive(word, k) { 0 } else { 1 };
                (0..rows).map(|row| inputs.at(option, row, word, particle)).collect()
            },
        );
    }
}

/// Gradients go to what is chosen and nothing else, even if the choice depends on parameters.
#[test]
fn a_choice_has_no_gradient() {
    let size = Size { words: 6, particles: 4 };
    let mut inputs = Inputs::new(size);
    let graph = inputs.graph();
    // Two parameters that decide, two that are chosen.
    let decides = inputs.var(&graph, (1, Lanes::Particle), -2.0..2.0);
    let mask = inputs.var(&graph, (1, Lanes::Word), -2.0..2.0);
    let index = decides.choose(graph.uniform(0, 1, Lanes::Word));
    let ancestors = decides.ancestors(graph.uniform(1, 1, Lanes::Word), decides.enough_particles(0.7));
    let x = inputs.var(&graph, (1, Lanes::Particle), -1.0..1.0);
    let y = inputs.var(&graph, (1, Lanes::Particle), -1.0..1.0);
    let descendants = y.gather(ancestors).sum_particles();
    let loss = mask.select(x.gather(index), descendants);
    let outputs = [mask, index, ancestors];
    let mut run: Run<f64> = inputs.run(&graph, 8, Some(loss), &outputs);
    let [mask, index, ancestors] = outputs.map(|output| run.values(output.id()));
    let mut expected = [0.0; 4];
    for word in 0..size.words {
        if mask[word] > 0.0 {
            expected[2] += 0.75 * inputs.slope_at(2, 0, word, index[word] as usize);
        } else {
            for &k in &ancestors[word * 4..][..4] {
                expected[3] += 0.75 * inputs.slope_at(3, 0, word, k as usize);
            }
        }
    }
    assert!(mask.iter().any(|&x| x > 0.0) && mask.iter().any(|&x| x < 0.0));
    assert_close("gradient", &run.gradient().1, &expected, 1e-14);
}

const SHARES: [f64; 5] = [0.05, 0.4, 0.15, 0.1, 0.3];

/// What `record` makes of the log-weights `ln SHARES` in 64 words and 200 steps.
fn repeated(record: impl for<'g> FnOnce(&'g Graph, Var<'g>) -> Var<'g>) -> Vec<f64> {
    let mut inputs = Inputs::new(Size { words: 64, particles: 5 });
    let graph = inputs.graph();
    let weights = inputs.given(&graph, (1, Lanes::Particle), |_, _, k| (3.0 * SHARES[k]).ln() as f32);
    let output = record(&graph, weights);
    let mut run: Run<f32> = inputs.run(&graph, 64, None, &[output]);
    (0..200).flat_map(|step| run.values_with(NoiseKey { step, ..KEY }, output.id())).collect()
}

#[test]
fn particles_are_drawn_in_proportion_to_their_weights() {
    let drawn = repeated(|graph, weights| weights.choose(graph.uniform(0, 1, Lanes::Word)));
    let mut counts = [0_f64; 5];
    drawn.iter().for_each(|&k| counts[k as usize] += 1.0);
    let deviation = |(count, share): (&f64, &f64)| {
        let expected = share * drawn.len() as f64;
        (count - expected).powi(2) / expected
    };
    let chi_square: f64 = counts.iter().zip(&SHARES).map(deviation).sum();
    // Four degrees of freedom: larger in one of a thousand samples.
    assert!(chi_square < 18.5, "{counts:?}: {chi_square}");
}

#[test]
fn systematic_resampling_is_unbiased_and_nearly_exact() {
    let ancestors = repeated(|graph, weights| {
        let never = graph.uniform(1, 1, Lanes::Word) - 1.0;
        weights.ancestors(graph.uniform(0, 1, Lanes::Word), never)
    });
    let draws = (ancestors.len() / 5) as f64;
    let mut means = [0.0; 5];
    for word in ancestors.chunks_exact(5) {
        assert!(word.is_sorted());
        for (k, share) in SHARES.iter().enumerate() {
            let count = word.iter().filter(|&&parent| parent as usize == k).count() as f64;
            let wanted = 5.0 * share;
            assert!(count >= (wanted - 1e-6).floor() && count <= (wanted + 1e-6).ceil(), "{word:?}");
            means[k] += count / draws;
        }
    }
    for (mean, share) in means.iter().zip(SHARES) {
        // Counts take two neighbouring values: their standard deviation is at most a half.
        assert!((mean - 5.0 * share).abs() < 4.0 * 0.5 / draws.sqrt(), "{means:?}");
    }
}

#[test]
fn particles_without_weight_are_never_chosen() {
    let mut inputs = Inputs::new(Size { words: 16, particles: 4 });
    let graph = inputs.graph();
    let no = f32::NEG_INFINITY;
    // Even words: one particle has all the weight, a huge one; odd words: nothing has any.
    let weights = inputs.given(&graph, (1, Lanes::Particle), |_, word, k| {
        if word % 2 == 0 && k == 1 + word / 2 % 3 { 1e20 } else { no }
    });
    let keep = inputs.given(&graph, (1, Lanes::Word), |_, _, _| 0.0);
    let choices = [
        weights.choose(graph.uniform(0, 1, Lanes::Word)),
        weights.choose_largest(),
        weights.ancestors(graph.uniform(1, 1, Lanes::Word), keep),
    ];
    let enough = weights.enough_particles(0.3);
    let mut run: Run<f32> = inputs.run(&graph, 8, None, &[&choices[..], &[enough]].concat());
    for choice in choices {
        let values = run.values(choice.id());
        let each = values.len() / 16;
        for word in (0..16).step_by(2) {
            let own = &values[word * each..][..each];
            assert!(own.iter().all(|&k| k as usize == 1 + word / 2 % 3), "word {word}: {own:?}");
        }
        assert!(values.iter().all(|k| (0.0..4.0).contains(k)), "every choice is a particle");
    }
    let enough = run.values(enough.id());
    assert!((0..16).step_by(2).all(|word| enough[word] == 0.0));
}

#[test]
#[should_panic(expected = "particle 3 of 3 is chosen")]
fn a_particle_that_is_not_there_is_refused() {
    let mut inputs = Inputs::new(Size { words: 8, particles: 3 });
    let graph = inputs.graph();
    let index = inputs.given(&graph, (1, Lanes::Word), |_, _, _| 3.0);
    let x = inputs.random_data(&graph, (2, Lanes::Particle), 0.0..1.0).gather(index);
    let mut run: Run<f32> = inputs.run(&graph, 8, None, &[x]);
    run.values(x.id());
}
