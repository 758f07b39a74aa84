//! The loop, alone and in a folder; NaN by spoiled gradients.

use std::path::Path;

use super::*;
use crate::model_file::ModelFileError;
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

#[test]
fn a_folder_that_was_made_for_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let begin = || Run::create(folder.path(), &config(), &lexicon(), 1);
    std::fs::write(folder.path().join("thesis.tex"), "precious").unwrap();
    let error = begin().map(|_| ()).unwrap_err().to_string();
    assert!(
        error.contains("has other files, such as thesis.tex: choose a new or an empty folder"),
        "{error}"
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was written");
    std::fs::remove_file(folder.path().join("thesis.tex")).unwrap();
    assert!(begin().is_ok());
}

/// The lines without their time.
fn metrics(folder: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(folder.join("metrics.jsonl")).unwrap();
    let without_time = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(line.as_object_mut().unwrap().remove("seconds").unwrap().as_f64().unwrap() >= 0.0);
        line
    };
    text.lines().map(without_time).collect()
}

/// Training stops between any two steps, with fallbacks between them too, and continues to the same end.
#[test]
fn a_run_that_is_stopped_again_and_again_ends_the_same() {
    let plain = config();
    let regular = config()
        .with_overrides(&["dropout=0.3", "weight_decay=0.1", "patience=40", "data.split=types", "weigh=0.5"])
        .unwrap();
    for (faults, config) in [(vec![], &plain), (vec![14, 27, 51], &plain), (vec![14, 27, 51], &regular)] {
        let folder = tempfile::tempdir().unwrap();
        let (whole_path, path) = (folder.path().join("whole"), folder.path().join("run"));
        let mut whole = Run::create(&whole_path, config, &lexicon(), 1).unwrap();
        whole.training_mut().faults.clone_from(&faults);
        assert_eq!(whole.train(go_on).unwrap(), Completion::Finished);

        let mut run = Run::create(&path, config, &lexicon(), 2).unwrap();
        run.training_mut().faults.clone_from(&faults);
        let mut stops = 0;
        loop {
            let mut events = 0;
            let completion = run.train(|_, _| {
                events += 1;
                if events == 13 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if completion.unwrap() == Completion::Finished {
                break;
            }
            stops += 1;
            let left = std::mem::take(&mut run.training_mut().faults);
            drop(run);
            run = Run::resume(&path, 1 + stops % 3).unwrap();
            run.training_mut().faults = left;
        }
        assert!(stops >= 7, "{stops}");
        assert_eq!(run.training().fallbacks as usize, faults.len());
        assert_eq!(run.training().checkpoint(0.0).unwrap(), whole.training().checkpoint(0.0).unwrap());
        let model = |folder: &Path| std::fs::read(folder.join("model.safetensors")).unwrap();
        assert!(model(&path) == model(&whole_path));
        assert_eq!(metrics(&path), metrics(&whole_path));
        assert_eq!(metrics(&path).len(), 50);
    }
}

#[test]
fn training_in_memory_ends_where_a_run_ends() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = Run::create(&folder.path().join("run"), &config(), &lexicon(), 1).unwrap();
    assert_eq!(run.train(go_on).unwrap(), Completion::Finished);
    let expected = run.training().trained_model();
    let mut seen = Vec::new();
    let model = super::train(&config(), &lexicon(), 2, |training, event| {
        let Event::Step(step) = event else { panic!() };
        assert_eq!((step.words, step.total_words), (training.words_seen(), 1600));
        seen.push(step.clone());
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!((&model.parameters, &model.provenance), (&expected.parameters, &expected.provenance));
    assert_eq!((seen.len(), seen[4].words, seen[99].words), (100, 80, 1600));
    // A report has the means of its steps.
    let report = seen[1].report.clone().unwrap();
    assert_eq!(report.bound, (seen[0].bound + seen[1].bound) / 2.0);
    assert_eq!(report.gradient_norm, (seen[0].gradient_norm + seen[1].gradient_norm) / 2.0);
    assert_eq!(seen.iter().filter(|step| step.report.is_some()).count(), 50);
    // Warm-up, then what the cosine leaves.
    let peak = config().train.learning_rate;
    assert_eq!((seen[0].learning_rate, seen[99].learning_rate), (peak / 200.0, peak / 2.0));
}

#[test]
fn an_observer_can_stop_training_and_have_the_model_of_that_step() {
    let stop_after = |words: u64| {
        move |training: &Training, _: &Event| {
            if training.words_seen() >= words { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    };
    let model = super::train(&config(), &lexicon(), 1, stop_after(160)).unwrap();
    assert_eq!(model.provenance.words_seen, 160);
    let mut training = training(&config(), &[]);
    assert_eq!(training.run(stop_after(160)).unwrap(), Completion::Cancelled);
    assert_eq!(training.trained_model().parameters, model.parameters);
    // At the end there is nothing left to be stopped.
    assert_eq!(training.run(stop_after(1600)).unwrap(), Completion::Finished);
    assert_eq!(training.step().unwrap(), None);
}

#[test]
fn a_run_can_be_made_longer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let mut run = Run::create(&path, &config(), &lexicon(), 1).unwrap();
    run.train(go_on).unwrap();
    run.set_words(3200).unwrap();
    let mut stopped = false;
    run.train(|training, _| {
        stopped = training.words_seen() == 2000;
        if stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    assert!(stopped);
    drop(run);
    let mut run = Run::resume(&path, 1).unwrap();
    assert_eq!(run.training().total_words(), 3200);
    assert_eq!(run.train(go_on).unwrap(), Completion::Finished);

    let mut alone = training(&config(), &[]);
    alone.run(go_on).unwrap();
    alone.set_words(3200).unwrap();
    let Some(Event::Step(first)) = alone.step().unwrap() else { panic!() };
    let peak = config().train.learning_rate;
    assert_eq!(first.learning_rate, peak * (101.0 / 200.0), "the longer run is still warming up");
    alone.run(go_on).unwrap();
    assert_eq!(run.training().checkpoint(0.0).unwrap(), alone.checkpoint(0.0).unwrap());
    let error = run.set_words(1600).unwrap_err().to_string();
    assert_eq!(error, "`train.words = 1600`: expected at least the 3200 words that the run has seen");
}

#[test]
fn threads_do_not_change_a_bit() {
    let end = |threads: usize, seed: u64| {
        let mut config = config();
        config.train.seed = seed;
        config.train.dropout = 0.2;
        config.train.weight_decay = 0.1;
        let mut training = Training::new(&config, &lexicon(), threads).unwrap();
        let initial = training.state.parameters.clone();
        take(&mut training, 20);
        (initial, training.state)
    };
    let one = end(1, 1);
    assert_eq!(one, end(1, 1));
    assert_eq!(one, end(2, 1));
    assert_eq!(one, end(3, 1));
    assert_ne!(one.0, end(1, 2).0);
}

/// Checkpoints that no run writes.
#[test]
fn forged_checkpoints_are_refused() {
    let mut target = training(&config(), &[]);
    let forged = |change: &dyn Fn(&mut Training)| {
        let mut forger = training(&config(), &[]);
        take(&mut forger, 3);
        change(&mut forger);
        forger.checkpoint(1.5).unwrap()
    };
    let mut read = |change: &dyn Fn(&mut Training)| -> Result<f64, ModelFileError> {
        target.resume(&forged(change), "forged")
    };
    assert_eq!(read(&|_| {}).unwrap(), 1.5);
    type Change<'a> = &'a dyn Fn(&mut Training);
    let refused: [(Change<'_>, &str); 8] = [
        (&|training| training.fallbacks = 4, "more fallbacks"),
        (&|training| training.sums.1 = f64::INFINITY, "counters"),
        (&|training| std::mem::swap(&mut training.state, &mut training.good), "after the last step"),
        (&|training| training.config.train.seed = 2, "begun with other settings"),
        (&|training| training.digest.push('0'), "begun with other words"),
        (&|training| training.good.ema = None, "`fallback.ema."),
        (&|training| training.state.parameters[0] = f32::NAN, "not finite"),
        (
            &|training| {
                training.config.train.words = 3200;
                take(training, 100);
            },
            "more steps than the run has",
        ),
    ];
    for (change, expected) in refused {
        let error = read(change).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

/// Two kinds of words, of which the training part has one: what is learnt by heart makes the others improbable.
fn overfitting() -> (Config, Lexicon) {
    let words =
        (0..60).map(|number| (format!("{}{}", ["ab", "cd", "ef"][number % 3], "x".repeat(number / 3)), 1));
    let config = config()
        .with_overrides(&[
            "data.split=types",
            "weigh=types",
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
    let test = lexicon.split(config.data.split, config.data.split_seed).test;
    let words: Vec<&[u16]> = test.words().map(|word| word.symbols).collect();
    let found = crate::evaluate::particle_filter(
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
        crate::evaluate::particle_filter(
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

/// The identity as F_g forgets every symbol: the best it can become is the i.i.d. model, in which states say
/// nothing about symbols.
#[test]
fn the_identity_trains_to_the_entropy_of_symbols() {
    use crate::evaluate::{Estimate, particle_filter};
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
    let log_p = particle_filter(trained.fitted(), &words, 1000, execution, &mut |_| {}).unwrap();
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
