//! `wug sample` and `wug between` as users meet them.

use std::collections::HashSet;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn wug(arguments: &[&str]) -> Output {
    wug_in(arguments, Path::new("."))
}

fn wug_in(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wug")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The words that a command prints; it must succeed and have nothing else to say.
fn words(arguments: &[&str]) -> Vec<String> {
    let output = wug(arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    text(&output.stdout).lines().map(str::to_owned).collect()
}

/// A failure with this exit code whose message, of one line, has all of the parts.
fn fails(arguments: &[&str], code: i32, parts: &[&str]) {
    let output = wug(arguments);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty() && !message.contains("panicked"), "{message}");
    parts.iter().for_each(|part| assert!(message.contains(part), "`{part}` is not in: {message}"));
}

#[test]
fn the_bundled_model_makes_words() {
    let twenty = words(&["sample"]);
    assert_eq!(twenty.len(), 20);
    assert!(twenty.iter().all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase())));
    assert_ne!(twenty, words(&["sample", "--seed", "2"]));
}

#[test]
fn words_depend_on_the_seed_and_on_nothing_else() {
    let constraints: [&[&str]; 5] = [
        &[],
        &["--prefix", "wu"],
        &["--pattern", "x*x"],
        &["--like", "wug", "--distance", "0.5"],
        &["--novel", "--unique", "--max-len", "6"],
    ];
    for more in constraints {
        let run = |n: &str, threads: &str| {
            words(&[&["sample", "-n", n, "--threads", threads, "--seed", "7"], more].concat())
        };
        let many = run("30", "1");
        assert_eq!(many, run("30", "3"), "{more:?}");
        assert_eq!(many[..5], run("5", "2"), "{more:?}");
    }
    let many = words(&["sample", "-n", "9000", "--threads", "2"]);
    assert_eq!(many, words(&["sample", "-n", "9000", "--threads", "1"]));
    assert_eq!(many[..4100], words(&["sample", "-n", "4100"]));
}

#[test]
fn constraints_are_met() {
    let rare = words(&["sample", "-n", "5", "--pattern", "q?????z"]);
    assert_eq!(rare.len(), 5);
    assert!(
        rare.iter().all(|word| word.len() == 7 && word.starts_with('q') && word.ends_with('z')),
        "{rare:?}"
    );
    let all = [
        "--prefix",
        "s",
        "--suffix",
        "ing",
        "--min-length",
        "6",
        "--max-length",
        "8",
        "--pattern",
        "*[aeiou]?[!x]*",
    ];
    for dial in [&["--argmax"][..], &["--temperature", "1.5"], &["--temperature", "0.5"]] {
        let some = words(&[&["sample", "-n", "20"], &all[..], dial].concat());
        assert_eq!(some.len(), 20);
        for word in some {
            assert!(
                word.starts_with('s') && word.ends_with("ing") && (6..=8).contains(&word.len()),
                "{word}"
            );
        }
    }
}

#[test]
fn every_kind_of_constraint_is_met() {
    let folder = tempfile::tempdir().unwrap();
    let rude = folder.path().join("rude.txt");
    fs::write(&rude, "an\nER\nnaïve\n\nth\n").unwrap();
    let vowels = |word: &str| {
        word.chars().map(|letter| if "aeiouy".contains(letter) { 'V' } else { 'C' }).collect::<String>()
    };
    let groups = |word: &str| vowels(word).split('C').filter(|group| !group.is_empty()).count();
    type Check<'a> = (&'a [&'a str], &'a dyn Fn(&str) -> bool);
    let checks: [Check<'_>; 8] = [
        (&["--without", "e|th"], &|word| !word.contains('e') && !word.contains("th")),
        (&["--without-file", rude.to_str().unwrap()], &|word| {
            !["an", "er", "th"].iter().any(|bad| word.contains(bad))
        }),
        (&["--containing", "oo|ck"], &|word| word.contains("oo") || word.contains("ck")),
        (&["--pattern", "CV{1,2}C"], &|word| ["CVC", "CVVC"].contains(&vowels(word).as_str())),
        (&["--not-pattern", "*(e|s)"], &|word| !word.ends_with(['e', 's'])),
        (&["--syllables", "2-3"], &|word| (2..=3).contains(&groups(word))),
        (&["--class", "K=ptk", "--class", "S=sh|ch", "--pattern", "(K|S)V*"], &|word| {
            word.starts_with(['p', 't', 'k']) || word.starts_with("sh") || word.starts_with("ch")
        }),
        (&["--pattern", "s*", "--without", "[aeo]", "--syllables", "1", "--containing", "i"], &|word| {
            word.starts_with('s')
                && !word.contains(['a', 'e', 'o'])
                && word.contains('i')
                && groups(word) == 1
        }),
    ];
    for (options, holds) in checks {
        let found = words(&[&["sample", "-n", "30"], options].concat());
        assert_eq!(found.len(), 30, "{options:?}");
        assert!(found.iter().all(|word| holds(word)), "{options:?}: {found:?}");
    }
    let output = wug(&["sample", "-n", "5", "--pattern", "x?z*", "--explain"]);
    assert!(text(&output.stderr).contains("by particles: populations of"), "{}", text(&output.stderr));
    let output = wug(&["sample", "-n", "5", "--explain", "--novel"]);
    assert!(text(&output.stderr).contains("by chance"), "{}", text(&output.stderr));
}

