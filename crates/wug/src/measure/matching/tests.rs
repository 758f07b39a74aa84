use std::sync::LazyLock;

use super::super::words::Sources;
use super::*;
use crate::lexicon::Lexicon;
use crate::lexicon::{Input, read_list};
use crate::{Config, Error, ErrorKind, TrainedModel, bundled_model};

const TARGETS: [&str; 8] = ["garden", "forest", "silver", "pocket", "bread", "chair", "cloud", "river"];

fn request() -> MatchRequest {
    MatchRequest { candidates: Some(400), ..MatchRequest::default() }
}

/// All columns by a model, next to its list or another one.
fn measures(model: TrainedModel, lexicon: Option<&Lexicon>, settings: ScoreSettings) -> Measures {
    let lexicon = lexicon.cloned().unwrap_or_else(|| model.lexicon().unwrap());
    let sources = Sources::new(&Arc::new(model), &ListIndex::of(Arc::new(lexicon)));
    Measures::new(Columns::all(false, false), sources, settings).unwrap()
}

fn english() -> Measures {
    measures(bundled_model().unwrap(), None, ScoreSettings::default())
}

fn on(name: &str) -> Criterion {
    Criterion::named(name).unwrap()
}

fn run(request: &MatchRequest, threads: usize, seed: u64) -> Matched {
    let settings = ScoreSettings { execution: Execution { seed, threads }, ..ScoreSettings::default() };
    let measures = measures(bundled_model().unwrap(), None, settings);
    measures.match_list(&TARGETS, request, |_| ControlFlow::Continue(())).unwrap()
}

/// The plain match of the first seed, on one thread: several tests look at it.
static FIRST: LazyLock<Matched> = LazyLock::new(|| run(&request(), 1, 1));

fn words(matched: &Matched) -> Vec<String> {
    matched
        .targets
        .iter()
        .flat_map(|target| &target.pseudowords)
        .map(|found| found.candidate.word.clone())
        .collect()
}

#[test]
fn a_match_is_a_function_of_the_seed() {
    let first = &*FIRST;
    assert_eq!(words(first).len(), TARGETS.len());
    assert_eq!(words(first), words(&run(&request(), 3, 1)));
    assert_ne!(words(first), words(&run(&request(), 2, 2)));
    // Two lengths, with 400 candidates each but for those that spell as no three words do.
    assert!(first.shortages.is_empty() && (500..=800).contains(&first.candidates), "{}", first.candidates);
    // So short a list may be one that the test cannot be computed for.
    let stimuli: Vec<Stimulus> = first.targets.iter().flat_map(stimuli).collect();
    assert_eq!(first.bias, ld1nn_random(&stimuli, ORDERS, 1, 1).ok());
}

/// A price on company changes what is chosen, towards the company that is asked for, and the measures stay matched.
#[test]
fn every_measure_is_matched_and_nothing_leans() {
    let matched =
        run(&MatchRequest { per_target: 3, candidates: Some(1500), ..MatchRequest::default() }, 2, 1);
    for quality in &matched.quality {
        assert!(quality.standardised_distance < 0.5, "{quality:?}");
        // Few strings that are no words are as probable as a common noun.
        if quality.measure.name() == "log_probability" {
            assert!(quality.standardised_mean.abs() < 0.15, "{quality:?}");
        } else {
            assert!(quality.standardised_mean.abs() < 0.1 && quality.p > Some(0.05), "{quality:?}");
        }
    }
}

#[test]
fn a_list_that_is_given_is_measured_like_one_that_was_chosen() {
    let measures = english();
    let chosen = &*FIRST;
    let mut pairs: Vec<(String, Vec<String>)> = TARGETS
        .iter()
        .zip(words(chosen))
        .map(|(target, pseudoword)| ((*target).to_owned(), vec![pseudoword]))
        .collect();
    let given = measures.assess(&pairs, &request()).unwrap();
    assert_eq!((&given.targets, &given.quality), (&chosen.targets, &chosen.quality));
    let odds = |matched: &Matched| matched.bias.as_ref().unwrap().fit.odds();
    assert_eq!(odds(&given), odds(chosen));
    // Another pseudoword changes the figures; one that has none is told of.
    pairs[0].1 = vec!["gorten".to_owned(), "g\u{e4}rten".to_owned()];
    let changed = measures.assess(&pairs, &request()).unwrap();
    assert_ne!(changed.quality, chosen.quality);
    assert_eq!(changed.targets[0].pseudowords[0].candidate.word, "gorten");
    assert_eq!(changed.shortages[0].0, "g\u{e4}rten");
}

