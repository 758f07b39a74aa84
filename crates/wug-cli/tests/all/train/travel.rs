//! A model file has all that it needs in it, and so has the folder of a run.

use std::process::Command;

use crate::train::common::{Place, finish, succeed};

/// Runs a command in a folder.
fn wug(folder: &std::path::Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    finish(Command::new(env!("CARGO_BIN_EXE_wug")).current_dir(folder).args(arguments))
}

#[test]
fn a_model_file_alone_does_everything_anywhere() {
    let place = Place::new();
    let names = std::fs::read_to_string(place.path("names.txt")).unwrap();
    // With counts, so that some occurrences are held out.
    place.write("names.txt", &names.replace('\n', "\t20\n"));
    succeed(&mut place.train_names(&["--words", "160", "--set", "batch=16"]));
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::copy(place.path("run/model.safetensors"), elsewhere.path().join("m")).unwrap();
    drop(place);
    let novel = ["sample", "-m", "m", "--novel", "--max-length", "3", "-n", "30"];
    let (code, words, message) = wug(elsewhere.path(), &novel);
    assert_eq!(code, Some(0), "{message}");
    assert!(words.lines().all(|word| names.lines().all(|name| name != word)), "{words}");
    let first = names.lines().next().unwrap();
    let (code, scores, message) = wug(elsewhere.path(), &["score", "-m", "m", "--format", "tsv", first]);
    assert!(code == Some(0) && scores.contains("\tword\t"), "{scores}{message}");
    let (code, report, message) = wug(elsewhere.path(), &["eval", "-m", "m", "--metrics", "oracles"]);
    assert!(code == Some(0) && !report.is_empty() && message.is_empty(), "{message}");
}

#[test]
fn a_run_is_resumed_without_its_list_and_from_any_folder() {
    for source in ["names.txt", "-"] {
        let place = Place::new();
        let list = std::fs::File::open(place.path("names.txt")).unwrap();
        let begin = [source, "-o", "run", "--words", "160", "--set", "batch=16"];
        let (code, _, message) = finish(place.train(&begin).stdin(list));
        assert_eq!(code, Some(0), "{message}");
        // A list that has changed since is not looked at.
        place.write("names.txt", "other\nwords\n");
        let folder = place.path("run");
        let resume = ["train", "--resume", "-o", folder.to_str().unwrap(), "--words", "320"];
        let elsewhere = tempfile::tempdir().unwrap();
        let (code, _, message) = wug(elsewhere.path(), &resume);
        assert_eq!(code, Some(0), "{message}");
        let model = wug::TrainedModel::load(&folder.join("model.safetensors")).unwrap();
        assert_eq!(model.provenance.words_seen, 320);
        assert!(model.training_list().unwrap().count("words") == 0);
    }
}

#[test]
fn without_its_list_a_model_gives_no_word_away() {
    let place = Place::new();
    succeed(&mut place.train_names(&["--words", "160", "--set", "batch=16", "--without-list"]));
    let model = wug::TrainedModel::load(&place.path("run/model.safetensors")).unwrap();
    assert!(model.list.is_none() && model.lexicon().is_err());
    let folder = place.path(".");
    for command in [&["sample", "--novel"][..], &["match", "names.txt"], &["score", "ada"]] {
        let (code, _, message) = wug(&folder, &[command, &["-m", "run"]].concat());
        assert!(
            code == Some(2) && message.contains("saved without its list of words, names.txt"),
            "{message}"
        );
    }
    let (code, _, message) = wug(&folder, &["score", "-m", "run", "--lexicon", "names.txt", "ada"]);
    assert_eq!(code, Some(0), "{message}");
    let (code, _, message) = wug(&folder, &["sample", "-m", "run", "--exclude", "names.txt"]);
    assert_eq!(code, Some(0), "{message}");
    // It can still be resumed.
    let (code, _, message) = wug(&folder, &["train", "--resume", "-o", "run", "--words", "320"]);
    assert_eq!(code, Some(0), "{message}");
}