#[test]
fn impossible_combinations_name_the_culprit() {
    let culprits = |arguments: &[&str], parts: &[&str]| fails(&[&["sample"], arguments].concat(), 3, parts);
    culprits(
        &["--without", "e", "--containing", "the", "--prefix", "w"],
        &["containing `the` and without `e`"],
    );
    culprits(&["--syllables", "3", "--max-length", "4", "--novel"], &["syllables 3 and at most 4 letters"]);
    culprits(&["--pattern", "b*", "--without", "*"], &["meets without `*`"]);
    fails(&["sample", "--pattern", "a{2"], 2, &["--pattern `a{2`", "`{` has no `}`"]);
    fails(&["sample", "--class", "KK=a"], 2, &["--class `KK=a`", "one letter"]);
    fails(&["sample", "--class", "K"], 2, &["such as K=ptk"]);
    fails(&["sample", "--class", "K=é", "--pattern", "K"], 2, &["--class `K=é`", "letter `é`"]);
    fails(&["sample", "--syllables", "3-2"], 2, &["the smaller first"]);
    fails(&["sample", "--without-file", "no-such-file"], 1, &["no-such-file"]);
    fails(&["sample", "--pattern", "((a{1000}){1000}){1000}"], 2, &["more than 20000 places"]);
}

#[test]
fn known_and_repeated_words_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let plain = words(&["sample", "-n", "200", "--max-length", "3"]);
    let list = folder.path().join("list.txt");
    fs::write(&list, plain[..50].join("\n")).unwrap();
    let excluded = words(&["sample", "-n", "200", "--max-length", "3", "--not-in", list.to_str().unwrap()]);
    assert!(excluded.iter().all(|word| !plain[..50].contains(word)));
    let unique = words(&["sample", "-n", "200", "--max-length", "3", "--unique"]);
    assert_eq!(unique.iter().collect::<HashSet<_>>().len(), 200);
    assert!(plain.iter().collect::<HashSet<_>>().len() < 200);
    let known = wug::lexicon::bundled().unwrap();
    assert!(words(&["sample", "-n", "300"]).iter().any(|word| known.count(word) > 0));
    assert!(words(&["sample", "-n", "300", "--novel"]).iter().all(|word| known.count(word) == 0));
}

#[test]
fn what_cannot_be_done_ends_quickly_with_code_3() {
    let started = Instant::now();
    fails(&["sample", "--prefix", "ab", "--max-length", "1"], 3, &["prefix `ab`", "at most 1 letters"]);
    fails(&["sample", "--pattern", "[!abcdefghijklmnopqrstuvwxyz]"], 3, &["no word", "pattern `[!abc"]);
    let long = "?".repeat(101);
    fails(&["sample", "--pattern", &long], 3, &["up to 100 letters", "pattern"]);
    // Zero probability in effect, although the automaton has words: it must give up.
    fails(
        &["sample", "--pattern", "zqzqzqzqzqzqzq", "--temperature", "0.01", "--max-tries", "10k"],
        3,
        &["0 of 20 words", "pattern `zqzqzqzqzqzqzq` is the hardest to meet", "--max-tries"],
    );
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());

    // Only so many words: what there is comes out.
    let output = wug(&["sample", "-n", "1000", "--pattern", "?", "--unique", "--max-tries", "20k"]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3));
    let found = text(&output.stdout).lines().count();
    // There are 26, and how many of them turn up is up to the model.
    assert!((1..=26).contains(&found), "{found}");
    assert!(
        message.contains(&format!("{found} of 1000 words"))
            && message.contains("repeated (--max-tries, --unique)"),
        "{message}"
    );
}

