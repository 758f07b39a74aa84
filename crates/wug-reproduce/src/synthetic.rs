//! Results that were never run, for tests.

use wug::evaluate::{
    Bounds, CrossEntropy, CurvePoint, Estimate, Estimator, GeneratedWords, Information, Membership,
    Memberships, Metrics, NgramBaseline, Oracles, Perplexities, PositionInformation, SharedCrossEntropy,
    Smoothing, Spread, TrajectoryKind,
};

use crate::{Effort, Findings, Known, Moment, RunOutcome, RunResult, Sample, Subject, row};

const EFFORT: Effort = Effort { trajectories: 100, particles: 8, draws: 50 };

/// A result whose cross entropy on the test part is `test` by the paper's estimator, and 0.2 less by the filter.
pub(crate) fn measured(name: &str, seed: u64, test: f64) -> RunResult {
    let gap = |h: f64| Some((15.0 - h) / 8.0);
    let tight = test - 0.2;
    let membership = Membership {
        words: 100,
        in_vocabulary: 0.5,
        in_vocabulary_error: 0.05,
        in_vocabulary_unique: 0.2,
        in_list: Some(0.6),
        in_list_unique: Some(0.3),
    };
    let bounds =
        Bounds { independent_symbols: 15.0, oracle_train: Some(7.0), oracle_test: Some(6.9), entropy: 6.9 };
    let information = Information {
        settings: Default::default(),
        mean_information: 1.0,
        information_error: Some(0.01),
        living_information: Some(1.1),
        mean_symbol_entropy: 0.5,
        bias: Some(-0.2),
        living_bias: Some(-0.3),
        positions: (1..=10).map(|t| position(t, 2.0 - 0.1 * t as f64)).collect(),
    };
    let words = |words: GeneratedWords| Perplexities {
        words,
        train_and_test: [10.0, 11.0, 12.0, 13.0],
        test: [14.0, 15.0, 16.0, 17.0],
    };
    let baseline = name.contains("gru");
    let chooses = name.contains("choice");
    let metrics = Metrics {
        cross_entropy: (!chooses).then(|| SharedCrossEntropy {
            estimate: if baseline { TrajectoryKind::SampledWords } else { TrajectoryKind::Prior },
            train: test - 0.1,
            test,
            gap_closed: gap(test),
            curve: vec![
                CurvePoint { trajectories: 10, train: test + 1.0, test: test + 1.0 },
                CurvePoint { trajectories: 100, train: test, test },
            ],
        }),
        log_probability: Some(CrossEntropy {
            estimate: if baseline { Estimator::ChainRule } else { Estimator::ParticleFilter },
            train: Estimate { mean: tight, error: 0.01 },
            test: Estimate { mean: tight, error: 0.01 },
            gap_closed: gap(tight),
            particles: (!baseline).then_some(EFFORT.particles),
            words: 90,
        }),
        oracles: Some(Oracles {
            train: bounds,
            test: bounds,
            oracle_train_words: membership,
            oracle_test_words: membership,
        }),
        membership: Some(Memberships {
            sampled: membership,
            half_temperature: Some(membership),
            argmax: None,
        }),
        ngram_baselines: Some(
            [(2, 12.0), (3, 9.5)]
                .map(|(order, h)| NgramBaseline {
                    smoothing: Smoothing::WittenBell,
                    order,
                    train: h,
                    test: h,
                    gap_closed: gap(h),
                    perplexity: 5.0,
                })
                .to_vec(),
        ),
        information: (!baseline).then_some(information),
        baseline_symbol_entropy: baseline.then_some(2.5),
        ngrams: Some(vec![
            words(GeneratedWords::Sampled),
            words(GeneratedWords::OracleTrain),
            words(GeneratedWords::OracleTest),
        ]),
    };
    let samples = vec![
        Sample { word: "wug".into(), known: Known::New },
        Sample { word: "the".into(), known: Known::Train },
    ];
    let mut result = with_outcome(name, seed, RunOutcome::Measured(Box::new(Findings { metrics, samples })));
    result.history = (1..=10).map(|report| moment(report, 0.1 * report as f64)).collect();
    result
}

/// A result of a run that diverged.
pub(crate) fn diverged(name: &str, seed: u64) -> RunResult {
    with_outcome(name, seed, RunOutcome::Diverged("at step 3, the bound is not a finite number".into()))
}

fn with_outcome(name: &str, seed: u64, outcome: RunOutcome) -> RunResult {
    let Some(Subject::Trained { config, .. }) = row(name).map(|own| &own.subject) else {
        panic!("{name} is not trained");
    };
    let mut config = *config.clone();
    config.train.seed = seed;
    RunResult::new(name, config, EFFORT, outcome)
}

/// A report in training.
pub(crate) fn moment(report: u64, information: f64) -> Moment {
    Moment {
        words: 1_000_000 * report,
        bound: -12.0,
        information: Some(information),
        symbol_entropy: Some(3.0 - information),
    }
}

/// Information at a position.
pub(crate) fn position(position: usize, mean: f64) -> PositionInformation {
    let information = Spread {
        mean,
        lower_whisker: mean - 0.4,
        lower_quartile: mean - 0.2,
        median: mean,
        upper_quartile: mean + 0.2,
        upper_whisker: mean + 0.4,
    };
    PositionInformation { position, information, symbol_entropy: information }
}
