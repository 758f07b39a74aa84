use proptest::prelude::*;

use super::*;
use crate::lexicon::Alphabet;

fn alphabet() -> Alphabet {
    Alphabet::from_letters(["a", "b", "c"]).unwrap()
}

/// Backtracking, letter by letter, on the text of a pattern.
fn matches(pattern: &[char], word: &[char]) -> bool {
    match pattern.split_first() {
        None => word.is_empty(),
        Some(('*', rest)) => (0..=word.len()).any(|skipped| matches(rest, &word[skipped..])),
        Some(('[', rest)) => {
            let (negated, rest) = if rest[0] == '!' { (true, &rest[1..]) } else { (false, rest) };
            let end = rest.iter().position(|&sign| sign == ']').unwrap();
            word.split_first().is_some_and(|(letter, word)| {
                rest[..end].contains(letter) != negated && matches(&rest[end + 1..], word)
            })
        }
        Some((sign, rest)) => word
            .split_first()
            .is_some_and(|(letter, word)| (*sign == '?' || sign == letter) && matches(rest, word)),
    }
}

/// All words of up to six letters.
fn words() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..6 {
        last = last.iter().flat_map(|word| ["a", "b", "c"].map(|letter| format!("{word}{letter}"))).collect();
        all.extend(last.clone());
    }
    all
}

fn encode(word: &str) -> Vec<Symbol> {
    let mut symbols = alphabet().encode(word).unwrap();
    symbols.pop();
    symbols
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn an_automaton_accepts_what_backtracking_does(
        pattern in prop::collection::vec(prop::sample::select(vec!["a", "b", "?", "*", "[ab]", "[!a]", "[!bc]"]), 0..7),
        prefix in "[abc]{0,2}",
        suffix in "[abc]{0,2}",
        least in 0usize..5,
        most in 0usize..7,
    ) {
        let pattern: String = pattern.concat();
        let alphabet = alphabet();
        let constraints = [
            Constraint::Pattern(pattern.clone()),
            Constraint::Prefix(prefix.clone()),
            Constraint::Suffix(suffix.clone()),
            Constraint::AtLeast(least),
            Constraint::AtMost(most),
        ];
        let automaton = Automaton::new(&alphabet, &constraints, 6);
        let signs: Vec<char> = pattern.chars().collect();
        let mut accepted = 0;
        for word in words() {
            let letters: Vec<char> = word.chars().collect();
            let expected = matches(&signs, &letters)
                && word.starts_with(&prefix)
                && word.ends_with(&suffix)
                && (least..=most).contains(&letters.len());
            accepted += usize::from(expected);
            if let Ok(automaton) = &automaton {
                prop_assert_eq!(automaton.accepts(&encode(&word)), expected, "{} by {}", word, pattern);
            }
        }
        // Words of up to six letters are all there are here.
        prop_assert_eq!(automaton.is_ok(), accepted > 0);
    }
}

/// The same language, whether letters are classes of their own or not.
#[test]
fn letters_of_large_alphabets_share_classes() {
    let letters: Vec<String> = ('\u{4e00}'..'\u{4f00}').map(String::from).collect();
    let alphabet = Alphabet::from_letters(letters.iter().map(String::as_str)).unwrap();
    let constraint = Constraint::Pattern("*\u{4e05}[!\u{4e05}\u{4e06}]".into());
    let automaton = Automaton::new(&alphabet, &[constraint], 10).unwrap();
    assert_eq!(automaton.class_count(), 4, "the end, two letters, all others");
    assert!(automaton.accepts(&[9, 6, 6, 8]));
    assert!(!automaton.accepts(&[9, 6, 7]) && !automaton.accepts(&[6, 6]) && !automaton.accepts(&[6]));
}

#[test]
fn a_word_dies_at_the_letter_that_rules_it_out() {
    let alphabet = alphabet();
    let constraints = [Constraint::Pattern("a*c".into()), Constraint::AtMost(3)];
    let automaton = Automaton::new(&alphabet, &constraints, 100).unwrap();
    let after = |word: &str| encode(word).iter().fold(START, |state, &symbol| automaton.next(state, symbol));
    assert_eq!(after("b"), DEAD);
    assert_ne!(after("ab"), DEAD);
    assert_eq!(after("abb"), DEAD, "three letters, and no c at the end");
    assert_eq!(automaton.next(after("abc"), END), ACCEPTED);
}

#[test]
fn the_smallest_contradiction_is_named() {
    let alphabet = alphabet();
    let prefix = Constraint::Prefix("abc".into());
    let suffix = Constraint::Suffix("cab".into());
    let error = |constraints: &[Constraint], most| {
        Automaton::new(&alphabet, constraints, most).unwrap_err().to_string()
    };
    assert_eq!(
        error(&[prefix.clone(), suffix.clone(), Constraint::AtMost(4)], 60),
        "no word of up to 60 letters has prefix `abc`, suffix `cab` and at most 4 letters"
    );
    assert_eq!(
        error(&[suffix, prefix, Constraint::AtMost(2), Constraint::AtLeast(1)], 60),
        "no word of up to 60 letters has suffix `cab` and at most 2 letters"
    );
    let none = Constraint::Pattern("a[!abc]".into());
    assert_eq!(error(&[none], 60), "no word of up to 60 letters has pattern `a[!abc]`");
    let long = Constraint::AtLeast(61);
    assert_eq!(error(&[long], 60), "no word of up to 60 letters has at least 61 letters");
}

#[test]
fn hostile_patterns_are_refused() {
    let alphabet = alphabet();
    let bomb = Constraint::Pattern(format!("*a{}", "?".repeat(40)));
    assert!(matches!(Automaton::new(&alphabet, &[bomb], 60), Err(ConstraintError::TooComplex { .. })));
    let pattern = |text: &str| Constraint::Pattern(text.into()).items(&alphabet);
    let error = |text: &str| pattern(text).unwrap_err().to_string();
    assert!(error(&"?".repeat(100_000)).ends_with("100000 places, at most 500 are possible"));
    assert_eq!(error("a[bc"), "pattern `a[bc`: a `[` has no `]` after it; write `[[]` for the sign itself");
    assert!(error("[]").contains("`]`"), "{}", error("[]"));
    assert!(error("[!").contains("no `]`"));
    assert_eq!(error("aX"), "pattern `aX`: the letter `X` is not one of the model's: a b c");
    assert!(pattern("").is_ok());
}
