//! Scores of an untrained model: what must hold for any.

use std::sync::Arc;

use wug::lexicon::{Lexicon, SpellError};
use wug::measure::{Columns, ListIndex, MeasuredWord, Measures, ScoreProblem, ScoreSettings, Sources};
use wug::model::Model;
use wug::{Config, Execution, Provenance, TrainedModel};

/// All words of three letters and a few others.
fn lexicon() -> Lexicon {
    let letters = ["a", "b", "č", "t͡", "ж"];
    let three = letters.iter().flat_map(|x| letters.iter().map(move |y| format!("{x}{y}")));
    let words: Vec<String> = three.flat_map(|two| letters.iter().map(move |z| format!("{two}{z}"))).collect();
    let counted = words.iter().enumerate().map(|(number, word)| (word.clone(), 1 + number as u64 % 7));
    Lexicon::from_counts(counted.chain([("abab".to_owned(), 3)])).unwrap()
}

fn model(lexicon: &Lexicon, kind: &[&str]) -> Arc<TrainedModel> {
    let config = Config::default().with_overrides(kind).unwrap();
    let model = Model::new(&config.model, lexicon.alphabet().symbol_count()).unwrap();
    let parameters = model.initial_parameters(3);
    let alphabet = lexicon.alphabet().clone();
    let provenance = Provenance::default();
    Arc::new(TrainedModel::new(config, model.into(), parameters, alphabet, provenance, None))
}

const STATE_SPACE: &[&str] = &["state=2", "generative.flow=tril"];
const SETTINGS: ScoreSettings =
    ScoreSettings { particles: 100, error: None, execution: Execution { seed: 5, threads: 1 } };

fn measures(model: &Arc<TrainedModel>, lexicon: &Lexicon, settings: ScoreSettings) -> Measures {
    let sources = Sources::new(model, &ListIndex::of(Arc::new(lexicon.clone())));
    Measures::new(Columns::all(false, false), sources, settings).unwrap()
}

fn measure(
    model: &Arc<TrainedModel>,
    lexicon: &Lexicon,
    settings: ScoreSettings,
    words: &[&str],
) -> Vec<MeasuredWord> {
    measures(model, lexicon, settings).measure(words).unwrap().into_iter().map(Result::unwrap).collect()
}

#[test]
fn a_score_is_a_function_of_the_word_alone() {
    let lexicon = lexicon();
    for kind in [STATE_SPACE, &["kind=gru", "state=4"]] {
        let model = model(&lexicon, kind);
        let words = ["abč", "t͡жa", "ab", "жжжжж", "abč"];
        let together = measure(&model, &lexicon, SETTINGS, &words);
        let threads = ScoreSettings { execution: Execution { seed: 5, threads: 3 }, ..SETTINGS };
        assert_eq!(together, measure(&model, &lexicon, threads, &words));
        for (word, expected) in words.iter().zip(&together) {
            assert_eq!(measure(&model, &lexicon, SETTINGS, &[word]), std::slice::from_ref(expected));
        }
        assert_eq!(together[1].spelling, ["t͡", "ж", "a"]);
        for word in &together {
            let score = word.score.as_ref().unwrap();
            assert!((score.surprisals.iter().sum::<f64>() + score.log_probability).abs() < 1e-9);
            assert_eq!(score.surprisals.len(), word.spelling.len() + 1);
            let enough = word.spelling.len() == 3;
            for name in ["lexicon_percentile", "random_percentile"] {
                assert_eq!(word.number(name).is_some(), enough);
            }
        }
        let seed = ScoreSettings { execution: Execution { seed: 6, threads: 1 }, ..SETTINGS };
        let other = measure(&model, &lexicon, seed, &words);
        let exact = kind != STATE_SPACE;
        let log = |words: &[MeasuredWord]| words[0].number("log_probability");
        assert_eq!(log(&together) == log(&other), exact);
        assert_eq!(together[0].number("standard_error") == Some(0.0), exact);
    }
}

/// The lexicon has every string of three letters, so percentiles must be spread evenly over its words.
#[test]
fn percentiles_rank_words_among_their_like() {
    let lexicon = lexicon();
    let model = model(&lexicon, &["kind=gru", "state=4"]);
    let words: Vec<&str> = lexicon.words().map(|word| word.text).filter(|word| *word != "abab").collect();
    let measured = measure(&model, &lexicon, SETTINGS, &words);
    let mean =
        |name: &str| measured.iter().filter_map(|word| word.number(name)).sum::<f64>() / words.len() as f64;
    assert!((mean("lexicon_percentile") - 50.0).abs() < 1e-9);
    // Strings are drawn, with letters by their frequency.
    assert!((mean("random_percentile") - 50.0).abs() < 8.0);
    let largest = measured
        .iter()
        .max_by(|left, right| {
            left.number("log_probability").partial_cmp(&right.number("log_probability")).unwrap()
        })
        .unwrap();
    assert_eq!(
        largest.number("lexicon_percentile"),
        Some(100.0 * (words.len() as f64 - 0.5) / words.len() as f64)
    );
    // So few that all of them are compared with.
    assert!(words.len() < 250);
}

#[test]
fn words_without_a_score_are_told() {
    let lexicon = lexicon();
    let model = model(&lexicon, STATE_SPACE);
    let measures = measures(&model, &lexicon, SETTINGS);
    let long = "ab".repeat(501);
    let found = measures.measure(&["abx", "ab", &long]).unwrap();
    assert!(
        matches!(&found[0], Err(problem @ ScoreProblem::Spelling(SpellError::Letter { .. })) if problem.to_string().contains("`x` of `abx`"))
    );
    assert!(found[1].is_ok());
    assert!(matches!(found[2], Err(ScoreProblem::Spelling(SpellError::Length { letters: 1002, .. }))));
}
