//! `wug sample` and `wug between` as users meet them.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::harness::{Place, SMALL, watch, wug};

/// The words that the command prints; it must succeed and have nothing else to say.
fn words(arguments: &[&str]) -> Vec<String> {
    wug(arguments).words()
}

#[track_caller]
fn fails(arguments: &[&str], code: i32, parts: &[&str]) {
    wug(arguments).fails(code, parts);
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
    let place = Place::english();
    let sample = |arguments: &[&str]| place.wug(&[&["sample", "-m", "english"], arguments].concat()).words();
    let constraints: [&[&str]; 5] = [
        &[],
        &["--prefix", "wu"],
        &["--pattern", "x*x"],
        &["--like", "wug", "--distance", "0.5"],
        &["--novel", "--unique", "--max-length", "6"],
    ];
    for more in constraints {
        let run = |n: &str, threads: &str| {
            sample(&[&["-n", n, "--threads", threads, "--seed", "7"], more].concat())
        };
        let many = run("30", "1");
        assert_eq!(many, run("30", "3"), "{more:?}");
        assert_eq!(many[..5], run("5", "2"), "{more:?}");
    }
    let many = sample(&["-n", "9000", "--threads", "2"]);
    assert_eq!(many, sample(&["-n", "9000", "--threads", "1"]));
    assert_eq!(many[..4100], sample(&["-n", "4100"]));
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
    for parameters in [&["--temperature", "0.01"][..], &["--temperature", "1.5"], &["--temperature", "0.5"]] {
        let some = words(&[&["sample", "-n", "20"], &all[..], parameters].concat());
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
    let place = Place::english();
    place.write("rude.txt", "an\nER\nnaïve\n\nth\n");
    let run = |arguments: &[&str]| place.wug(&[&["sample", "-m", "english"], arguments].concat());
    let vowels = |word: &str| {
        word.chars().map(|letter| if "aeiouy".contains(letter) { 'V' } else { 'C' }).collect::<String>()
    };
    let groups = |word: &str| vowels(word).split('C').filter(|group| !group.is_empty()).count();
    type Check<'a> = (&'a [&'a str], &'a dyn Fn(&str) -> bool);
    let checks: [Check<'_>; 8] = [
        (&["--without", "e|th"], &|word| !word.contains('e') && !word.contains("th")),
        (&["--without-file", "rude.txt"], &|word| !["an", "er", "th"].iter().any(|bad| word.contains(bad))),
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
        let found = run(&[&["-n", "30"], options].concat()).words();
        assert_eq!(found.len(), 30, "{options:?}");
        assert!(found.iter().all(|word| holds(word)), "{options:?}: {found:?}");
    }
    run(&["-n", "5", "--pattern", "x?z*", "--explain"]).tells(0, &["by particles: populations of"]);
    run(&["-n", "5", "--explain", "--novel"]).tells(0, &["by chance"]);
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
    let plain = words(&["sample", "-n", "200", "--max-length", "3"]);
    let place = Place::with("list.txt", plain[..50].join("\n"));
    let excluded = place.wug(&["sample", "-n", "200", "--max-length", "3", "--not-in", "list.txt"]).words();
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
    let ended = wug(&["sample", "-n", "1000", "--pattern", "?", "--unique", "--max-tries", "20k"]);
    let found = ended.stdout.lines().count();
    // There are 26, and how many of them turn up is up to the model.
    assert!((1..=26).contains(&found), "{found}");
    ended.tells(3, &[&format!("{found} of 1000 words"), "repeated (--max-tries, --unique)"]);
}

/// The noise of the bundled model only chooses letters: a scale of it would do nothing.
#[test]
fn a_sampling_parameter_without_effect_is_refused() {
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
        fails(&[&["sample"], arguments].concat(), 2, &[]);
    }
    let lengths = ["sample", "--min-length", "5", "--max-length", "3"];
    fails(&lengths, 3, &["at least 5 letters and at most 3 letters"]);
    // The noise of a choice flow picks the letters.
    fails(&["sample", "--argmax"], 2, &["--argmax", "use a low temperature"]);
    fails(&["sample", "--prefix", "Wö"], 2, &["--prefix", "letter `ö`", "a b c"]);
    fails(&["sample", "--pattern", "a[bc"], 2, &["--pattern", "`[` has no `]`"]);
    let bomb = format!("*a{}", "?".repeat(40));
    fails(&["sample", "--pattern", &bomb], 2, &["states"]);
    fails(&["sample", "--like", "wög"], 2, &["--like", "letter `ö` of `wög`"]);
    fails(&["sample", "--class", "V=aeiou,K=pt"], 2, &["--class", "one class at a time"]);
    fails(&["sample", "--seed", "chance"], 2, &["--seed", "or `random`"]);
    fails(&["sample", "--sort", "size"], 2, &["--sort", "`wordlikeness`, `length` or `alphabet`"]);
    fails(&["sample", "--like", ""], 2, &["--like", "1 to 100 letters"]);
    fails(&["sample", "--like", "wug", "--keep", "4"], 2, &["--keep", "only 3 letters"]);
    fails(&["sample", "--not-in", "no-such-file"], 1, &["no-such-file"]);
    fails(&["between", "wug", "Wög"], 2, &["letter `ö` of `wög`"]);
}

