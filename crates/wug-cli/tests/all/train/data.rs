//! Other data than the bundled list: nothing assumes a script, a length or a number of words.

use std::fmt::Write;

use crate::harness::{Place, SMALL};

/// Trains briefly; returns the words shown at the end.
fn train(list: &str) -> Vec<String> {
    let place = Place::with("list.txt", list);
    let base = ["list.txt", "-o", "run", "--words", "640", "--set", "batch=32"];
    let ended =
        place.train(&[&base[..], &SMALL].concat()).tells(0, &["done: the model is run/model.safetensors"]);
    let model = wug::TrainedModel::load(&place.path("run/model.safetensors")).expect("a model");
    let words: Vec<String> = ended.stdout.lines().map(str::to_owned).collect();
    assert_eq!(words.len(), 40);
    let letters: Vec<&str> = model.alphabet.letters().collect();
    let known = |word: &String| word.chars().all(|c| letters.iter().any(|letter| letter.contains(c)));
    assert!(words.iter().all(known), "{words:?} of {letters:?}");
    words
}

#[test]
fn thirty_names() {
    let names = "ada alan alonzo barbara bjarne brian dennis donald edsger frances grace guido haskell james jean \
                 john kathleen ken kurt larry leslie linus margaret niklaus noam robin simon stephen tony yukihiro";
    assert_eq!(names.split_whitespace().count(), 30);
    train(&names.split_whitespace().collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_single_word() {
    train("wug");
    // This one would be held out, if anything were.
    train("h");
}

#[test]
fn cyrillic_letters_with_counts() {
    train("слово\t10\nдело\t7\nёж\t3\nмир\t5\nйод\t1\n");
}

#[test]
fn words_of_forty_letters() {
    let words: Vec<String> =
        (0..20).map(|i| "abcdefghij".repeat(4)[i % 7..].to_owned() + &"k".repeat(i % 7)).collect();
    assert!(words.iter().all(|word| word.len() == 40));
    train(&words.join("\n"));
}

#[test]
fn three_hundred_thousand_types() {
    let mut list = String::new();
    for number in 0..300_000_u32 {
        let mut rest = number;
        for _ in 0..5 {
            list.push(char::from(b'a' + (rest % 13) as u8));
            rest /= 13;
        }
        writeln!(list, "\t{}", 1 + number % 5).expect("a string takes text");
    }
    train(&list);
}

#[test]
fn names_in_title_case_come_back_in_it() {
    let place =
        Place::with("names.txt", "Ada\nAlan\nBarbara\nEdsger\nGrace\nJohn\nKurt\nNoam\nNiklaus\nMcKenzie\n");
    let base = ["names.txt", "-o", "run", "--words", "640", "--set", "batch=32"];
    let ended = place.train(&[&base[..], &SMALL].concat());
    let told = "words begin with a capital letter: they are learnt in lower case";
    let ended = ended.tells(0, &[told, "so are 1 words with other capitals, such as McKenzie"]);
    let is_title = |word: &str| {
        word.chars().next().is_some_and(char::is_uppercase) && !word.chars().skip(1).any(char::is_uppercase)
    };
    assert!(ended.stdout.lines().count() == 40 && ended.stdout.lines().all(is_title), "{}", ended.stdout);
    for arguments in [
        &["sample", "-m", "run", "--prefix", "A"][..],
        &["name", "-m", "run", "server-1", "--min-length", "1"],
        &["between", "-m", "run", "Ada", "kurt"],
        &["sample", "-m", "run", "--format", "tsv"],
    ] {
        let words = place.wug(arguments).succeeds().stdout;
        let mut first = words.lines().map(|line| line.split('\t').next().unwrap_or_default());
        assert!(first.all(|word| is_title(word) || word == "word"), "{arguments:?}: {words}");
    }
    // Known words are known however they are written.
    let known = place.wug(&["sample", "-m", "run", "--novel", "--pattern", "ada", "--max-tries", "10k"]);
    known.fails(3, &["there are no more"]);
    let plain = place.wug(&["sample", "-n", "5"]).words();
    let capital = place.wug(&["sample", "-n", "5", "--capital"]).words();
    assert!(capital.iter().all(|word| is_title(word)));
    assert_eq!(capital.iter().map(|word| word.to_lowercase()).collect::<Vec<_>>(), plain);
    let kept = place
        .train(&[&["names.txt", "-o", "kept", "--words", "640", "--keep-case"], &SMALL[..]].concat())
        .succeeds();
    assert!(!kept.stderr.contains("capital") && kept.stdout.contains(char::is_uppercase), "{}", kept.stderr);
}
