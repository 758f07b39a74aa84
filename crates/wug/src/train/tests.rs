//! Numbers that go out of bounds, by spoiled gradients.

use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::model::Fitted;
use crate::{Config, Execution};

pub(super) fn lexicon() -> Lexicon {
    Lexicon::from_counts([("wug", 5), ("wugs", 3), ("blick", 2), ("zo", 1)]).unwrap()
}

pub(super) fn config() -> Config {
    Config::default()
        .with_overrides(&[
            "words=1600",
            "batch=16",
            "generative.hidden=[4]",
            "inference.hidden=[4]",
            "flow_hidden=[4]",
            "encoder=4",
            "particles=2",
        ])
        .unwrap()
}

/// A run of 100 steps with a report every second step, and what it told.
fn train(faults: &[u64]) -> (Run, Result<Outcome, RunError>, Vec<String>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut run = Run::create(&folder.path().join("run"), &config(), &lexicon(), 1).unwrap();
    run.trainer_mut().faults = faults.to_vec();
    let mut told = Vec::new();
    let outcome = run.train(&AtomicBool::new(false), |event| {
        if let Event::Fallback(problem) = event {
            told.push(problem.to_string());
        }
    });
    (run, outcome, told, folder)
}

#[test]
fn a_bad_gradient_leaves_the_parameters_and_names_step_and_tensor() {
    let mut trainer = Trainer::new(&config().model, &config().train, lexicon(), 1).unwrap();
    trainer.step().unwrap();
    let before = trainer.snapshot();
    trainer.faults = vec![1];
    let problem = trainer.step().unwrap_err();
    let first = trainer.model().params().iter().next().unwrap().name.clone();
    assert_eq!(problem, NotFinite { step: 1, parameter: Some(first.clone()) });
    assert_eq!(problem.to_string(), format!("at step 1, the gradient of `{first}` is not a finite number"));
    assert_eq!(trainer.snapshot(), before);
    trainer.step().unwrap();
}

#[test]
fn a_bad_parameter_is_found_and_nothing_moves() {
    let mut trainer = Trainer::new(&config().model, &config().train, lexicon(), 1).unwrap();
    let mut snapshot = trainer.snapshot();
    let place = trainer.model().params().find("generative.emission.bias").unwrap().range().start;
    snapshot.parameters[place] = f32::INFINITY;
    trainer.restore(snapshot.clone()).unwrap();
    assert_eq!(trainer.step().unwrap_err().step, 0);
    assert_eq!(trainer.snapshot().parameters, snapshot.parameters);
}

/// The bound alone may be out of bounds while the gradient is not.
#[test]
fn an_infinite_bound_moves_nothing() {
    let mut trainer = Trainer::new(&config().model, &config().train, lexicon(), 1).unwrap();
    let before = trainer.snapshot();
    assert!(trainer.advance(f64::INFINITY).is_err());
    assert_eq!(trainer.snapshot(), before);
    assert_eq!(
        NotFinite { step: 3, parameter: None }.to_string(),
        "at step 3, the bound is not a finite number"
    );
}

#[test]
fn a_run_falls_back_with_half_the_step_size() {
    let (run, outcome, told, _folder) = train(&[7, 50]);
    assert!(matches!(outcome, Ok(Outcome::Done)));
    let progress = run.trainer().progress;
    assert_eq!((progress.step, progress.fallbacks, progress.rate_factor), (100, 2, 0.25));
    assert_eq!(told.len(), 2);
    assert!(told[0].starts_with("at step 7, the gradient of `"), "{told:?}");
    assert!(run.trainer().parameters().iter().all(|number| number.is_finite()));
}

#[test]
fn the_fourth_failure_ends_the_run_with_its_last_good_state() {
    let (run, outcome, told, folder) = train(&[7, 7, 7, 7]);
    let error = outcome.unwrap_err();
    assert!(matches!(error, RunError::Diverged(NotFinite { step: 7, .. })), "{error}");
    assert!(error.to_string().ends_with("begin a new run with a smaller train.rate"), "{error}");
    assert_eq!(told.len(), 3);
    // Reports come every second step.
    assert_eq!(run.trainer().progress.step, 6);
    drop(run);
    let resumed = Run::resume(&folder.path().join("run"), &lexicon(), 1).unwrap();
    assert_eq!(resumed.trainer().progress.step, 6);
}

