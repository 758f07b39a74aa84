//! Fallbacks after NaN, made by spoiled gradients.

use super::*;

#[test]
fn a_bad_gradient_goes_back_with_half_the_learning_rate() {
    let mut training = training(&config(), &[7]);
    take(&mut training, 6);
    let (good, before) = (training.state.clone(), training.checkpoint(0.0).unwrap());
    let Some(Event::Step(seventh)) = take(&mut training, 1).pop() else { panic!() };
    let event = take(&mut training, 1).pop().unwrap();
    let first = training.model().params().iter().next().unwrap().name.clone();
    let problem = NotFinite { step: 7, what: format!("the gradient of `{first}`") };
    assert_eq!(problem.to_string(), format!("at step 7, the gradient of `{first}` is NaN or infinite"));
    assert_eq!(event, Event::Fallback(problem));
    assert_eq!((&training.state, training.fallbacks, training.sums), (&good, 1, (0.0, 0.0)));
    // The same words again.
    let Some(Event::Step(again)) = take(&mut training, 1).pop() else { panic!() };
    let halved = Step { learning_rate: seventh.learning_rate / 2.0, ..seventh.clone() };
    assert_eq!(again, halved);
    training.resume(&before, "checkpoint").unwrap();
    assert_eq!(take(&mut training, 1), [Event::Step(seventh)]);
}

/// Parameters beyond all bounds are found whether an average is kept or not, and so is a bound with a fine gradient.
#[test]
fn bad_parameters_and_bounds_are_named() {
    for decay in [0.999, 0.0] {
        let mut config = config();
        config.train.ema_decay = decay;
        let mut training = training(&config, &[]);
        let place = training.model().params().find("generative.flow.memory.gate.bias").unwrap().range().start;
        training.state.parameters[place] = f32::INFINITY;
        let Some(Event::Fallback(problem)) = take(&mut training, 1).pop() else { panic!() };
        assert_eq!(problem.step, 0);
        assert!(problem.what.starts_with("the "), "{problem}");
        take(&mut training, 1);
        training.gradient.fill(0.0);
        assert_eq!(training.culprit(), "the bound");
        training.state.parameters[place] = f32::NAN;
        assert_eq!(training.culprit(), "the parameter `generative.flow.memory.gate.bias`");
        assert!(!training.state.update(&training.gradient, 0.0));
    }
}

#[test]
fn the_fourth_failure_ends_training_at_its_last_report() {
    let mut training = training(&config(), &[7, 7, 7, 7]);
    let mut fallbacks = 0;
    let error = training.run(|_, event| {
        fallbacks += u32::from(matches!(event, Event::Fallback(_)));
        ControlFlow::Continue(())
    });
    let error = error.unwrap_err();
    assert!(matches!(error, TrainError::Diverged(NotFinite { step: 7, .. })), "{error}");
    let expected =
        "although the learning rate was halved 3 times; begin a new run with a smaller train.learning_rate";
    assert!(error.to_string().ends_with(expected), "{error}");
    assert_eq!((fallbacks, training.steps()), (3, 6));
}

#[test]
fn a_run_that_diverges_keeps_its_last_good_state() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let mut run = Run::create(&path, &config(), &lexicon(), 1).unwrap();
    run.training_mut().faults = vec![7; 4];
    let error = run.train(go_on).unwrap_err();
    assert!(matches!(error, Error::Train(TrainError::Diverged(_))), "{error}");
    drop(run);
    let resumed = Run::resume(&path, 1).unwrap();
    assert_eq!((resumed.training().steps(), resumed.training().fallbacks), (6, 3));
}