#[test]
fn words_near_a_word_are_near() {
    let place = Place::english();
    let like = |n: &str, more: &[&str]| {
        let base = ["sample", "-m", "english", "-n", n, "--like", "winter"];
        place.wug(&[&base[..], more].concat()).words()
    };
    let same = |words: &[String]| words.iter().filter(|word| *word == "winter").count();
    let at = |distance: &str| same(&like("200", &["--distance", distance]));
    assert_eq!(at("0"), 200);
    let (close, middle, far) = (at("0.03"), at("0.1"), at("1"));
    assert!(close < 200 && close > middle && middle > far && far < 5, "{close} {middle} {far}");
    let kept = like("20", &["--keep", "3", "--distance", "0.8", "--suffix", "y"]);
    assert_eq!(kept.len(), 20);
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
    let place = Place::new();
    let ended = watch(&mut place.command(&["sample", "-n", "1G"]), b"", Duration::from_secs(20), 100);
    assert_eq!((ended.stdout.len(), ended.succeeds().stderr.as_str()), (100, ""));
}

/// Trains a small model on a list and makes words with it.
fn trained(list: &str, more: &[&str]) -> Place {
    let place = Place::with("list.txt", list);
    let base = ["list.txt", "--preset", "default", "-o", "run", "--words", "20k"];
    let settings = [&SMALL[..], &["--set", "generative.flow=tril"]].concat();
    place.train(&[&base[..], &settings, more].concat()).succeeds();
    place
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
        let place = trained(list, &[]);
        let sample =
            |more: &[&str]| place.wug(&[&["sample", "-m", "run", "-n", "30"], more].concat()).words();
        let letters: HashSet<char> = list.chars().collect();
        assert!(sample(&[]).iter().all(|word| word.chars().all(|character| letters.contains(&character))));
        assert!(sample(&["--prefix", prefix]).iter().all(|word| word.starts_with(prefix)));
        let some = sample(&["--pattern", pattern, "--max-length", "4"]);
        assert_eq!(some.len(), 30);
        let known: HashSet<&str> = list.lines().collect();
        assert!(sample(&["--novel", "--like", like]).iter().all(|word| !known.contains(word.as_str())));
        place.wug(&["between", "-m", "run", like, list.lines().next().unwrap()]).succeeds();
    }
}