#[test]
fn exact_tolerances_and_distances_hold() {
    let list = "frouse\n".to_owned() + &words(&FIRST).join("\n");
    let excluded =
        read_list(Input::from_reader("list", list.clone().into_bytes().leak() as &[u8]).unwrap(), false)
            .unwrap();
    let exact = Criterion { tolerance: Some(0.0), ..on("coltheart-n") };
    let matched = run(
        &MatchRequest {
            criteria: vec![exact, on("surprisal-profile"), on("old20")],
            apart: 3,
            min_edits: 3,
            excluded: vec![Arc::new(excluded)],
            ..request()
        },
        2,
        1,
    );
    let found = words(&matched);
    assert!(found.len() >= 6, "{:?}", matched.shortages);
    for MatchedTarget { target, pseudowords } in &matched.targets {
        for Match { candidate, .. } in pseudowords {
            assert_eq!(candidate.number("coltheart_n"), target.number("coltheart_n"));
            assert!(!list.lines().any(|word| word == candidate.word));
            let same = candidate.word.bytes().zip(target.word.bytes()).filter(|(a, b)| a == b).count();
            assert!(same + 3 <= target.spelling.len(), "{} {}", target.word, candidate.word);
        }
    }
    for (index, word) in found.iter().enumerate() {
        for other in &found[..index] {
            let differ = word.bytes().zip(other.bytes()).filter(|(a, b)| a != b).count();
            assert!(word.len() != other.len() || differ >= 3, "{word} {other}");
        }
    }
    let profile = &matched.quality[1];
    assert!(profile.target_mean.is_none() && profile.p.is_none() && profile.mean_difference > 0.0);
}

/// Candidates whose estimate came out wrong do not win: the final estimate is another one, and it has an error.
#[test]
fn estimates_are_made_again() {
    let names = [
        "state=2",
        "generative.flow=tril",
        "words=2560",
        "lexicon=list",
        "generative.hidden=[4]",
        "inference.hidden=[4]",
    ];
    let config = Config::default().with_overrides(&names).unwrap();
    let spell = |number: usize| {
        (0..4).map(|place| ["a", "b", "c", "d"][number >> (2 * place) & 3]).collect::<String>()
    };
    let lexicon = Lexicon::from_counts((0..128).map(|number| (spell(2 * number), 1))).unwrap();
    let model = crate::train::train(&config, &lexicon, 1, |_, _| ControlFlow::Continue(())).unwrap();
    assert!(!model.model.is_exact());
    let settings = ScoreSettings { particles: 32, ..ScoreSettings::default() };
    let measures = measures(model, Some(&lexicon), settings);
    let request = MatchRequest { attested: 0, candidates: Some(60), ..MatchRequest::default() };
    let targets = [spell(0), spell(2), spell(4)];
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let matched = measures.match_list(&targets, &request, |_| ControlFlow::Continue(())).unwrap();
    let found = words(&matched);
    assert_eq!(found.len(), 3, "{:?}", matched.shortages);
    let again = measures.measure(&[found[0].as_str()]).unwrap().remove(0).unwrap();
    let chosen = &matched.targets[0].pseudowords[0].candidate;
    assert_ne!(again.number("log_probability"), chosen.number("log_probability"), "the same noise");
    assert_eq!(again.number("old20"), chosen.number("old20"));
}

#[test]
fn whoever_watches_can_stop_and_requests_are_checked() {
    let measures = english();
    for stop in [MatchStage::Targets, MatchStage::Candidates, MatchStage::Assignment, MatchStage::Checks] {
        let watch = |so_far: MatchProgress| {
            if so_far.stage == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let error = measures
            .match_list(&TARGETS[..2], &MatchRequest { candidates: Some(30), ..request() }, watch)
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Stopped, "{stop:?}");
    }
    let nothing = measures.match_list(&[], &request(), |_| ControlFlow::Continue(())).unwrap_err();
    assert!(nothing.to_string().contains("no word to match"), "{nothing}");
    let wrong = |request: MatchRequest| {
        let error = measures.match_list(&TARGETS, &request, |_| ControlFlow::Continue(())).unwrap_err();
        assert!(matches!(error, Error::Match(MatchError::Request(_) | MatchError::Column(_))), "{error}");
    };
    wrong(MatchRequest { per_target: 0, ..request() });
    wrong(MatchRequest { criteria: Vec::new(), ..request() });
    wrong(MatchRequest { keep: vec![0], ..request() });
    wrong(MatchRequest { criteria: vec![on("old20"); 2], ..request() });
    wrong(MatchRequest { criteria: vec![on("other-old20")], ..request() });
    let criterion = Criterion { weight: f64::NAN, ..on("old20") };
    wrong(MatchRequest { criteria: vec![criterion], ..request() });
}

/// Few words meet such constraints: all of them are candidates, and they come at once.
#[test]
fn constraints_that_few_words_meet_leave_all_of_these_words() {
    let measures = english();
    let (model, list) = measures.makers().unwrap();
    let lexicon = list.lexicon();
    let known = model.known_words().unwrap();
    let request = MatchRequest {
        per_target: 500,
        max_edits: Some(1),
        excluded: vec![Arc::new(model.known_words().unwrap())],
        ..MatchRequest::default()
    };
    let matched = measures.match_list(&["garden"], &request, |_| ControlFlow::Continue(())).unwrap();
    let rarest_trigram =
        |word: &str| list.positional().rarest_trigram(&list.symbols(crate::lexicon::letters::letters(word)));
    let mut expected = Vec::new();
    for place in 0..6 {
        for letter in 'a'..='z' {
            let mut word = "garden".to_owned();
            word.replace_range(place..=place, &letter.to_string());
            let is_new = lexicon.words().all(|other| other.text != word) && known.count(&word) == 0;
            if is_new && rarest_trigram(&word) >= 3 {
                expected.push(word);
            }
        }
    }
    let mut found = words(&matched);
    found.sort();
    expected.sort();
    assert!(expected.len() > 10);
    assert_eq!(found, expected);
}
