//! Mistakes of users: the message, the exit code, nothing left behind.

use super::common::{Place, finish, succeed};

/// Runs a command that must fail with this code; returns what it says.
fn fail(place: &Place, arguments: &[&str], expected: i32) -> String {
    let (code, stdout, stderr) = finish(&mut place.train(arguments));
    assert_eq!((code, stdout.as_str()), (Some(expected), ""), "{arguments:?}: {stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    stderr
}

#[test]
fn wrong_settings_are_wrong_usage() {
    let place = Place::new();
    place.write("unknown.toml", "[model.bound]\nparticels = 3\n");
    place.write("range.toml", "[train]\nlearning_rate = 2.0\n");
    place.write("type.toml", "[train]\nbatch = \"many\"\n");
    place.write("syntax.toml", "[train\n");
    place.write("lengths.toml", "[data]\nmin_length = 9\nmax_length = 2\n");
    for (arguments, expected) in [
        (
            ["--config", "unknown.toml"],
            "unknown.toml: there is no setting `model.bound.particels`; did you mean `model.bound.particles`?",
        ),
        (
            ["--config", "range.toml"],
            "range.toml: `train.learning_rate = 2`: expected more than 0 and at most 1",
        ),
        (
            ["--set", "final_learning_rate=0.01"],
            "`train.final_learning_rate = 0.01`: expected 0 to train.learning_rate",
        ),
        (["--config", "type.toml"], "invalid type: string \"many\""),
        (["--config", "syntax.toml"], "syntax.toml: TOML parse error at line 1"),
        (["--config", "lengths.toml"], "`data.max_length = 2`: expected at least data.min_length"),
        (
            ["--set", "particels=3"],
            "--set: there is no setting `particels`; did you mean `model.bound.particles`?",
        ),
        (["--set", "particles"], "--set: `particles` is not of the form key=value"),
        (["--set", "hidden=[3]"], "`hidden` may mean model.generative.hidden or model.inference.hidden"),
        (["--set", "state=0"], "--set: `state = 0`: expected 1 to 4096"),
        (["--set", "batch=12"], "`train.batch = 12`: expected a multiple of 8"),
        (
            ["--set", "generative.flow=cubic"],
            "`cubic` is no flow: expected id, add, diag, tril, nvp or choice",
        ),
        (["--set", "delta=0.1"], "`delta` may mean model.generative.delta or model.inference.delta"),
        (["--preset", "best"], "[possible values: default, tril"),
        (["--preset", "tril-k3"], "a similar value exists: 'tril-k"),
        (["--words", "0"], "expected 1 to 1e15"),
        (["--words", "many"], "expected a whole number such as 500000, 20M or 1.5M"),
        (["--words", "1.9"], "expected a whole number such as 500000, 20M or 1.5M"),
        (["--seed", "9223372036854775808"], "expected a whole number from 0 to 9223372036854775807"),
        (["--seed", "abc"], "invalid value 'abc' for '--seed <N>': expected a whole number from 0 to"),
        (["--threads", "0"], "expected a whole number from 1 to 1024"),
        (
            ["--min-length", "18446744073709551615"],
            "`data.min_length = 18446744073709551615`: expected at most",
        ),
    ] {
        let message = fail(&place, &["names.txt", "-o", "run", arguments[0], arguments[1]], 2);
        assert!(message.contains(expected), "{arguments:?}: {message}");
        assert!(!place.path("run").exists(), "{arguments:?} has left a folder");
    }
    let both = ["names.txt", "--config", "range.toml", "--preset", "tril"];
    assert!(fail(&place, &both, 2).contains("cannot be used with"));
}

#[test]
fn files_that_are_not_there_are_named() {
    let place = Place::new();
    assert!(fail(&place, &["nothing.txt", "-o", "run"], 1).contains("cannot open nothing.txt"));
    assert!(fail(&place, &["--config", "nothing.toml", "-o", "run"], 1).contains("cannot read nothing.toml"));
    assert!(!place.path("run").exists());
    place.write("file", "");
    let message = fail(&place, &["names.txt", "-o", "file/run"], 1);
    assert!(message.contains("cannot write file/run"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let message = fail(&Place::new(), &["names.txt", "-o", "/proc/run"], 1);
    assert!(message.contains("cannot write /proc/run"), "{message}");
}

#[test]
fn sizes_beyond_reason_are_refused_before_memory_is_taken() {
    let place = Place::new();
    let large = ["names.txt", "-o", "run", "--set", "state=4096", "--set", "generative.flow=2xtril"];
    assert!(fail(&place, &large, 1).contains("makes a model of"));
    let flow = "generative.flow=tril";
    let many = ["names.txt", "-o", "run", "--set", "particles=30000", "--set", "state=256", "--set", flow];
    assert!(fail(&place, &many, 1).contains("GiB of working memory"));
    assert!(!place.path("run").exists());
}

#[test]
fn only_a_run_can_be_resumed() {
    let place = Place::new();
    assert!(fail(&place, &["--resume"], 2).contains("--output"));
    assert!(fail(&place, &["--resume", "-o", "run"], 1).contains("run holds no run to resume"));
    for other in [&["--seed", "9"][..], &["--set", "state=2"], &["names.txt"], &["--lower-case"]] {
        let arguments = [&["--resume", "-o", "run"], other].concat();
        assert!(fail(&place, &arguments, 2).contains("cannot be used with"), "{other:?}");
    }
    succeed(&mut place.train_names(&["--words", "160", "--set", "batch=16"]));
}

#[test]
fn a_run_can_be_made_longer_but_not_shorter_than_it_is() {
    let place = Place::new();
    succeed(&mut place.train_names(&["--words", "160", "--set", "batch=16"]));
    let message = fail(&place, &["--resume", "-o", "run", "--words", "100"], 2);
    assert!(message.contains("--words: `train.words = 100`: expected at least the 160 words"), "{message}");
    let (_, told) = succeed(&mut place.train(&["--resume", "-o", "run", "--words", "0.32k"]));
    assert!(told.contains("resuming after 160 words"), "{told}");
    let model = wug::TrainedModel::load(&place.path("run/model.safetensors")).expect("a model");
    assert_eq!((model.provenance.words_seen, model.config.train.words), (320, 320));
    let steps = String::from_utf8(place.read("run/metrics.jsonl")).expect("UTF-8").lines().count();
    assert_eq!(steps, 20, "a report for each step");
}

#[test]
fn an_occupied_folder_is_left_alone() {
    let place = Place::new();
    let short = ["--words", "160", "--set", "batch=16"];
    succeed(&mut place.train_names(&short));
    let before = ["config.toml", "metrics.jsonl", "checkpoint.safetensors", "model.safetensors"]
        .map(|name| place.read(&format!("run/{name}")));
    let (code, _, message) = finish(&mut place.train_names(&short));
    assert_eq!(code, Some(1));
    assert!(
        message.contains("run already holds a run, or files with a run's names: resume that run"),
        "{message}"
    );
    let after = ["config.toml", "metrics.jsonl", "checkpoint.safetensors", "model.safetensors"]
        .map(|name| place.read(&format!("run/{name}")));
    assert!(before == after);
    // A user's own file of that name.
    std::fs::create_dir(place.path("mine")).unwrap();
    place.write("mine/config.toml", "[train]\nwords = 160\n");
    let message = fail(&place, &["names.txt", "-o", "mine", "--config", "mine/config.toml"], 1);
    assert!(message.contains("mine already holds a run, or files with a run's names"), "{message}");
    assert_eq!(place.read("mine/config.toml"), b"[train]\nwords = 160\n");
}

/// A configuration is the user's own: its filter stays when the list is given beside it.
#[test]
fn the_filter_of_a_configuration_is_kept() {
    let place = Place::new();
    place.write("counted.tsv", "often\t9\nalways\t9\nrare\t1\n");
    place.write("filter.toml", "[data]\nmin_count = 5\n");
    let words = ["--words", "128", "--set", "state=2"];
    let train = |more: &[&str]| succeed(&mut place.train(&[&["counted.tsv"], more, &words[..]].concat())).1;
    let filtered = train(&["--config", "filter.toml", "-o", "filtered"]);
    assert!(filtered.contains("kept 2 of 3"), "{filtered}");
    let plain = train(&["-o", "plain"]);
    assert!(!plain.contains("kept 2 of 3"), "{plain}");
}
