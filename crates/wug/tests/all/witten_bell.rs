//! The n-gram models against nltk's, on a fixture that `fixtures/witten_bell.py` makes.

use std::collections::BTreeMap;

use serde::Deserialize;
use wug::evaluate::{Ngrams, Smoothing};
use wug::lexicon::{Lexicon, Symbol};

#[derive(Deserialize)]
struct Fixture {
    words: BTreeMap<String, u64>,
    letters: Vec<String>,
    rows: Vec<Row>,
}

/// The distribution after a prefix, the end symbol first.
#[derive(Deserialize)]
struct Row {
    order: usize,
    prefix: String,
    p: Vec<f64>,
}

#[test]
fn probabilities_are_those_of_nltk() {
    let fixture: Fixture = serde_json::from_str(include_str!("../fixtures/witten-bell.json")).unwrap();
    let lexicon = Lexicon::from_counts(fixture.words).unwrap();
    let alphabet = lexicon.alphabet();
    assert!(alphabet.letters().eq(fixture.letters.iter().map(String::as_str)));
    assert!(fixture.rows.len() >= 50);
    for row in fixture.rows {
        let model = Ngrams::of(&lexicon, row.order, Smoothing::WittenBell).unwrap();
        let mut prefix = alphabet.encode(&row.prefix).unwrap();
        prefix.pop();
        for (symbol, &expected) in row.p.iter().enumerate() {
            let found = model.probability(&prefix, symbol as Symbol);
            assert!(
                (found - expected).abs() <= 1e-9 * expected,
                "order {}, after `{}`, symbol {symbol}: {found}, nltk has {expected}",
                row.order,
                row.prefix
            );
        }
    }
}
