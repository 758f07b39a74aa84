//! Early stopping, weight decay and dropout: what keeps a model from learning words by heart.

use super::*;

/// Words without any rule: what is learnt by heart makes the others improbable.
fn overfitting() -> (Config, Lexicon) {
    let letters =
        |number: u64| (0..4).map(move |place| (b'a' + ((number * 7919) >> (3 * place) & 7) as u8) as char);
    let words = (0..120).map(|number| (letters(number).collect::<String>(), 1));
    let config = config()
        .with_overrides(&[
            "data.split=types",
            "weighting=types",
            "words=48000",
            "patience=5",
            "learning_rate=0.02",
        ])
        .unwrap();
    (config, Lexicon::from_counts(words).unwrap())
}

#[test]
fn training_stops_when_held_out_words_no_longer_gain() {
    let (config, lexicon) = overfitting();
    let mut training = Training::new(&config, &lexicon, 1).unwrap();
    let mut held_out = Vec::new();
    training
        .run(|_, event| {
            if let Event::Step(Step { report: Some(report), .. }) = event {
                held_out.push(report.held_out.unwrap());
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    let best = held_out.iter().copied().fold(f64::INFINITY, f64::min);
    let at = held_out.iter().position(|&own| own == best).unwrap();
    assert!(training.stopped_early() && training.is_done(), "{held_out:?}");
    assert_eq!(held_out.len(), at + 1 + 5, "five reports after the best one");
    assert_eq!(training.best_held_out(), Some(best));
    // The model is the best one, not the last.
    let model = training.trained_model();
    assert_ne!(model.parameters, training.state.model_parameters());
    let (kind, seed) = (config.data.split, config.data.split_seed);
    let test = lexicon.split(kind, seed).train.validation_split(kind, seed).test;
    let words: Vec<&[u16]> = test.words().map(|word| word.symbols).collect();
    let found = crate::evaluate::log_probabilities(
        model.fitted(),
        &words,
        1,
        Execution { seed: 1, threads: 1 },
        &mut |_| {},
    );
    let mean = -found.unwrap().iter().map(|word| word.mean).sum::<f64>() / words.len() as f64;
    assert!((mean - best).abs() < 1e-9, "{mean}, {best}");
    // A longer run goes on.
    training.set_words(96_000).unwrap();
    assert!(!training.is_done());
}

#[test]
fn without_patience_training_goes_on_to_the_end() {
    let (mut config, lexicon) = overfitting();
    config.train.patience = 0;
    config.train.words = 16_000;
    let mut training = Training::new(&config, &lexicon, 1).unwrap();
    training.run(go_on).unwrap();
    assert_eq!(training.words_seen(), 16_000);
    assert_eq!(training.trained_model().parameters, training.state.model_parameters());
}

#[test]
fn weights_shrink_and_vectors_do_not() {
    let mut config = config();
    let after = |config: &Config| {
        let mut training = training(config, &[]);
        take(&mut training, 1);
        training
    };
    let plain = after(&config);
    config.train.weight_decay = 0.5;
    let decayed = after(&config);
    let initial = plain.model().initial_parameters(1);
    // The first step's learning rate is a two-hundredth of the peak.
    let share = config.train.learning_rate / 200.0 * 0.5;
    for info in plain.model().params().iter() {
        for place in info.range() {
            let (own, other) = (decayed.state.parameters[place], plain.state.parameters[place]);
            let expected = if info.is_vector { 0.0 } else { -share * f64::from(initial[place]) };
            assert!((f64::from(own - other) - expected).abs() < 1e-6, "{}", info.name);
        }
    }
}

/// In expectation over the masks a linear network is unchanged; here it is enough that training differs, and that scores do not know of it.
#[test]
fn dropout_is_for_training_alone() {
    let mut config = config();
    let first = |config: &Config| {
        let mut training = training(config, &[]);
        let Some(Event::Step(step)) = take(&mut training, 1).pop() else { panic!() };
        (step.bound, training.trained_model().sample(5, 1).unwrap(), training.best_held_out())
    };
    let plain = first(&config);
    config.train.dropout = 0.5;
    let dropped = first(&config);
    assert_ne!(plain.0, dropped.0);
    let scores = |config: &Config| {
        let training = training(config, &[]);
        let word = [1_u16, 2, 0];
        let execution = Execution { seed: 1, threads: 1 };
        crate::evaluate::log_probabilities(
            training.trained_model().fitted(),
            &[&word],
            1,
            execution,
            &mut |_| {},
        )
        .unwrap()
    };
    let without = Config { train: TrainConfig { dropout: 0.0, ..config.train.clone() }, ..config.clone() };
    assert_eq!(scores(&config), scores(&without));
}
