//! Mistakes of users: the message, the exit code, nothing left behind.

use crate::harness::Place;

#[test]
fn wrong_settings_are_wrong_usage() {
    let place = Place::names();
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
        (
            ["--set", "hidden=[3]"],
            "`hidden` may mean model.counts.hidden or model.generative.hidden or model.inference.hidden",
        ),
        (["--set", "state=0"], "--set: `state = 0`: expected 1 to 4096"),
        (["--set", "batch=12"], "`train.batch = 12`: expected a multiple of 8"),
        (["--set", "generative.flow=cubic"], "`cubic` is no flow: expected id, add, diag, tril or nvp"),
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
        place.train(&["names.txt", "-o", "run", arguments[0], arguments[1]]).fails(2, &[expected]);
        assert!(!place.path("run").exists(), "{arguments:?} has left a folder");
    }
    let both = ["names.txt", "--config", "range.toml", "--preset", "tril"];
    place.train(&both).fails(2, &["cannot be used with"]);
}

#[test]
fn files_that_are_not_there_are_named() {
    let place = Place::names();
    place.train(&["nothing.txt", "-o", "run"]).fails(1, &["cannot open nothing.txt"]);
    place.train(&["--config", "nothing.toml", "-o", "run"]).fails(1, &["cannot read nothing.toml"]);
    assert!(!place.path("run").exists());
    place.write("file", "");
    place.train(&["names.txt", "-o", "file/run"]).fails(1, &["cannot write file/run"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_is_named() {
    Place::names().train(&["names.txt", "-o", "/proc/run"]).fails(1, &["cannot write /proc/run"]);
}

#[test]
fn sizes_beyond_reason_are_refused_before_memory_is_taken() {
    let place = Place::names();
    let large = ["names.txt", "-o", "run", "--set", "state=4096", "--set", "generative.flow=2xtril"];
    place.train(&large).fails(1, &["makes a model of"]);
    let flow = "generative.flow=tril";
    let many = ["names.txt", "-o", "run", "--set", "particles=30000", "--set", "state=256", "--set", flow];
    place.train(&many).fails(1, &["GiB of working memory"]);
    assert!(!place.path("run").exists());
}

#[test]
fn only_a_run_can_be_resumed() {
    let place = Place::names();
    place.train(&["--resume"]).fails(2, &["--output"]);
    place.train(&["--resume", "-o", "run"]).fails(1, &["run holds no run to resume"]);
    for other in [&["--seed", "9"][..], &["--set", "state=2"], &["names.txt"], &["--lower-case"]] {
        place.train(&[&["--resume", "-o", "run"], other].concat()).fails(2, &["cannot be used with"]);
    }
    place.train_names(&["--words", "160", "--set", "batch=16"]).succeeds();
}

#[test]
fn a_run_can_be_made_longer_but_not_shorter_than_it_is() {
    let place = Place::names();
    place.train_names(&["--words", "160", "--set", "batch=16"]).succeeds();
    let resume = |words| place.train(&["--resume", "-o", "run", "--words", words]);
    resume("100").fails(2, &["--words: `train.words = 100`: expected at least the 160 words"]);
    resume("0.32k").tells(0, &["resuming after 160 words"]);
    let model = wug::TrainedModel::load(&place.path("run/model.safetensors")).expect("a model");
    assert_eq!((model.provenance.words_seen, model.config.train.words), (320, 320));
    let steps = place.text("run/metrics.jsonl").lines().count();
    assert_eq!(steps, 20, "a report for each step");
}

#[test]
fn an_occupied_folder_is_left_alone() {
    let place = Place::names();
    let short = ["--words", "160", "--set", "batch=16"];
    place.train_names(&short).succeeds();
    let files = || {
        ["config.toml", "metrics.jsonl", "checkpoint.safetensors", "model.safetensors"]
            .map(|name| place.read(&format!("run/{name}")))
    };
    let before = files();
    place
        .train_names(&short)
        .fails(1, &["run already holds a run, or files with a run's names: resume that run"]);
    assert!(before == files());
    // A user's own file of that name.
    std::fs::create_dir(place.path("mine")).unwrap();
    place.write("mine/config.toml", "[train]\nwords = 160\n");
    place
        .train(&["names.txt", "-o", "mine", "--config", "mine/config.toml"])
        .fails(1, &["mine already holds a run, or files with a run's names"]);
    assert_eq!(place.read("mine/config.toml"), b"[train]\nwords = 160\n");
}

/// A configuration is the user's own: its filter stays when the list is given beside it.
#[test]
fn the_filter_of_a_configuration_is_kept() {
    let place = Place::names();
    place.write("counted.tsv", "often\t9\nalways\t9\nrare\t1\n");
    place.write("filter.toml", "[data]\nmin_count = 5\n");
    let words = ["--words", "128", "--set", "state=2"];
    let train = |more: &[&str]| place.train(&[&["counted.tsv"], more, &words[..]].concat());
    train(&["--config", "filter.toml", "-o", "filtered"]).tells(0, &["kept 2 of 3"]);
    let plain = train(&["-o", "plain"]).succeeds().stderr;
    assert!(!plain.contains("kept 2 of 3"), "{plain}");
}
