//! `w ∈ V` of a model whose letters are independent and known.

use super::set;
use crate::Config;
use crate::evaluate::{Context, Membership, Metric, Metrics, Settings};
use crate::lexicon::{Filter, WordCounts};
use crate::train::Training;

/// `P(end) = 0.3`, `P(a) = 0.5`, `P(b) = 0.2` whatever the state. V has `a` and `ab`, the list `b` too.
#[test]
fn shares_of_a_known_model_in_the_vocabulary_and_in_the_list() {
    let list = WordCounts::from_counts([("a", 90), ("ab", 90), ("b", 1)]).unwrap();
    let filter = Filter { min_count: 2, ..Filter::default() };
    let (lexicon, _) = list.into_lexicon(&filter).unwrap();
    let mut config = Config::default().with_overrides(&["state=2", "generative.flow=id"]).unwrap();
    config.data.set_filter(&filter);
    let mut model = Training::new(&config, &lexicon, 1).unwrap().trained_model();
    let logits = [0.3f32, 0.5, 0.2].map(f32::ln);
    set(&model.model, &mut model.parameters, "generative.emission.weight", &[0.0; 6]);
    set(&model.model, &mut model.parameters, "generative.emission.bias", &logits);
    let context = Context::new(&model, &config.data, &lexicon, Settings::default()).unwrap();
    let mut found = Metrics::default();
    Metric::find("membership").unwrap().measure(&context, &mut |_| (), &mut found).unwrap();
    let found = found.membership.unwrap();
    let check = |name: &str, own: Membership, [end, a, b]: [f64; 3]| {
        let words = own.words as f64;
        for (share, p) in
            [(own.in_vocabulary, a * end + a * b * end), (own.in_list.unwrap(), (a + b + a * b) * end)]
        {
            let error = (p * (1.0 - p) / words).sqrt();
            assert!((share - p).abs() < 4.0 * error, "{name}: {share}, expected {p} ± {error}");
        }
        let distinct =
            [own.in_vocabulary_unique, own.in_list_unique.unwrap()].map(|own| (own * words).round());
        assert_eq!(distinct, [2.0, 3.0], "{name}");
    };
    check("sampled", found.sampled, [0.3, 0.5, 0.2]);
    // Squares, divided by their sum.
    check("half the temperature", found.half_temperature.unwrap(), [0.09, 0.25, 0.04].map(|p| p / 0.38));
    // The most probable symbol is always a letter, so no word ends.
    let argmax = found.argmax.unwrap();
    assert_eq!((argmax.in_vocabulary, argmax.in_list), (0.0, Some(0.0)));
}