/// The noise of the bundled model only chooses letters: a scale of it would do nothing.
#[test]
fn a_dial_without_effect_is_refused() {
    fails(&["sample", "--noise", "0.5"], 2, &["--noise", "only chooses letters", "--temperature"]);
}

#[test]
fn absurd_values_are_usage_errors() {
    for arguments in [
        &["-n", "0"][..],
        &["-n", "-3"],
        &["-n", "NaN"],
        &["--noise", "NaN"],
        &["--noise", "-1"],
        &["--noise", "inf"],
        &["--temperature", "0"],
        &["--temperature", "-1"],
        &["--temperature", "NaN"],
        &["--max-tries", "0"],
        &["--min-length", "0"],
        &["--max-length", "101"],
        &["--threads", "0"],
        &["--argmax", "--temperature", "2"],
        &["--distance", "0.5"],
        &["--keep", "1"],
        &["--like", "wug", "--distance", "1.5"],
        &["--like", "wug", "--distance", "NaN"],
    ] {
        let output = wug(&[&["sample"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
    fails(&["sample", "--min-length", "5", "--max-length", "3"], 2, &["--min-length 5", "--max-length 3"]);
    fails(&["sample", "--prefix", "Wu"], 2, &["--prefix", "letter `W`", "a b c"]);
    fails(&["sample", "--pattern", "a[bc"], 2, &["--pattern", "`[` has no `]`"]);
    let bomb = format!("*a{}", "?".repeat(40));
    fails(&["sample", "--pattern", &bomb], 2, &["states"]);
    fails(&["sample", "--like", "wög"], 2, &["--like", "letter `ö` of `wög`"]);
    fails(&["sample", "--like", "Wug"], 2, &["--like", "letter `W` of `Wug`", "give --lower-case"]);
    fails(&["sample", "--like", ""], 2, &["--like", "1 to 100 letters"]);
    fails(&["sample", "--like", "wug", "--keep", "4"], 2, &["--keep", "only 3 letters"]);
    fails(&["sample", "--not-in", "no-such-file"], 1, &["no-such-file"]);
    fails(&["between", "wug", "Wug"], 2, &["letter `W` of `Wug`"]);
}

#[test]
fn words_near_a_word_are_near() {
    let like = |more: &[&str]| words(&[&["sample", "-n", "200", "--like", "winter"], more].concat());
    let same = |words: &[String]| words.iter().filter(|word| *word == "winter").count();
    let at = |distance: &str| same(&like(&["--distance", distance]));
    assert_eq!(at("0"), 200);
    let (close, middle, far) = (at("0.03"), at("0.1"), at("1"));
    assert!(close < 200 && close > middle && middle > far && far < 5, "{close} {middle} {far}");
    let kept = like(&["--keep", "3", "--distance", "0.8", "--suffix", "y"]);
    assert!(kept.iter().all(|word| word.starts_with("win") && word.ends_with('y')), "{kept:?}");
}

#[test]
fn a_path_goes_from_one_word_to_the_other() {
    for seed in ["1", "2", "3"] {
        let path = words(&["between", "winter", "sun", "--steps", "30", "--seed", seed]);
        assert!(path.len() >= 3, "{path:?}");
        assert_eq!((path[0].as_str(), path[path.len() - 1].as_str()), ("winter", "sun"));
        assert!(path.windows(2).all(|pair| pair[0] != pair[1]), "{path:?}");
    }
    assert_eq!(words(&["between", "wug", "wugs", "--steps", "2"]), ["wug", "wugs"]);
    assert_eq!(words(&["between", "wug", "wug", "--steps", "2"]), ["wug"]);
}

/// A reader that has seen enough ends the command without a word.
#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wug"))
        .args(["sample", "-n", "1G"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut some = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let started = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// Trains a small model on a list and makes words with it.
fn trained(list: &str, more: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("list.txt"), list).unwrap();
    let mut arguments = vec!["train", "list.txt", "--preset", "default", "-o", "run", "--words", "40k"];
    arguments.extend(["--set", "particles=2", "--set", "generative.flow=tril", "--set", "state=4"]);
    arguments.extend(more);
    let output = wug_in(&arguments, folder.path());
    assert!(output.status.success(), "{}", text(&output.stderr));
    folder
}

#[test]
fn any_language_has_words() {
    let lists = [
        ("мама\nмасло\nсало\nсоль\nлом\nлоб\nблок\nбал\n", "с", "?[ао]*", "масло"),
        ("yö\ntyö\nhäät\nyötä\ntyttö\nhätä\nöylätti\n", "y", "*[äö]*", "työ"),
        // A letter of two code points: t with a tie bar.
        ("t͡ʃa\nt͡ʃã\nat͡ʃu\nãt͡ʃ\nuã\nt͡ʃut͡ʃ\n", "t͡ʃ", "*ã*", "t͡ʃa"),
    ];
    for (list, prefix, pattern, like) in lists {
        let folder = trained(list, &[]);
        let sample = |more: &[&str]| -> Vec<String> {
            let output = wug_in(&[&["sample", "-m", "run", "-n", "30"], more].concat(), folder.path());
            assert!(output.status.success(), "{}", text(&output.stderr));
            text(&output.stdout).lines().map(str::to_owned).collect()
        };
        let letters: HashSet<char> = list.chars().collect();
        assert!(sample(&[]).iter().all(|word| word.chars().all(|character| letters.contains(&character))));
        assert!(sample(&["--prefix", prefix]).iter().all(|word| word.starts_with(prefix)));
        let some = sample(&["--pattern", pattern, "--max-length", "4"]);
        assert_eq!(some.len(), 30);
        let known: HashSet<&str> = list.lines().collect();
        assert!(sample(&["--novel", "--like", like]).iter().all(|word| !known.contains(word.as_str())));
        let path = wug_in(&["between", "-m", "run", like, list.lines().next().unwrap()], folder.path());
        assert!(path.status.success(), "{}", text(&path.stderr));
    }
}

/// A letter of two code points, t with a tie bar, counts as one.
#[test]
fn a_question_mark_is_a_letter_not_a_code_point() {
    let folder = trained("t͡ʃa\nt͡ʃã\nat͡ʃu\nãt͡ʃ\nuã\nt͡ʃut͡ʃ\n", &[]);
    let output = wug_in(
        &["sample", "-m", "run", "-n", "40", "--pattern", "??", "--unique", "--max-tries", "20k"],
        folder.path(),
    );
    for word in text(&output.stdout).lines() {
        let letters = word.replace("t͡", "T");
        assert_eq!(letters.chars().count(), 2, "{word}");
    }
    let wrong = wug_in(&["sample", "-m", "run", "--prefix", "t"], folder.path());
    assert_eq!(wrong.status.code(), Some(2), "t without its bar is no letter of this list");
}

#[test]
fn the_baseline_makes_words_too() {
    let folder = trained("anna\nada\nhanna\nhannah\nbob\nabba\n", &["--set", "kind=gru"]);
    let run = |more: &[&str]| wug_in(&[&["sample", "-m", "run", "-n", "20"], more].concat(), folder.path());
    assert_eq!(text(&run(&[]).stdout).lines().count(), 20);
    let rare = run(&["--pattern", "b????b", "--temperature", "0.7"]);
    assert!(rare.status.success(), "{}", text(&rare.stderr));
    assert!(
        text(&rare.stdout)
            .lines()
            .all(|word| word.len() == 6 && word.starts_with('b') && word.ends_with('b'))
    );
    assert_eq!(run(&["--noise", "2"]).status.code(), Some(2));
    assert_eq!(run(&["--like", "bob"]).status.code(), Some(2));
    assert_eq!(wug_in(&["between", "-m", "run", "bob", "anna"], folder.path()).status.code(), Some(2));
}

#[test]
fn a_length_is_the_length_of_all() {
    let found = words(&["sample", "-n", "20", "--length", "7"]);
    assert!(found.len() == 20 && found.iter().all(|word| word.len() == 7), "{found:?}");
    fails(&["sample", "--length", "7", "--min-length", "3"], 2, &["--length"]);
}

#[test]
fn parts_one_after_the_other_are_the_whole() {
    for more in [&[][..], &["--unique", "--prefix", "st"]] {
        let run = |part: &[&str]| words(&[&["sample", "-n", "50", "--novel"], part, more].concat());
        let parts = ["1/3", "2/3", "3/3"].map(|part| run(&["--shard", part]));
        assert_eq!(parts.concat(), run(&[]));
    }
    fails(&["sample", "--shard", "4/3"], 2, &["expected i/n"]);
}
