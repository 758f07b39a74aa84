//! Training that is stopped, resumed, made longer or done elsewhere ends in the same place.

use std::path::Path;

use super::*;
use crate::model_file::ModelFileError;

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
        .with_overrides(&[
            "dropout=0.3",
            "weight_decay=0.1",
            "patience=40",
            "data.split=types",
            "weighting=types",
        ])
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