/// A letter of two code points, t with a tie bar, counts as one.
#[test]
fn a_question_mark_is_a_letter_not_a_code_point() {
    let place = trained("t͡ʃa\nt͡ʃã\nat͡ʃu\nãt͡ʃ\nuã\nt͡ʃut͡ʃ\n", &[]);
    let run = |more: &[&str]| place.wug(&[&["sample", "-m", "run"], more].concat());
    let found = run(&["-n", "40", "--pattern", "??", "--unique", "--max-tries", "20k"]).stdout;
    assert!(!found.is_empty());
    for word in found.lines() {
        let letters = word.replace("t͡", "T");
        assert_eq!(letters.chars().count(), 2, "{word}");
    }
    // Without its bar it is no letter of this list.
    run(&["--prefix", "t"]).fails(2, &["--prefix"]);
}

#[test]
fn the_baseline_makes_words_too() {
    let place = trained("anna\nada\nhanna\nhannah\nbob\nabba\n", &["--set", "kind=gru"]);
    let run = |more: &[&str]| place.wug(&[&["sample", "-m", "run", "-n", "20"], more].concat());
    assert_eq!(run(&[]).words().len(), 20);
    let rare = run(&["--pattern", "b????b", "--temperature", "0.7"]).words();
    assert!(rare.iter().all(|word| word.len() == 6 && word.starts_with('b') && word.ends_with('b')));
    run(&["--noise", "2"]).fails(2, &["only chooses letters"]);
    assert!(run(&["--like", "bob", "--distance", "0"]).words().iter().all(|word| word == "bob"));
    let path = place.wug(&["between", "-m", "run", "bob", "anna"]).words();
    assert_eq!((path[0].as_str(), path[path.len() - 1].as_str()), ("bob", "anna"));
}

#[test]
fn a_length_is_the_length_of_all() {
    let found = words(&["sample", "-n", "20", "--length", "7"]);
    assert!(found.len() == 20 && found.iter().all(|word| word.len() == 7), "{found:?}");
    assert!(words(&["sample", "--length", "7-8"]).iter().all(|word| (7..=8).contains(&word.len())));
    fails(&["sample", "--length", "7", "--min-length", "8"], 3, &["length 7 and at least 8 letters"]);
}

#[test]
fn words_are_sorted_and_scored() {
    let place = Place::with("names.txt", "ada\nalan\nbarbara\n");
    let sample = |more: &[&str]| place.wug(&[&["sample", "-n", "30"], more].concat());
    let lines = |more: &[&str]| sample(more).words();
    let (plain, mut sorted) = (lines(&[]), lines(&["--sort", "alphabet"]));
    assert!(sorted.is_sorted() && sorted != plain);
    let lengths: Vec<usize> = lines(&["--sort", "length"]).iter().map(|word| word.chars().count()).collect();
    assert!(lengths.is_sorted());
    let scored = lines(&["--sort", "wordlikeness", "--show-score"]);
    let pairs: Vec<(&str, f64)> = scored
        .iter()
        .filter_map(|line| line.split_once('\t'))
        .map(|(word, score)| (word, score.parse().unwrap()))
        .collect();
    assert!(pairs.len() == 30 && pairs.windows(2).all(|two| two[0].1 >= two[1].1), "{pairs:?}");
    let mut words: Vec<String> = pairs.iter().map(|(word, _)| (*word).to_owned()).collect();
    words.sort_unstable();
    sorted.sort_unstable();
    assert_eq!(words, sorted);
    let table = sample(&["--sort", "alphabet", "--format", "tsv"]).succeeds().stdout;
    assert!(table.lines().skip(1).is_sorted());
    let random = sample(&["--seed", "random"]).tells(0, &["seed "]);
    let seed = random.stderr.trim().trim_start_matches("seed ").to_owned();
    assert_eq!(lines(&["--seed", &seed]), random.stdout.lines().collect::<Vec<_>>());
    sample(&["-m", "names.txt"])
        .fails_in_one_line(1, &["names.txt is text and no model", "wug train names.txt"]);
}
