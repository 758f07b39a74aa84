//! The library's short ways give what the command gives.

use super::help::output_of;

#[test]
fn words_and_scores_are_those_of_the_command() {
    let model = wug::bundled_model().unwrap();
    let words = model.sample(30, 3).unwrap();
    assert_eq!(words, output_of(&["sample", "-n", "30", "--seed", "3"]).lines().collect::<Vec<_>>());
    let line = output_of(&["score", "blick", "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&line).unwrap();
    let score = model.score("blick").unwrap();
    assert_eq!(told["log_probability"], score.log_probability);
    assert_eq!(told["standard_error"], score.standard_error);
    assert_eq!(told["surprisals"], serde_json::json!(score.surprisals));
}
