//! Several starts, of which the best goes on.

use crate::common::{Place, succeed};

#[test]
fn starts_are_told_and_the_chosen_one_is_a_run_of_its_own() {
    let place = Place::new();
    let short = ["--words", "1600", "--set", "batch=16", "--set", "trial=0.2"];
    let (_, told) = succeed(place.train_names(&short).args(["--set", "starts=3"]));
    assert!(told.contains("trying 3 starts on 320 words each; the best goes on"), "{told}");
    for start in 1..=3 {
        assert!(told.contains(&format!("start {start} of 3: bound -")), "{told}");
    }
    let chosen =
        told.lines().find_map(|line| line.strip_suffix(" is the best and goes on")).expect("a choice");
    let chosen: usize =
        chosen.strip_prefix("start ").and_then(|number| number.parse().ok()).expect("a number");
    let config = std::fs::read_to_string(place.path("run/config.toml")).expect("the configuration");
    let seed = wug::Config::from_toml(&config).expect("a configuration").train.seed_of(chosen - 1);
    std::fs::rename(place.path("run"), place.path("several")).expect("the folder can be renamed");

    let (_, told) =
        succeed(place.train_names(&short).args(["--set", "starts=1", "--seed", &seed.to_string()]));
    assert!(!told.contains("start"), "{told}");
    let model = |folder: &str| {
        let path = place.path(&format!("{folder}/model.safetensors"));
        wug::TrainedModel::load(&path).expect("a model")
    };
    assert!(model("run").parameters == model("several").parameters);
    assert_eq!(model("several").provenance.words_seen, 1600);
}

#[test]
fn the_papers_rows_have_one_start() {
    for name in wug::Config::presets() {
        let starts = wug::Config::preset(name).expect("a preset").train.starts;
        assert_eq!(starts == 1, !name.starts_with("default"), "{name}");
    }
}
