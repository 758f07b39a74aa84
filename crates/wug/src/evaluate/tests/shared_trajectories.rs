//! Shared trajectories against an integral, and against all words there are.

use super::{RandomWalk, config, set};
use crate::Execution;
use crate::evaluate::emissions::{Block, Rows, Trajectories};
use crate::evaluate::{ModelTrajectories, WordProbabilities, log_probabilities, shared_trajectories};
use crate::lexicon::Lexicon;
use crate::model::{Fitted, Model};

/// The particle filter and shared trajectories agree with the integral.
#[test]
fn shared_trajectories_meet_the_integral() {
    let walk = RandomWalk::new();
    let lexicon = Lexicon::from_counts([("a", 4), ("b", 3), ("aba", 2), ("bbbb", 1)]).unwrap();
    let found = shared(walk.fitted(), &lexicon, 200_000);
    for word in lexicon.words() {
        let exact = RandomWalk::exact(word.symbols).ln();
        let found = found.log_probabilities[word.id as usize];
        assert!((found - exact).abs() < 0.02, "{}: {found}, exact {exact}", word.text);
    }
}

fn shared(fitted: Fitted<'_>, lexicon: &Lexicon, trajectories: u64) -> WordProbabilities {
    let mut last = None;
    let mut source = ModelTrajectories::new(fitted, Execution { seed: 1, threads: 2 }).unwrap();
    shared_trajectories(lexicon, trajectories, 2, &mut source, |found| last = Some(found), &mut |_| ());
    last.unwrap()
}

/// What all words of up to twelve letters lack is the empty word, which no lexicon has, and hardly anything else.
#[test]
fn all_words_of_a_tiny_alphabet_sum_to_one() {
    let model = Model::new(&config(&["state=4", "generative.flow=2xtril"]), 3).unwrap();
    let mut parameters = model.initial_parameters(5);
    set(&model, &mut parameters, "generative.emission.bias", &[1.5, 0.0, 0.0]);
    let mut words = vec![String::new()];
    let mut all: Vec<(String, u64)> = Vec::new();
    for _ in 0..12 {
        words = words.iter().flat_map(|word| [format!("{word}a"), format!("{word}b")]).collect();
        all.extend(words.iter().map(|word| (word.clone(), 1)));
    }
    let lexicon = Lexicon::from_counts(all).unwrap();
    let found = shared(Fitted::new(&model, &parameters), &lexicon, 50_000);
    let total: f64 = found.log_probabilities.iter().map(|log| log.exp()).sum();
    let empty = log_probabilities(
        Fitted::new(&model, &parameters),
        &[&[0]],
        100_000,
        Execution::default(),
        &mut |_| (),
    )
    .unwrap()[0];
    let missing = 1.0 - total - empty.mean.exp();
    assert!(missing.abs() < 2e-3, "{missing} missing, {empty:?} of the empty word");
}

/// A source is only asked for blocks that exist.
#[test]
fn a_lexicon_of_one_word_needs_no_more() {
    struct Nothing;
    impl Trajectories for Nothing {
        fn fill(&mut self, _: &Rows, blocks: &mut [Block]) {
            assert_eq!(blocks.len(), 1);
        }
    }
    let lexicon = Lexicon::from_counts([("a", 1)]).unwrap();
    let mut points = 0;
    shared_trajectories(&lexicon, 7, 1, &mut Nothing, |_| points += 1, &mut |_| ());
    assert_eq!(points, 1);
}
