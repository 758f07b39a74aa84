//! Words to noise and back, for every kind of model.

use super::StepNoise;
use crate::generate::{MAX_LETTERS, SampleError};
use crate::lexicon::Lexicon;
use crate::{Config, Error, Execution, TrainedModel};
use std::ops::ControlFlow;

/// A model that has seen a few hundred words.
fn model(changes: &[&str]) -> TrainedModel {
    let names = ["ada", "alan", "barbara", "edsger", "grace", "john", "kurt", "noam"];
    let lexicon = Lexicon::from_counts(names.map(|name| (name, 1))).unwrap();
    let all = [&["lexicon=names", "words=512", "batch=64", "state=4", "generative.hidden=[8]"][..], changes]
        .concat();
    let config = Config::default().with_overrides(&all).unwrap();
    crate::train::train(&config, &lexicon, 1, |_, _| ControlFlow::Continue(())).unwrap()
}

const KINDS: [&[&str]; 5] = [
    &[],
    &["kind=teacher-forced"],
    &["generative.flow=2xtril", "particles=2"],
    &["generative.flow=diag", "inference.flow=tril", "particles=2"],
    &["kind=gru"],
];

#[test]
fn noise_of_a_word_gives_the_word_back() {
    for kind in KINDS {
        let model = model(kind);
        for (word, seed) in [("ada", 1), ("kurt", 2), ("dgn", 3), ("barbarabarbara", 4)] {
            let encoding = model.encode(word, seed).unwrap();
            assert_eq!((encoding.word.as_str(), encoding.steps.len()), (word, word.len() + 1), "{kind:?}");
            let back = model.decode(&encoding.noise(), 99).unwrap();
            assert_eq!(back.word, word, "{kind:?}");
            assert_eq!(back.steps.len(), encoding.steps.len());
            for (step, back) in encoding.steps.iter().zip(&back.steps) {
                assert_eq!(step.probabilities, back.probabilities);
                assert!(step.state.iter().zip(&back.state).all(|(a, b)| (a - b).abs() < 1e-5));
                let [start, end] = step.interval;
                assert!(start <= step.point && step.point <= end && (step.point - back.point).abs() < 1e-12);
                assert!((step.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                let cell = encoding.symbols.iter().position(|symbol| *symbol == step.letter).unwrap();
                assert!((end - start - step.probabilities[cell]).abs() < 1e-12);
                assert_eq!(step.noise.len(), model.noise_size());
            }
        }
    }
}

#[test]
fn where_noise_only_chooses_letters_the_steps_add_up_to_the_score() {
    for kind in [KINDS[0], KINDS[1], KINDS[4]] {
        let model = model(kind);
        for word in ["ada", "dgn"] {
            let (encoding, score) = (model.encode(word, 5).unwrap(), model.score(word).unwrap());
            let difference = encoding.log_probability - score.log_probability;
            assert!(difference.abs() < 1e-4, "{kind:?} {word}: {difference}");
        }
    }
}

#[test]
fn noise_that_is_not_given_is_drawn_by_the_seed() {
    for kind in KINDS {
        let model = model(kind);
        let made = |seed| model.decode(&[], seed).unwrap();
        assert_eq!(made(1), made(1));
        assert!((2..9).any(|seed| made(seed).word != made(1).word), "{kind:?}");
        assert!(made(1).word.chars().count() <= MAX_LETTERS + 1);
        // The beginning is kept whatever comes after it.
        let encoding = model.encode("ada", 1).unwrap();
        assert!(model.decode(&encoding.noise()[..2], 7).unwrap().word.starts_with("ad"), "{kind:?}");
    }
}

#[test]
fn points_alone_choose_the_letters_of_a_choice_flow() {
    let model = model(&[]);
    let encoding = model.encode("grace", 1).unwrap();
    let points = encoding.steps.iter().map(|step| StepNoise::at(step.point)).collect::<Vec<_>>();
    assert_eq!(model.decode(&points, 1).unwrap().word, "grace");
    // Every cell is found at its middle, and at its start.
    let first = &encoding.steps[0];
    let mut start = 0.0;
    for (symbol, probability) in encoding.symbols.iter().zip(&first.probabilities) {
        for point in [start + 1e-9, start + probability / 2.0] {
            assert_eq!(model.decode(&[StepNoise::at(point)], 1).unwrap().steps[0].letter, *symbol);
        }
        start += probability;
    }
}

#[test]
fn company_and_threads_change_nothing() {
    let model = model(&["generative.flow=2xtril"]);
    let words = ["ada", "x", "kurt", ""];
    let execution = |threads| Execution { seed: 3, threads };
    let all = model.encode_all(&words, execution(2)).unwrap();
    assert_eq!(all[2].as_ref().unwrap(), &model.encode("kurt", 3).unwrap());
    assert!(all[1].is_err() && all[3].is_err());
    let noise = vec![all[0].as_ref().unwrap().noise(); 200];
    assert_eq!(
        model.decode_all(&noise, execution(1)).unwrap(),
        model.decode_all(&noise, execution(3)).unwrap()
    );
}

#[test]
fn noise_that_does_not_fit_is_refused() {
    let model = model(&[]);
    for (noise, expected) in [
        (StepNoise::of(vec![0.0, 1.0]), "step 1 of the noise has 2 numbers; expected 1, or none"),
        (StepNoise::of(vec![f64::NAN]), "step 1 of the noise has NaN; expected numbers from -1000 to 1000"),
        (StepNoise::at(1.5), "step 1 of the noise has the point 1.5; expected a point from 0 to 1"),
    ] {
        let error = model.decode(&[noise], 1).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(matches!(error, Error::Sample(SampleError::Noise { .. })));
    }
    for point in [0.0, 1.0] {
        let encoding = model.decode(&[StepNoise::at(point)], 1).unwrap();
        assert!(encoding.steps[0].noise[0].is_finite());
    }
    assert_eq!(model.decode(&vec![StepNoise::of(vec![1000.0]); 300], 1).unwrap().steps[0].point, 1.0);
}
