//! Statistics of words against `fixtures/statistics.json`, which `fixtures/statistics.py` made by brute force and by the package
//! `wuggy`, and in general laws.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use wug::Execution;
use wug::lexicon::{Filter, Lexicon, bundled};
use wug::measure::{
    Columns, ListIndex, MeasuredWord, Measures, ScoreSettings, Sources, Stimulus, ld1nn_as_listed,
};

fn fixture() -> Value {
    read("statistics.json")
}

fn read(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What letters say next to a lexicon, and next to another one.
fn measures(lexicon: Lexicon, other: Option<Lexicon>) -> Measures {
    let [lexicon, other] = [Some(lexicon), other].map(|list| list.map(|list| ListIndex::of(Arc::new(list))));
    let names = Columns::all(false, other.is_some());
    let columns = names.iter().filter(|column| !column.needs(wug::measure::Need::Model)).collect();
    Measures::new(columns, Sources { model: None, lexicon, other }, Default::default()).unwrap()
}

fn measure(measures: &Measures, word: &str) -> MeasuredWord {
    measures.measure(&[word]).unwrap().remove(0).unwrap()
}

fn text(word: &MeasuredWord, name: &str) -> String {
    word.values().find(|(column, _)| column.name() == name).map(|(_, value)| value.to_string()).unwrap()
}

fn near(found: f64, expected: &Value) -> bool {
    (found - expected.as_f64().unwrap()).abs() < 1e-9 * found.abs().max(1.0)
}

#[test]
fn letters_are_measured_as_by_brute_force() {
    let fixture = fixture();
    for (name, list) in fixture["lexicons"].as_object().unwrap() {
        let words = list["words"].as_array().unwrap().iter().map(|word| (word.as_str().unwrap(), 1));
        let lexicon = Lexicon::from_counts(words).unwrap();
        let measures = measures(lexicon, None);
        let rows = list["measured"].as_array().unwrap();
        assert!(rows.len() > 20, "{name}");
        for row in rows {
            let found = measure(&measures, row["word"].as_str().unwrap());
            for name in ["length", "coltheart_n", "old20"] {
                assert!(near(found.number(name).unwrap(), &row[name]), "{found:?}, expected {row}");
            }
            assert_eq!(text(&found, "lexicality") == "word", row["in_lexicon"], "{row}");
            match found.number("bigram_frequency") {
                Some(mean) => assert!(near(mean, &row["bigram_frequency"]), "{found:?}, expected {row}"),
                None => assert!(row["bigram_frequency"].is_null()),
            }
        }
    }
}

/// `fixtures/positions.py`, which knows nothing but loops.
#[test]
fn places_shapes_and_a_second_lexicon_are_measured_as_by_brute_force() {
    let fixture = read("positions.json");
    for (name, list) in fixture["lexicons"].as_object().unwrap() {
        let texts = |key: &str| list[key].as_array().unwrap().iter().map(|word| word.as_str().unwrap());
        let counts = list["counts"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap());
        let lexicon = Lexicon::from_counts(texts("words").zip(counts)).unwrap();
        let other = Lexicon::from_counts(texts("other").map(|word| (word, 1))).unwrap();
        let measures = measures(lexicon, Some(other));
        for row in list["measured"].as_array().unwrap() {
            let word = row["word"].as_str().unwrap();
            let found = measure(&measures, word);
            for key in ["bigrams", "trigrams"] {
                let measure = format!("positional_{}", &key[..key.len() - 1]);
                let own = ["types", "tokens"].map(|kind| found.number(&format!("{measure}_{kind}")));
                match own {
                    [Some(types), Some(tokens)] => {
                        assert!(
                            near(types, &row[key][0]) && near(tokens, &row[key][1]),
                            "{name} {own:?}, expected {row}"
                        );
                    }
                    _ => assert!(row[key].is_null() && own == [None, None], "{row}"),
                }
            }
            assert!(near(found.number("rarest_trigram").unwrap(), &row["rarest"]), "{row}");
            let groups = found.number("vowel_groups").unwrap() as u64;
            let shape = |name| text(&found, name);
            let shape = serde_json::json!([shape("skeleton"), groups, shape("onset"), shape("ending")]);
            assert_eq!(shape, row["shape"], "{row}");
            assert!(near(found.number("other_coltheart_n").unwrap(), &row["other_n"]), "{row}");
            assert!(near(found.number("other_old20").unwrap(), &row["other_old20"]), "{row}");
        }
    }
}

#[test]
fn ld1nn_is_that_of_statsmodels_and_wuggy() {
    let fixture = fixture();
    let lists = fixture["ld1nn"].as_array().unwrap();
    assert_eq!(lists.len(), 3);
    for list in lists {
        let stimuli: Vec<Stimulus> = list["stimuli"]
            .as_array()
            .unwrap()
            .iter()
            .map(|pair| Stimulus { text: pair[0].as_str().unwrap().into(), is_word: pair[1] == 1 })
            .collect();
        let bias = ld1nn_as_listed(&stimuli, 2).unwrap();
        let probabilities = list["probabilities"].as_array().unwrap();
        assert_eq!(bias.probabilities.len(), probabilities.len());
        assert!(bias.probabilities.iter().zip(probabilities).all(|(&found, expected)| near(found, expected)));
        assert!(near(bias.fit.odds(), &list["odds"]), "{:?}, expected {}", bias.fit, list["odds"]);
        assert!(near(bias.fit.standard_error, &list["standard_error"]), "{:?}", bias.fit);
        assert!(near(bias.fit.z(), &list["z"]) && near(bias.fit.p(), &list["p"]), "{:?}", bias.fit);
    }
}

/// Levenshtein's distance, row by row.
fn edits(left: &[u16], right: &[u16]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (number, letter) in left.iter().enumerate() {
        let mut before = std::mem::replace(&mut row[0], number + 1);
        for place in 0..right.len() {
            let changed = before + usize::from(*letter != right[place]);
            before = row[place + 1];
            row[place + 1] = changed.min(before + 1).min(row[place] + 1);
        }
    }
    row[right.len()]
}

/// The whole bundled list: pruning overlooks nothing, and threads do not matter.
#[test]
fn neighbours_in_a_large_lexicon() {
    let (lexicon, _) = bundled().unwrap().into_lexicon(&Filter::PAPER).unwrap();
    let list = ListIndex::of(Arc::new(lexicon.clone()));
    let settings =
        |threads| ScoreSettings { execution: Execution { seed: 1, threads }, ..Default::default() };
    let sources = Sources { lexicon: Some(list), ..Sources::default() };
    let measures =
        |threads| Measures::new(Columns::of_letters(), sources.clone(), settings(threads)).unwrap();
    let words = ["blick", "wug", "strength", "the", "incomprehensible", "zzzzzz", "qu", "naïve"];
    let found: Vec<MeasuredWord> =
        measures(2).measure(&words).unwrap().into_iter().map(Result::unwrap).collect();
    assert_eq!(found, words.map(|word| measure(&measures(1), word)));
    let alphabet = lexicon.alphabet();
    for (word, found) in words.iter().zip(&found) {
        let letters: Vec<u16> =
            word.chars().map(|letter| alphabet.symbol(&letter.to_string()).unwrap_or(0)).collect();
        let mut distances: Vec<usize> =
            lexicon.words().map(|word| edits(&letters, &word.symbols[..word.symbols.len() - 1])).collect();
        distances.sort_unstable();
        distances.retain(|&distance| distance > 0);
        let expected = distances[..20].iter().sum::<usize>() as f64 / 20.0;
        assert_eq!(
            [found.number("old20"), found.number("nearest_distance")],
            [Some(expected), Some(distances[0] as f64)],
            "{word}"
        );
    }
}
