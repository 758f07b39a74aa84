//! Small dictionaries, with all their forms written out by hand.

use super::*;

fn dictionary(words: &str, rules: &str) -> Dictionary {
    Dictionary::new("small", words, rules, Casing::Lower).unwrap()
}

/// All of these are words, and nothing else that is made of a few letters.
fn assert_words(dictionary: &Dictionary, letters: &str, longest: usize, expected: &[&str]) {
    let mut expected = expected.to_vec();
    let (mut found, mut last) = (Vec::new(), vec![String::new()]);
    for _ in 0..longest {
        last = last
            .iter()
            .flat_map(|word| letters.chars().map(move |letter| format!("{word}{letter}")))
            .collect();
        found.extend(last.iter().filter(|word| dictionary.has(word)).cloned());
    }
    found.sort();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn affixes_and_their_conditions_and_products() {
    // Suffix S replaces a final e by s, or adds s elsewhere; prefix U goes with it, suffix T does not go with prefixes.
    let rules =
        "SET UTF-8\nSFX S Y 2\nSFX S e s e\nSFX S 0 s [^e]\nPFX U Y 1\nPFX U 0 u .\nSFX T N 1\nSFX T 0 t\n";
    let small = dictionary("3\nme/SU\nem/ST po:noun\nMu/UT\n", rules);
    let expected = ["me", "ms", "ume", "ums", "em", "ems", "emt", "mu", "mut", "umu"];
    assert_words(&small, "mesut", 4, &expected);
}

#[test]
fn suffixes_allow_further_suffixes_and_roots_may_need_one() {
    let rules = "FLAG num\nNEEDAFFIX 9\nFORBIDDENWORD 8\nSFX 1 Y 1\nSFX 1 0 b/2,3 .\nSFX 2 Y 1\nSFX 2 b c b\nPFX 3 Y 1\nPFX 3 0 d .\n";
    let small = dictionary("3\na/1,9\nba/8\nca\n", rules);
    // Not a by itself, not ba at all, no prefix without the suffix that allows it.
    assert_words(&small, "abcd", 4, &["ab", "ac", "dab", "dac", "ca"]);
}

#[test]
fn flags_have_three_writings_and_aliases() {
    let rule = |flag: &str| format!("SFX {flag} Y 1\nSFX {flag} 0 b .\n");
    for (header, flag, flags) in
        [("", "é", "éx"), ("FLAG long\n", "Aa", "BbAa"), ("FLAG num\n", "17", "3,17")]
    {
        assert_words(
            &dictionary(&format!("1\na/{flags}\n"), &format!("{header}{}", rule(flag))),
            "ab",
            3,
            &["a", "ab"],
        );
        let aliases = format!("{header}AF 2\nAF q\nAF {flags}\n{}", rule(flag));
        assert_words(&dictionary("1\na/2\n", &aliases), "ab", 3, &["a", "ab"]);
    }
    // Half of a flag is another one.
    assert_words(&dictionary("1\na/Ab\n", &format!("FLAG long\n{}", rule("Aa"))), "ab", 3, &["a"]);
}

#[test]
fn files_are_known_by_their_first_line_and_read_in_two_encodings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.dic");
    std::fs::write(&path, "wug\nblick\n").unwrap();
    assert!(!Dictionary::is_one(&path) && !Dictionary::is_one(Path::new("none.dic")));
    std::fs::write(&path, b"1\n\xe9t\xe9/S\n").unwrap();
    assert!(Dictionary::is_one(&path));
    let open = || Dictionary::open(&path, false);
    assert!(open().unwrap_err().to_string().contains("small.aff"));
    let rules = |text: &str| std::fs::write(path.with_extension("aff"), text).unwrap();
    rules("SET ISO8859-1\nSFX S Y 1\nSFX S 0 s .\n");
    let small = open().unwrap();
    assert!(small.has("été") && small.has("étés") && !small.has("éte"));
    rules("SET KOI8-R\n");
    let error = open().unwrap_err().to_string();
    assert!(error.contains("iconv -f KOI8-R -t UTF-8"), "{error}");
    for wrong in ["SFX S Y\n", "SFX S Y 1\nSFX S 0 s [^a\n"] {
        rules(&format!("SET ISO8859-1\n{wrong}"));
        let LexiconError::Open { name, source } = open().unwrap_err() else { panic!("{wrong}") };
        assert!(
            name.contains("small.aff") && source.to_string().contains("cannot be understood"),
            "{source}"
        );
    }
}

/// Affixes that add nothing fit every word, one after the other.
#[test]
fn affixes_without_letters_are_no_endless_work() {
    let empty = |kind: &str, flag: usize| format!("{kind} {flag} Y 1\n{kind} {flag} 0 0/1,2,3,9999 .\n");
    let many = |count: usize| -> String {
        let all = (10..10 + count).map(|flag| empty("SFX", flag) + &empty("PFX", flag)).collect::<String>();
        format!("FLAG num\n{all}")
    };
    let small = dictionary("1\na\n", &many(900));
    assert!(small.has("a"));
    // More than a billion ways, of which some are looked at: what cannot be told in time is taken for a word.
    assert!(small.has("b"));
    let error = Dictionary::new("small", "1\na\n", &many(1001), Casing::Lower).unwrap_err();
    assert!(error.contains("more than 1000 affixes are written alike: SFX 1010"), "{error}");
    // The usual number of affixes leaves time enough.
    assert!(!dictionary("1\na\n", &many(50)).has("b"));
}

#[test]
fn a_digest_tells_files_and_lists_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.dic");
    std::fs::write(&path, "1\na/S\n").unwrap();
    let digest = |rules: &str| {
        std::fs::write(path.with_extension("aff"), rules).unwrap();
        Dictionary::open(&path, false).unwrap().digest()
    };
    // printf '1\na/S\n# none\n' | sha256sum
    assert_eq!(digest("# none\n"), "d77ab704bfd442fa2a9d25f1b815c3d263f0b92597e99150dce208f155c16652");
    assert_ne!(digest("# other\n"), digest("# none\n"));
    let list = |words: &[&str]| {
        let counts = words.iter().map(|&word| (word, 1));
        KnownWords::digest(&super::super::WordCounts::from_counts(counts).unwrap())
    };
    // printf 'dax\nwug\n' | sha256sum
    assert_eq!(
        list(&["wug", "dax", "wug"]),
        "baee801b369038e69b95532ebadd7e9a83b6d74cd48f5ba5a41845c4b795c5ab"
    );
}

#[test]
fn apostrophes_are_alike() {
    let small = dictionary("2\np’yat/S\nq'a\n", "SFX S Y 1\nSFX S 0 'ʼ .\n");
    for word in ["p'yat", "p’yat", "pʼyat", "qʼa", "q'a", "pʼyat''"] {
        assert!(small.has(word), "{word}");
    }
    assert!(!small.has("pyat") && !small.has("qa"));
}
