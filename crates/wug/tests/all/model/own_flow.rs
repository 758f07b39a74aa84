//! A flow that the library does not know, the one of `examples/own_flow`, through all that can be done with a model.

use std::ops::ControlFlow;

use wug::lexicon::Lexicon;
use wug::measure::ScoreSettings;
use wug::model::{Kind, Model};
use wug::train::Training;
use wug::{Config, TrainedModel};

#[path = "../../../examples/own_flow/nice.rs"]
mod nice;

use super::common::{bounds, made_up};

#[test]
fn a_flow_of_ones_own_trains_scores_samples_and_says_what_it_is() {
    let names = ["ada", "alan", "barbara", "edsger", "grace", "john", "kurt", "noam"];
    let lexicon = Lexicon::from_counts(names.map(|name| (name, 1))).expect("words");
    let small =
        ["lexicon=names", "words=25600", "batch=64", "state=4", "particles=4", "inference.hidden=[8]"];
    let config = Config::default().with_overrides(&small).expect("a configuration");
    let symbols = lexicon.alphabet().symbol_count();
    let model = Model::with_transition(&config.model, symbols, "nice", |declare| {
        Box::new(nice::Nice::new(declare, "generative.flow", 4))
    });
    let model = model.expect("a model");
    assert_eq!(
        (model.config().kind, model.config().generative.flow.to_string()),
        (Kind::StateSpace, "own:nice".into())
    );

    // With F_q = F_g the flow's determinants cancel, so this is a check of the recording alone.
    let numbers = made_up(model.params(), 3, 0.5);
    let bound = bounds(&model, &numbers, &config.model.bound, &[&[1, 2, 0]])[0];
    assert!(bound.is_finite() && bound < 0.0);

    let mut training = Training::with_model(model, &config, &lexicon, 1).expect("a training");
    let mut reports = Vec::new();
    let done = training.run(|_, event| {
        if let wug::train::Event::Step(step) = event {
            reports.extend(step.report.as_ref().map(|report| report.bound));
        }
        ControlFlow::Continue(())
    });
    done.expect("no divergence");
    assert!(reports[reports.len() - 1] > reports[0] + 2.0, "it has learnt nothing: {reports:?}");

    let trained = training.trained_model();
    assert_eq!(trained.config.model.generative.flow.to_string(), "own:nice");
    let words: Vec<String> = trained.sample(50, 1).expect("words");
    assert!(
        words
            .iter()
            .flat_map(|word| word.chars())
            .all(|c| lexicon.alphabet().letters().any(|l| l == c.to_string()))
    );
    let settings = ScoreSettings { particles: 2000, ..Default::default() };
    let scores = trained.scores(&["ada", "gggg"], settings).expect("scores");
    let score = |index: usize| scores[index].as_ref().expect("a score").log_probability;
    assert!(score(0) > score(1) + 2.0, "{} {}", score(0), score(1));

    // The file has all that there is, and says what is missing.
    let error = TrainedModel::from_bytes(&trained.to_bytes().expect("a file"), "it").expect_err("no flow");
    let error = error.to_string();
    assert!(error.contains("own:nice") && error.contains("defined elsewhere"), "{error}");
}
