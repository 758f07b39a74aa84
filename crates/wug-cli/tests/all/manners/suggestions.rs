use crate::harness::{Place, wug};

#[test]
fn a_mistyped_name_is_answered_with_the_right_one() {
    let cases: [(&[&str], &str); 11] = [
        (&["smaple"], "sample"),
        (&["sample", "--patern", "w*"], "--pattern"),
        (&["lexicon", "--filter", "papr"], "paper"),
        (&["score", "--format", "jsn", "wug"], "json"),
        (&["eval", "--metrics", "oracles,membrship"], "membership"),
        (&["train", "--preset", "gru8d"], "gru-8d"),
        (&["train", "--set", "partcles=3"], "model.bound.particles"),
        (&["train", "--set", "generative.flow=2xtirl"], "2xtril"),
        (&["reproduce", "tabel1"], "table1"),
        (&["reproduce", "--profile", "quik"], "quick"),
        (&["reproduce", "--set", "partcles=3"], "model.bound.particles"),
    ];
    let place = Place::new();
    for (arguments, meant) in cases {
        let stderr = place.wug(arguments).fails(2, &[]).stderr;
        let answer = stderr.split("did you mean").nth(1).or_else(|| stderr.split("tip:").nth(1));
        assert!(answer.is_some_and(|answer| answer.contains(meant)), "{arguments:?}: {stderr}");
    }
    assert_eq!(std::fs::read_dir(place.path("")).unwrap().count(), 0, "something was left behind");
}

#[test]
fn what_is_nowhere_near_is_answered_with_what_there_is() {
    let stderr = wug(&["reproduce", "everything"]).fails(2, &["expected table1, table2"]).stderr;
    assert!(!stderr.contains("did you mean"), "{stderr}");
}
