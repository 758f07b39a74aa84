//! A model file has all that it needs in it, and so has the folder of a run.

use crate::harness::Place;

#[test]
fn a_model_file_alone_does_everything_anywhere() {
    let place = Place::names();
    let names = place.text("names.txt");
    // With counts, so that some occurrences are held out.
    place.write("names.txt", names.replace('\n', "\t20\n"));
    place.train_names(&["--words", "160", "--set", "batch=16"]).succeeds();
    let elsewhere = Place::with("m", place.read("run/model.safetensors"));
    drop(place);
    let novel = ["sample", "-m", "m", "--novel", "--max-length", "3", "-n", "30"];
    let words = elsewhere.wug(&novel).succeeds().stdout;
    assert!(words.lines().all(|word| names.lines().all(|name| name != word)), "{words}");
    let first = names.lines().next().unwrap();
    let scores = elsewhere.wug(&["score", "-m", "m", "--format", "tsv", first]).succeeds().stdout;
    assert!(scores.contains("\tword\t"), "{scores}");
    assert!(!elsewhere.wug(&["eval", "-m", "m", "--metrics", "oracles"]).words().is_empty());
}

#[test]
fn a_run_is_resumed_without_its_list_and_from_any_folder() {
    for source in ["names.txt", "-"] {
        let place = Place::names();
        let begin = ["train", source, "-o", "run", "--words", "160", "--set", "batch=16"];
        place.feed(&begin, &place.read("names.txt")).succeeds();
        // A list that has changed since is not looked at.
        place.write("names.txt", "other\nwords\n");
        let folder = place.path("run");
        let resume = ["train", "--resume", "-o", folder.to_str().unwrap(), "--words", "320"];
        Place::new().wug(&resume).succeeds();
        let model = wug::TrainedModel::load(&folder.join("model.safetensors")).unwrap();
        assert_eq!(model.provenance.words_seen, 320);
        assert!(model.training_list().unwrap().count("words") == 0);
    }
}

#[test]
fn without_its_list_a_model_gives_no_word_away() {
    let place = Place::names();
    place.train_names(&["--words", "160", "--set", "batch=16", "--without-list"]).succeeds();
    let model = wug::TrainedModel::load(&place.path("run/model.safetensors")).unwrap();
    assert!(model.list.is_none() && model.lexicon().is_err());
    for command in [&["sample", "--novel"][..], &["match", "names.txt"], &["score", "ada"]] {
        place
            .wug(&[command, &["-m", "run"]].concat())
            .tells(2, &["saved without its list of words, names.txt"]);
    }
    place.wug(&["score", "-m", "run", "--lexicon", "names.txt", "ada"]).succeeds();
    place.wug(&["sample", "-m", "run", "--exclude", "names.txt"]).succeeds();
    // It can still be resumed.
    place.train(&["--resume", "-o", "run", "--words", "320"]).succeeds();
}