/// Training stops between any two steps and goes on to the same end.
#[test]
fn a_run_that_is_stopped_again_and_again_ends_the_same() {
    let (whole, _, _, whole_folder) = train(&[]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let mut run = Run::create(&path, &config(), &lexicon(), 2).unwrap();
    let mut stops = 0;
    loop {
        let stop = AtomicBool::new(false);
        let mut steps = 0;
        let outcome = run.train(&stop, |event| {
            if matches!(event, Event::Step { .. }) {
                steps += 1;
                stop.store(steps == 13, Ordering::Relaxed);
            }
        });
        if outcome.unwrap() == Outcome::Done {
            break;
        }
        stops += 1;
        drop(run);
        run = Run::resume(&path, &lexicon(), 1 + stops % 3).unwrap();
    }
    assert_eq!(stops, 8);
    let without_time = |mut snapshot: Snapshot| {
        snapshot.progress.seconds = 0.0;
        snapshot
    };
    assert_eq!(without_time(run.trainer().snapshot()), without_time(whole.trainer().snapshot()));
    let bytes = |folder: &std::path::Path| std::fs::read(folder.join("model.safetensors")).unwrap();
    assert!(bytes(&path) == bytes(&whole_folder.path().join("run")));
    let metrics = |folder: &std::path::Path| -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(folder.join("metrics.jsonl")).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        lines
            .map(|mut line| line.as_object_mut().unwrap().remove("seconds").map(|_| line.clone()).unwrap())
            .collect()
    };
    assert_eq!(metrics(&path), metrics(&whole_folder.path().join("run")));
    assert_eq!(metrics(&path).len(), 50);
}

#[test]
fn threads_do_not_change_a_bit() {
    let end = |threads: usize| {
        let mut trainer = Trainer::new(&config().model, &config().train, lexicon(), threads).unwrap();
        for _ in 0..20 {
            trainer.step().unwrap();
        }
        trainer.snapshot()
    };
    let one = end(1);
    assert_eq!(one, end(1));
    assert_eq!(one, end(2));
    assert_eq!(one, end(3));
    let mut other = config();
    other.train.seed = 2;
    let other = Trainer::new(&other.model, &other.train, lexicon(), 1).unwrap();
    assert_ne!(
        other.snapshot().parameters,
        Trainer::new(&config().model, &config().train, lexicon(), 1).unwrap().snapshot().parameters
    );
}

/// The identity as F_g forgets every symbol: the best it can become is the i.i.d. model, in which states say
/// nothing about symbols.
#[test]
fn the_identity_trains_to_the_entropy_of_symbols() {
    use crate::evaluate::{Estimate, particle_filter};
    use crate::lexicon::Statistics;
    let lexicon = lexicon();
    let config = config()
        .with_overrides(&[
            "generative.flow=id",
            "state=2",
            "particles=1",
            "peek=false",
            "words=400000",
            "batch=64",
            "rate=0.02",
            "average=0.99",
        ])
        .unwrap();
    let mut trainer = Trainer::new(&config.model, &config.train, lexicon.clone(), 2).unwrap();
    while !trainer.is_done() {
        trainer.step().unwrap();
    }
    let parameters = trainer.parameters();
    let words: Vec<&[u16]> = lexicon.words().map(|word| word.symbols).collect();
    let fitted = Fitted::new(trainer.model(), &parameters);
    let execution = Execution { seed: 1, threads: 2 };
    let log_p = particle_filter(fitted, &words, 1000, execution, &mut |_| {}).unwrap();
    let weights = lexicon.words().map(|word| word.count as f64 / lexicon.tokens() as f64);
    let cross_entropy: f64 = -weights.zip(&log_p).map(|(weight, log_p)| weight * log_p.mean).sum::<f64>();
    let best = Statistics::of(&lexicon).symbol_entropy;
    assert!((cross_entropy - best).abs() < 0.02, "{cross_entropy}, at best {best}");
    // I(w; ξ) in bits, over made-up noise.
    let view = |name: &str| &parameters[trainer.model().params().find(name).unwrap().range()];
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

#[test]
fn training_in_memory_ends_where_a_run_ends() {
    let (run, outcome, _, _folder) = train(&[]);
    assert_eq!(outcome.unwrap(), Outcome::Done);
    let expected = run.model().unwrap();
    let mut seen = Vec::new();
    let model = super::train(&config(), &lexicon(), 2, |words, bound| seen.push((words, bound))).unwrap();
    assert_eq!((&model.parameters, &model.provenance), (&expected.parameters, &expected.provenance));
    // Three of four starts were given up after five steps.
    assert_eq!((seen.len(), seen[4].0, seen[114].0), (115, 80, 1840));
}
