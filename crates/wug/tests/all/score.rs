//! Scores of an untrained model: what must hold for any.

use wug::lexicon::{Lexicon, SpellError};
use wug::measure::{MeasuredWord, Measures, ScoreProblem, ScoreSettings};
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

fn model(lexicon: &Lexicon, kind: &[&str]) -> TrainedModel {
    let config = Config::default().with_overrides(kind).unwrap();
    let model = Model::new(&config.model, lexicon.alphabet().symbol_count()).unwrap();
    let parameters = model.initial_parameters(3);
    let alphabet = lexicon.alphabet().clone();
    let provenance = Provenance::default();
    TrainedModel::new(config, model.into(), parameters, alphabet, provenance, None)
}

const STATE_SPACE: &[&str] = &["state=2", "generative.flow=tril"];
const SETTINGS: ScoreSettings =
    ScoreSettings { particles: 100, error: None, execution: Execution { seed: 5, threads: 1 } };

fn measure(
    model: &TrainedModel,
    lexicon: &Lexicon,
    settings: ScoreSettings,
    words: &[&str],
) -> Vec<MeasuredWord> {
    let mut measures = Measures::new(model, lexicon, settings);
    measures.measure(words).unwrap().into_iter().map(Result::unwrap).collect()
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
            let total: f64 = word.score.surprisals.iter().sum();
            assert!((total + word.score.log_probability).abs() < 1e-9);
            assert_eq!(word.score.surprisals.len(), word.letters.length + 1);
            let enough = word.letters.length == 3;
            assert_eq!(
                (word.score.lexicon_percentile.is_some(), word.score.random_percentile.is_some()),
                (enough, enough)
            );
        }
        let seed = ScoreSettings { execution: Execution { seed: 6, threads: 1 }, ..SETTINGS };
        let other = measure(&model, &lexicon, seed, &words);
        let exact = kind != STATE_SPACE;
        assert_eq!(together[0].score.log_probability == other[0].score.log_probability, exact);
        assert_eq!(together[0].score.standard_error == 0.0, exact);
    }
}

/// The lexicon has every string of three letters, so percentiles must be spread evenly over its words.
#[test]
fn percentiles_rank_words_among_their_like() {
    let lexicon = lexicon();
    let model = model(&lexicon, &["kind=gru", "state=4"]);
    let words: Vec<&str> = lexicon.words().map(|word| word.text).filter(|word| *word != "abab").collect();
    let measured = measure(&model, &lexicon, SETTINGS, &words);
    let mean = |percentile: fn(&MeasuredWord) -> Option<f64>| {
        measured.iter().filter_map(percentile).sum::<f64>() / words.len() as f64
    };
    assert!((mean(|word| word.score.lexicon_percentile) - 50.0).abs() < 1e-9);
    // Strings are drawn, with letters by their frequency.
    assert!((mean(|word| word.score.random_percentile) - 50.0).abs() < 8.0);
    let largest = measured
        .iter()
        .max_by(|left, right| left.score.log_probability.total_cmp(&right.score.log_probability))
        .unwrap();
    assert_eq!(
        largest.score.lexicon_percentile,
        Some(100.0 * (words.len() as f64 - 0.5) / words.len() as f64)
    );
    // So few that all of them are compared with.
    assert!(words.len() < 250);
}

#[test]
fn words_without_a_score_are_told() {
    let lexicon = lexicon();
    let model = model(&lexicon, STATE_SPACE);
    let mut measures = Measures::new(&model, &lexicon, SETTINGS);
    let long = "ab".repeat(501);
    let found = measures.measure(&["abx", "ab", &long]).unwrap();
    assert!(
        matches!(&found[0], Err(problem @ ScoreProblem::Spelling(SpellError::Letter { .. })) if problem.to_string().contains("`x` of `abx`"))
    );
    assert!(found[1].is_ok());
    assert!(matches!(found[2], Err(ScoreProblem::Spelling(SpellError::Length { letters: 1002, .. }))));
}
